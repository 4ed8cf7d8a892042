// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/top_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include "ui/window/elided_label.h"

namespace bellwether::ui {

namespace {

QToolButton* button(QWidget* parent, const char* name, const QString& text, const QString& accessible,
                    const QString& tip) {
    auto* made = new QToolButton(parent);
    made->setObjectName(QString::fromLatin1(name));
    made->setText(text);
    made->setAccessibleName(accessible);
    made->setToolTip(tip);
    made->setFocusPolicy(Qt::TabFocus);
    return made;
}

} // namespace

TopBar::TopBar(QWidget* parent)
    : QFrame(parent)
    , endpoint_(new ElidedLabel(this))
    , topic_(new ElidedLabel(this))
    , mode_(new QLabel(tr("read-only"), this))
    , filter_(new QLineEdit(this))
    , refresh_(
          button(this, "refresh", tr("Refresh"), tr("Ask every source now"), tr("ask every source now (F5)")))
    , zone_(button(this, "zone", {}, tr("Switch between local time and UTC"),
                   tr("switch between local time and UTC")))
    , themeButton_(
          button(this, "theme", {}, tr("Switch between light and dark"), tr("switch between light and dark")))
    , help_(button(this, "help", tr("? Help"), tr("Help"), tr("keys and marks (?)")))
    , about_(button(this, "about", tr("About"), tr("About Bellwether"), tr("versions and licence"))) {
    endpoint_->setObjectName(QStringLiteral("endpoint"));
    endpoint_->setAccessibleName(tr("Cluster"));
    QFont strong = font();
    strong.setBold(true);
    endpoint_->setFont(strong);
    topic_->setObjectName(QStringLiteral("topic"));
    topic_->setAccessibleName(tr("Topic"));
    mode_->setObjectName(QStringLiteral("mode"));
    mode_->setAccessibleName(tr("Mode"));
    mode_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    mode_->setToolTip(tr("this console only reads"));
    filter_->setObjectName(QStringLiteral("filter"));
    filter_->setAccessibleName(tr("Filter roles"));
    filter_->setPlaceholderText(tr("filter: role, holder or verdict   ( / )"));
    filter_->setClearButtonEnabled(true);
    filter_->setMinimumWidth(200);
    filter_->setMaximumWidth(420);
    filter_->installEventFilter(this);

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 6, 10, 6);
    layout->setSpacing(8);
    layout->addWidget(endpoint_, 3);
    layout->addWidget(topic_, 2);
    layout->addWidget(mode_);
    layout->addStretch(0);
    layout->addWidget(filter_, 1);
    for (QToolButton* one : {refresh_, zone_, themeButton_, help_, about_}) {
        layout->addWidget(one);
    }
    connect(filter_, &QLineEdit::textChanged, this, &TopBar::filterChanged);
    connect(filter_, &QLineEdit::returnPressed, this, &TopBar::filterLeft);
    connect(refresh_, &QToolButton::clicked, this, &TopBar::refreshWanted);
    connect(zone_, &QToolButton::clicked, this, &TopBar::zoneSwitched);
    connect(themeButton_, &QToolButton::clicked, this, &TopBar::themeSwitched);
    connect(help_, &QToolButton::clicked, this, &TopBar::helpWanted);
    connect(about_, &QToolButton::clicked, this, &TopBar::aboutWanted);
    setTheme(ThemeChoice::light);
}

void TopBar::setEndpoint(const QString& endpoint, const QString& topic) {
    endpoint_->setFullText(endpoint);
    topic_->setFullText(topic);
}

void TopBar::setTheme(ThemeChoice theme) {
    const Colours& colours = coloursOf(theme);
    themeButton_->setText(theme == ThemeChoice::light ? tr("Dark") : tr("Light"));
    mode_->setStyleSheet(QStringLiteral("color:%1; background:%2; border-radius:4px; padding:2px 8px;")
                             .arg(colours.information.text.name(), colours.information.fill.name()));
    setStyleSheet(
        QStringLiteral("bellwether--ui--TopBar { border-bottom: 1px solid %1; }").arg(colours.border.name()));
}

void TopBar::setZone(ZoneChoice choice, const QString& name) {
    zone_->setText(choice == ZoneChoice::utc ? tr("Times: UTC") : tr("Times: local"));
    zone_->setToolTip(tr("times are shown in %1; click to switch").arg(name));
}

void TopBar::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

bool TopBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == filter_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Down) {
        Q_EMIT filterLeft();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace bellwether::ui
