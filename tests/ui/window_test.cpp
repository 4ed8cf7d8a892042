// SPDX-License-Identifier: GPL-3.0-or-later
// Long because every test drives the one window.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QTest>

#include "fake_source.h"
#include "scenes.h"
#include "ui/models/role_list_model.h"
#include "ui/models/typed_proxy.h"
#include "ui/timeline/timeline_pane.h"
#include "ui/timeline/timeline_plot.h"
#include "ui/window/banner.h"
#include "ui/window/main_window.h"
#include "ui/window/role_list_pane.h"
#include "ui/window/steady_table.h"

using namespace bellwether;
using namespace bellwether::ui;

namespace {

/// A window on a fake source with a clock that stands still.
struct Stage {
    explicit Stage(Snapshot scene, ZoneChoice zone = ZoneChoice::utc)
        : clock(std::make_shared<test::HandClock>(test::kSceneNow, test::kSceneSteady))
        , source(std::make_shared<test::FakeSource>(std::move(scene))) {
        WindowOptions options;
        options.clock = clock;
        options.zone = zone;
        options.localZone = QTimeZone("Europe/Berlin");
        options.versions = {QStringLiteral("0.1.0"), QStringLiteral("2.14.2")};
        window = std::make_unique<MainWindow>(source, options);
        window->show();
        QApplication::setActiveWindow(window.get());
        const bool exposed = QTest::qWaitForWindowActive(window.get());
        Q_ASSERT(exposed);
        Q_UNUSED(exposed)
    }

    void publish(Snapshot scene) {
        source->publish(std::move(scene));
        QCoreApplication::processEvents();
    }

    [[nodiscard]] QString text(const char* name) const {
        const auto* label = window->findChild<QLabel*>(QString::fromLatin1(name));
        return label == nullptr ? QStringLiteral("no such label") : label->text();
    }

    [[nodiscard]] SteadyTable* roles() const { return window->roleList()->table(); }

    [[nodiscard]] QString selectedName() const {
        const auto& role = window->roleList()->selected();
        return role ? QString::fromStdString(role->str()) : QString();
    }

    std::shared_ptr<test::HandClock> clock;
    std::shared_ptr<test::FakeSource> source;
    std::unique_ptr<MainWindow> window;
};

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void whatNeedsAPersonIsSelectedFirst() {
        Stage stage(test::everyVerdictScene());
        QCOMPARE(stage.selectedName(), QStringLiteral("ledger"));
        QVERIFY(stage.text("verdict").contains(QLatin1String("CONTRADICTORY")));
        QCOMPARE(stage.text("rolesHeadline"), QStringLiteral("Roles (8; 7 need you)"));
        QVERIFY(stage.text("why").contains(QLatin1String("forged record")));
    }

