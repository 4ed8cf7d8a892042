// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/countdown_bar.h"

#include <QPainter>

namespace bellwether::ui {

CountdownBar::CountdownBar(QWidget* parent)
    : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void CountdownBar::setCountdown(const Countdown& countdown) {
    if (countdown_ == countdown) {
        return;
    }
    countdown_ = countdown;
    setAccessibleDescription(countdown.text);
    update();
}

void CountdownBar::setTheme(ThemeChoice theme) {
    theme_ = theme;
    update();
}

void CountdownBar::paintEvent(QPaintEvent*) {
    const Colours& colours = coloursOf(theme_);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(rect()).adjusted(0.5, 1.5, -0.5, -1.5);
    painter.setPen(QPen(colours.border));
    painter.setBrush(colours.base);
    painter.drawRoundedRect(frame, 3, 3);
    QColor fill = colours.ok.line;
    switch (countdown_.state) {
    case Countdown::State::running: break;
    case Countdown::State::expired:
    case Countdown::State::unreliable:
    case Countdown::State::farFuture: fill = colours.changing.line; break;
    case Countdown::State::stopped: fill = colours.stale.line; break;
    }
    QRectF part = frame.adjusted(1.5, 1.5, -1.5, -1.5);
    part.setWidth(part.width() * countdown_.fraction);
    painter.setPen(Qt::NoPen);
    painter.setBrush(countdown_.state == Countdown::State::stopped ? QBrush(fill, Qt::BDiagPattern)
                                                                   : QBrush(fill));
    painter.drawRoundedRect(part, 2, 2);
}

} // namespace bellwether::ui
