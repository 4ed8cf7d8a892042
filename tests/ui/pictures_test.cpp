// SPDX-License-Identifier: GPL-3.0-or-later
// Renders the window in every state that an operator can meet, in both themes and several sizes, and checks
// what a program can check: no text is cut where it must not be, nothing overlaps the edge. The pictures are
// for eyes.
#include <functional>

#include <QApplication>
#include <QDir>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

#include "fake_source.h"
#include "scenes.h"
#include "ui/models/role_list_model.h"
#include "ui/window/about_dialog.h"
#include "ui/window/elided_label.h"
#include "ui/window/help_dialog.h"
#include "ui/window/main_window.h"
#include "ui/window/role_list_pane.h"

using namespace bellwether;
using namespace bellwether::ui;

namespace {

struct Shot {
    QString name;
    std::function<Snapshot()> scene;
    QSize size{1280, 720};
    QString select = {};
    int tab = 0;
    ZoneChoice zone = ZoneChoice::local;
};

QList<Shot> shots() {
    return {
        {QStringLiteral("calm"), test::calmScene},
        {QStringLiteral("every-verdict"), test::everyVerdictScene},
        {QStringLiteral("overdue"), test::everyVerdictScene, {1280, 720}, QStringLiteral("ingest")},
        {QStringLiteral("unknown"), test::everyVerdictScene, {1280, 720}, QStringLiteral("reports")},
        {QStringLiteral("one-role"), test::oneRoleScene},
        {QStringLiteral("lost"), test::lostScene},
        {QStringLiteral("stepped"), test::steppedScene},
        {QStringLiteral("absurd"), test::absurdScene, {1280, 720}, QStringLiteral("far-future")},
        {QStringLiteral("hostile"), test::hostileScene},
        {QStringLiteral("hostile-long"), test::hostileScene, {1280, 720}, QString(249, QLatin1Char('w'))},
        {QStringLiteral("pinned"), test::pinnedScene},
        {QStringLiteral("pinned-small"), test::pinnedScene, {1024, 700}},
        {QStringLiteral("findings"), test::findingsScene, {1280, 720}, {}, 1},
        {QStringLiteral("many"), [] { return test::manyScene(10'000, 5); }},
        {QStringLiteral("connecting"), test::connectingScene},
        {QStringLiteral("cannot-connect"), test::cannotConnectScene},
        {QStringLiteral("no-topic"), test::noTopicScene},
        {QStringLiteral("reading"), test::readingScene},
        {QStringLiteral("empty"), test::emptyScene, {1280, 720}, {}, 1},
        {QStringLiteral("4k"), test::everyVerdictScene, {3840, 2160}},
        {QStringLiteral("small"), test::everyVerdictScene, {960, 560}},
        {QStringLiteral("utc"), test::calmScene, {1280, 720}, {}, 0, ZoneChoice::utc},
    };
}

} // namespace

class PicturesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void initTestCase() {
        QVERIFY(QDir().mkpath(QStringLiteral(BELLWETHER_PICTURES)));
        QFont font(QStringLiteral("DejaVu Sans"));
        font.setPointSizeF(9.5);
        QApplication::setFont(font);
    }

    void window_data() {
        QTest::addColumn<int>("shot");
        QTest::addColumn<bool>("dark");
        const auto all = shots();
        for (int i = 0; i < all.size(); ++i) {
            for (const bool dark : {false, true}) {
                const QString tag =
                    all.at(i).name + (dark ? QStringLiteral("-dark") : QStringLiteral("-light"));
                QTest::newRow(qPrintable(tag)) << i << dark;
            }
        }
    }

    void window() {
        QFETCH(int, shot);
        QFETCH(bool, dark);
        const Shot wanted = shots().at(shot);
        auto clock = std::make_shared<test::HandClock>(test::kSceneNow, test::kSceneSteady);
        auto source = std::make_shared<test::FakeSource>(wanted.scene());
        WindowOptions options;
        options.clock = clock;
        options.theme = dark ? ThemeChoice::dark : ThemeChoice::light;
        options.zone = wanted.zone;
        options.localZone = QTimeZone("Europe/Berlin");
        options.versions = {QStringLiteral("0.1.0"), QStringLiteral("2.14.2")};
        MainWindow window(source, options);
        window.resize(wanted.size);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        if (!wanted.select.isEmpty()) {
            window.roleList()->select(Role::of(wanted.select.toStdString()).value());
        }
        window.findChild<QTabWidget*>(QStringLiteral("tabs"))->setCurrentIndex(wanted.tab);
        QCoreApplication::processEvents();
        window.tick();
        QCoreApplication::processEvents();
        QCoreApplication::processEvents();

        const QString file = QStringLiteral("%1/%2-%3.png")
                                 .arg(QStringLiteral(BELLWETHER_PICTURES), wanted.name,
                                      dark ? QStringLiteral("dark") : QStringLiteral("light"));
        QVERIFY(window.grab().save(file));

        QCOMPARE(window.size(), wanted.size);
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (!widget->isVisible() || (qobject_cast<const QLabel*>(widget) == nullptr &&
                                         qobject_cast<const QToolButton*>(widget) == nullptr)) {
                continue;
            }
            const QRect place(widget->mapTo(&window, QPoint(0, 0)), widget->size());
            QVERIFY2(window.rect().contains(place), qPrintable(widget->objectName()));
            const auto* label = qobject_cast<const QLabel*>(widget);
            if (label != nullptr && label->wordWrap()) {
                QVERIFY2(label->height() >= label->heightForWidth(label->width()) - 1,
                         qPrintable(label->objectName() + label->text()));
            } else if (label != nullptr && qobject_cast<const ElidedLabel*>(widget) == nullptr) {
                QVERIFY2(label->width() >= label->sizeHint().width() - 1,
                         qPrintable(label->objectName() + label->text()));
            }
        }
    }

    void dialogs() {
        HelpDialog help;
        help.show();
        AboutDialog about({QStringLiteral("0.1.0"), QStringLiteral("2.14.2")});
        about.show();
        QCoreApplication::processEvents();
        QVERIFY(help.grab().save(QStringLiteral(BELLWETHER_PICTURES) + QStringLiteral("/help.png")));
        QVERIFY(about.grab().save(QStringLiteral(BELLWETHER_PICTURES) + QStringLiteral("/about.png")));
        QVERIFY(help.height() < 760);
    }
};

QTEST_MAIN(PicturesTest)
#include "pictures_test.moc"