    void theSelectedRoleIsExplained() {
        Stage stage(test::everyVerdictScene());
        stage.window->roleList()->select(Role::of("controller").value());
        QCOMPARE(stage.text("roleName"), QStringLiteral("controller"));
        QCOMPARE(stage.text("holder"), QStringLiteral("node-1"));
        QCOMPARE(stage.text("token"), QStringLiteral("4242:7"));
        QCOMPARE(stage.text("age"), QStringLiteral("0.4 s ago"));
        QCOMPARE(stage.text("countdownText"), QStringLiteral("21 s"));
        QVERIFY(stage.text("leaseLine").contains(QLatin1String("deadline 22:13:41.000 Z")));
        QVERIFY(stage.text("coordinatorLine").contains(QLatin1String("CompleteCommit")));
        stage.clock->advance(Millis{2'000});
        stage.window->tick();
        QCOMPARE(stage.text("countdownText"), QStringLiteral("19 s"));
    }

    // D1: a list on screen is never shown as live when nothing comes any more.
    void silenceTurnsTheWindowGrey() {
        Stage stage(test::calmScene());
        stage.window->roleList()->select(Role::of("controller").value());
        stage.clock->advance(Millis{15'000});
        stage.window->tick();
        QVERIFY(stage.text("verdict").contains(QLatin1String("UNKNOWN")));
        QVERIFY(stage.text("countdownText").startsWith(QLatin1String("stopped: ")));
        const QString stopped = stage.text("countdownText");
        QVERIFY(!stage.window->findChild<Banner*>()->troubles().isEmpty());
        QVERIFY(stage.window->findChild<Banner*>()->isVisible());
        QVERIFY(stage.text("rolesHeadline").contains(QLatin1String("6 need you")));
        stage.clock->advance(Millis{30'000});
        stage.window->tick();
        QCOMPARE(stage.text("countdownText"), stopped);
        QVERIFY(stage.text("holder").startsWith(QLatin1String("last: ")));
    }

    void aLostClusterSaysAsOf() {
        Stage stage(test::lostScene());
        QVERIFY(stage.window->findChild<Banner*>()->accessibleDescription().contains(
            QLatin1String("as of 22:12:38.000 Z")));
        QVERIFY(stage.text("statusBrokers").contains(QLatin1String("0/3 brokers")));
        QVERIFY(stage.text("verdict").contains(QLatin1String("UNKNOWN")));
        // It comes back by itself.
        stage.publish(test::calmScene());
        QVERIFY(!stage.window->findChild<Banner*>()->isVisible());
        QCOMPARE(stage.text("rolesHeadline"), QStringLiteral("Roles (6; all led)"));
    }

    // D3
    void aSteppedClockRaisesABanner() {
        Stage stage(test::steppedScene());
        QVERIFY(stage.window->findChild<Banner*>()->isVisible());
        QVERIFY(stage.text("countdownText").contains(QLatin1String("unreliable")));
        QVERIFY(stage.text("statusClock").contains(QLatin1String("stepped")));
    }

    // D6
    void absurdDeadlinesAreWords() {
        Stage stage(test::absurdScene());
        for (int row = 0; row < stage.window->roleModel()->rowCount(); ++row) {
            stage.window->roleList()->select(stage.window->roleModel()->view(row)->role);
            const QString words = stage.text("countdownText");
            QVERIFY2(!words.contains(QLatin1Char('-')), qPrintable(words));
            QVERIFY2(words.size() < 70, qPrintable(words));
        }
        stage.window->roleList()->select(Role::of("far-future").value());
        QCOMPARE(stage.text("token"), QStringLiteral("9007199254740993:32766"));
        QVERIFY(stage.text("countdownText").contains(QLatin1String("far in the future")));
        stage.window->roleList()->select(Role::of("slow").value());
        QVERIFY(stage.text("leaseLine").contains(QLatin1String("lasts 45 s (assumed 30 s)"))); // D4
    }

    // D15
    void nothingJumpsDuringAHundredRefreshes() {
        Stage stage(test::manyScene(500, 5));
        MainWindow& window = *stage.window;
        auto* filter = window.findChild<QLineEdit*>(QStringLiteral("filter"));
        filter->setText(QStringLiteral("role-1"));
        stage.roles()->sortByColumn(RoleListModel::RoleColumn, Qt::DescendingOrder);
        window.roleList()->select(Role::of("role-150").value());
        stage.roles()->verticalScrollBar()->setValue(60);
        auto* roster = window.findChild<SteadyTable*>(QStringLiteral("roster"));
        roster->selectRow(2);
        const int count = window.roleList()->proxy()->rowCount();
        QCOMPARE(count, 111);
        QSignalSpy resets(window.roleModel(), &QAbstractItemModel::modelReset);
        QSignalSpy proxyResets(window.roleList()->proxy(), &QAbstractItemModel::modelReset);
        for (int i = 1; i <= 100; ++i) {
            stage.clock->advance(Millis{100});
            Snapshot scene = test::manyScene(500, 5);
            for (std::size_t at = 0; at < scene.roles.size(); ++at) {
                // Everything is as fresh as before, and some change their verdict.
                RoleView view = *scene.roles[at];
                view.coordinator.answeredAt += Millis{100 * i};
                view.topicAsOfSteady += Millis{100 * i};
                if (at % 7 == static_cast<std::size_t>(i) % 7) {
                    view.verdict.kind = VerdictKind::claiming;
                }
                scene.roles[at] = std::make_shared<const RoleView>(std::move(view));
            }
            scene.takenAtSteady = stage.clock->steady();
            stage.publish(std::move(scene));
        }
        window.roleList()->proxy()->applyNow();
        QCOMPARE(stage.selectedName(), QStringLiteral("role-150"));
        QCOMPARE(stage.roles()->currentIndex().siblingAtColumn(RoleListModel::RoleColumn).data().toString(),
                 QStringLiteral("role-150"));
        QCOMPARE(stage.roles()->verticalScrollBar()->value(), 60);
        QCOMPARE(window.roleList()->proxy()->sortColumn(), int(RoleListModel::RoleColumn));
        QCOMPARE(window.roleList()->proxy()->sortOrder(), Qt::DescendingOrder);
        QCOMPARE(filter->text(), QStringLiteral("role-1"));
        QCOMPARE(window.roleList()->proxy()->rowCount(), count);
        QCOMPARE(roster->selectionModel()->selectedRows().value(0).row(), 2);
        QCOMPARE(resets.count() + proxyResets.count(), 0);
    }

    void rowsThatComeAboveDoNotMoveWhatIsRead() {
        Snapshot scene = test::emptyScene();
        for (int i = 100; i < 300; ++i) {
            test::addRole(scene, {.name = "role-" + std::to_string(i)});
        }
        Stage stage(scene);
        stage.roles()->sortByColumn(RoleListModel::RoleColumn, Qt::AscendingOrder);
        stage.roles()->verticalScrollBar()->setValue(50);
        const auto top = [&] {
            return stage.roles()
                ->indexAt(QPoint(2, 2))
                .siblingAtColumn(RoleListModel::RoleColumn)
                .data()
                .toString();
        };
        QCOMPARE(top(), QStringLiteral("role-150"));
        Snapshot fewer = scene;
        fewer.roles.erase(fewer.roles.begin(), fewer.roles.begin() + 10);
        fewer.timeline.erase(fewer.timeline.begin(), fewer.timeline.begin() + 10);
        stage.publish(fewer);
        QCOMPARE(top(), QStringLiteral("role-150"));
        // The selected role was among those that went: nothing else is selected in its place.
        QCOMPARE(stage.selectedName(), QStringLiteral("role-100"));
        QVERIFY(!stage.roles()->selectionModel()->hasSelection());
        stage.publish(scene);
        stage.window->roleList()->proxy()->applyNow();
        QCOMPARE(stage.roles()->currentIndex().siblingAtColumn(RoleListModel::RoleColumn).data().toString(),
                 QStringLiteral("role-100"));
    }

    // D14
    void tenThousandRolesDoNotFreeze() {
        Stage stage(test::readingScene());
        QVERIFY(stage.window->findChild<QProgressBar*>(QStringLiteral("readProgress"))->isVisible());
        Snapshot scene = test::manyScene(10'000, 5);
        scene.connection.phase = ConnectionPhase::reading;
        scene.connection.recordsKnown = 50'000;
        scene.connection.recordsRead = 20'000;
        stage.publish(std::move(scene));
        QVERIFY(stage.text("rolesHeadline").startsWith(QLatin1String("Roles (10,000; ")));
        QVERIFY(stage.text("statusTopic").contains(QLatin1String("reading 20,000 of 50,000 records")));
        stage.publish(test::manyScene(10'000, 5));
        QVERIFY(!stage.window->findChild<QProgressBar*>(QStringLiteral("readProgress"))->isVisible());
        const TimelinePlot* plot = stage.window->timeline()->plot();
        QCOMPARE(plot->laneCount(), 10'000);
        // The lane of the selected role is in sight.
        stage.window->roleList()->select(Role::of("role-5016").value());
        QVERIFY(plot->firstLane() <= 5'016 && 5'016 < plot->firstLane() + plot->visibleLanes());
        const QPoint lane(plot->plotArea().left() - 40,
                          plot->plotArea().top() + 26 * (5'016 - plot->firstLane()) + 13);
        QCOMPARE(plot->textAt(lane), QStringLiteral("role-5016"));
    }

    void keys() {
        Stage stage(test::everyVerdictScene());
        MainWindow& window = *stage.window;
        auto* filter = window.findChild<QLineEdit*>(QStringLiteral("filter"));
        stage.roles()->sortByColumn(RoleListModel::RoleColumn, Qt::AscendingOrder);
        window.roleList()->select(Role::of("billing").value());
        stage.roles()->setFocus();
        QTest::keyClick(&window, Qt::Key_J);
        QCOMPARE(stage.selectedName(), QStringLiteral("compactor"));
        QTest::keyClick(stage.roles(), Qt::Key_Down);
        QCOMPARE(stage.selectedName(), QStringLiteral("controller"));
        QTest::keyClick(&window, Qt::Key_K);
        QCOMPARE(stage.selectedName(), QStringLiteral("compactor"));

        QTest::keyClick(&window, Qt::Key_Slash);
        QVERIFY(filter->hasFocus());
        QTest::keyClicks(filter, QStringLiteral("ledger/jkt?"));
        QCOMPARE(filter->text(), QStringLiteral("ledger/jkt?")); // keys are text in here
        filter->setText(QStringLiteral("led"));
        QCOMPARE(window.roleList()->proxy()->rowCount(), 1);
        QCOMPARE(window.timeline()->plot()->laneCount(), 1);
        QCOMPARE(stage.selectedName(), QStringLiteral("compactor")); // hidden by the filter, still shown
        QTest::keyClick(filter, Qt::Key_Return);
        QVERIFY(stage.roles()->hasFocus());
        QTest::keyClick(&window, Qt::Key_Escape);
        QVERIFY(filter->text().isEmpty());
        QCOMPARE(window.roleList()->proxy()->rowCount(), 8);
        QCOMPARE(stage.roles()->currentIndex().siblingAtColumn(RoleListModel::RoleColumn).data().toString(),
                 QStringLiteral("compactor"));

        QTest::keyClick(stage.roles(), Qt::Key_Return);
        QVERIFY(window.findChild<SteadyTable*>(QStringLiteral("roster"))->hasFocus());
        QTest::keyClick(&window, Qt::Key_Escape);
        QVERIFY(stage.roles()->hasFocus());
        window.findChild<QTabWidget*>(QStringLiteral("tabs"))->setCurrentIndex(1);
        QTest::keyClick(&window, Qt::Key_T);
        QCOMPARE(window.findChild<QTabWidget*>(QStringLiteral("tabs"))->currentIndex(), 0);
        QVERIFY(window.timeline()->plot()->hasFocus());
        QTest::keyClick(&window, Qt::Key_F5);
        QCOMPARE(stage.source->refreshes(), 1);
        QTest::keyClick(&window, Qt::Key_Question);
        QVERIFY(window.findChild<QDialog*>(QStringLiteral("helpDialog")) != nullptr);
    }

    void copying() {
        Stage stage(test::absurdScene());
        stage.window->roleList()->select(Role::of("far-future").value());
        stage.roles()->setFocus();
        QTest::keyClick(stage.window.get(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY2(QApplication::clipboard()->text().contains(QLatin1String("9007199254740993:32766")),
                 qPrintable(QApplication::clipboard()->text()));
        QTest::keyClick(stage.window.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
        const QString json = QApplication::clipboard()->text();
        QVERIFY2(json.contains(QLatin1String("\"9007199254740993:32766\"")), qPrintable(json));
        QVERIFY(json.contains(QLatin1String("\"roles\"")));
        auto* roster = stage.window->findChild<SteadyTable*>(QStringLiteral("roster"));
        roster->setFocus();
        roster->selectRow(1);
        QTest::keyClick(stage.window.get(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains(QLatin1String("node-2\t1\t4790\t")));
    }

    // D10
    void enterInAFreshDialogDoesNothing() {
        Stage stage(test::calmScene());
        for (const char* opener : {"help", "about"}) {
            stage.window->findChild<QAbstractButton*>(QString::fromLatin1(opener))->click();
            auto* dialog = stage.window->findChild<QDialog*>();
            QVERIFY(dialog != nullptr);
            QVERIFY(QTest::qWaitForWindowExposed(dialog));
            QTest::keyClick(dialog, Qt::Key_Return);
            QTest::keyClick(dialog->focusWidget() != nullptr ? dialog->focusWidget() : dialog, Qt::Key_Enter);
            QVERIFY(dialog->isVisible());
            for (const QPushButton* button : dialog->findChildren<QPushButton*>()) {
                QVERIFY(!button->isDefault() && !button->autoDefault());
            }
            QSignalSpy gone(dialog, &QObject::destroyed);
            QTest::keyClick(dialog, Qt::Key_Escape);
            QTRY_COMPARE(gone.count(), 1);
        }
    }

    void aboutNamesTheVersionsInUse() {
        const QString all =
            versionLines({QStringLiteral("0.1.0"), QStringLiteral("2.14.2")}).join(QLatin1Char('\n'));
        QVERIFY(all.contains(QLatin1String("Bellwether 0.1.0")));
        QVERIFY(all.contains(QLatin1String("librdkafka 2.14.2")));
        QVERIFY(all.contains(QLatin1String("QCustomPlot 2.")));
        QVERIFY(all.contains(QLatin1String(qVersion())));
    }

    void everyControlHasAName() {
        for (const Snapshot& scene :
             {test::everyVerdictScene(), test::lostScene(), test::findingsScene(), test::emptyScene()}) {
            Stage stage(scene);
            stage.window->findChild<QAbstractButton*>(QStringLiteral("help"))->click();
            stage.window->findChild<QAbstractButton*>(QStringLiteral("about"))->click();
            int controls = 0;
            for (const QWidget* widget : stage.window->findChildren<QWidget*>()) {
                const bool control = qobject_cast<const QAbstractButton*>(widget) != nullptr ||
                                     qobject_cast<const QLineEdit*>(widget) != nullptr ||
                                     qobject_cast<const QAbstractItemView*>(widget) != nullptr ||
                                     qobject_cast<const QComboBox*>(widget) != nullptr ||
                                     qobject_cast<const TimelinePlot*>(widget) != nullptr ||
                                     qobject_cast<const QDialog*>(widget) != nullptr;
                if (!control || widget->objectName().startsWith(QLatin1String("qt_")) ||
                    widget->inherits("QTabBar") || widget->inherits("QHeaderView") ||
                    widget->inherits("QTableCornerButton") || widget->inherits("QLineEditIconButton") ||
                    widget->inherits("QComboBoxListView") || widget->parentWidget()->inherits("QTabBar")) {
                    continue;
                }
                ++controls;
                QVERIFY2(!widget->accessibleName().isEmpty(),
                         qPrintable(QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') +
                                    widget->objectName()));
            }
            QVERIFY(controls >= 14);
            for (const QLabel* label : stage.window->findChildren<QLabel*>()) {
                const bool said =
                    label->isVisible() && !label->text().isEmpty() && !label->accessibleName().isEmpty();
                if (said && label->textFormat() != Qt::RichText &&
                    label->objectName() != QLatin1String("mode")) {
                    QVERIFY2(label->text().contains(label->accessibleDescription(), Qt::CaseInsensitive) &&
                                 !label->accessibleDescription().isEmpty(),
                             qPrintable(label->objectName()));
                }
            }
            QVERIFY(!stage.window->timeline()->plot()->accessibleDescription().isEmpty());
        }
    }

    void themeAndZoneSwitch() {
        Stage stage(test::calmScene(), ZoneChoice::local);
        QVERIFY(stage.text("leaseLine").contains(QLatin1String("+01")));
        stage.window->findChild<QAbstractButton*>(QStringLiteral("zone"))->click();
        QVERIFY(stage.text("leaseLine").contains(QLatin1String(" Z")));
        const QColor before = QApplication::palette().color(QPalette::Window);
        stage.window->findChild<QAbstractButton*>(QStringLiteral("theme"))->click();
        QCOMPARE(stage.window->theme(), ThemeChoice::dark);
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < before.lightness());
        stage.window->setTheme(ThemeChoice::light);
    }

    void hostileNamesStayNames() {
        Stage stage(test::hostileScene());
        for (int row = 0; row < stage.window->roleModel()->rowCount(); ++row) {
            stage.window->roleList()->select(stage.window->roleModel()->view(row)->role);
            QCoreApplication::processEvents();
            for (const QLabel* label : stage.window->findChildren<QLabel*>()) {
                if (label->textFormat() == Qt::PlainText) {
                    QVERIFY(!label->text().contains(QChar(0x202E)));
                    QVERIFY(!label->text().contains(QLatin1Char('\n')) ||
                            label->objectName() == QLatin1String("emptyAdvice"));
                }
            }
        }
        QVERIFY(stage.window->width() < 2'000); // a name of 249 bytes does not widen the window
    }

    void aClickOnALaneSelectsTheRole() {
        Stage stage(test::calmScene());
        Q_EMIT stage.window->timeline()->roleClicked(Role::of("dispatcher").value());
        QCOMPARE(stage.selectedName(), QStringLiteral("dispatcher"));
        QCOMPARE(stage.text("roleName"), QStringLiteral("dispatcher"));
    }

    void aRoleThatIsGoneIsSaidToBeGone() {
        Stage stage(test::calmScene());
        stage.window->roleList()->select(Role::of("dispatcher").value());
        Snapshot scene = test::oneRoleScene();
        stage.publish(scene);
        QVERIFY(stage.text("detailEmpty").contains(QLatin1String("dispatcher is not in the topic any more")));
    }

    void closingLetsTheSourceGo() {
        auto source = std::make_shared<test::FakeSource>(test::calmScene());
        {
            WindowOptions options;
            options.clock = std::make_shared<test::HandClock>(test::kSceneNow, test::kSceneSteady);
            MainWindow window(source, options);
            QVERIFY(source->listened());
        }
        QVERIFY(!source->listened());
        source->publish(test::calmScene());
    }
};

QTEST_MAIN(WindowTest)
#include "window_test.moc"
