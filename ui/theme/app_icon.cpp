// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/app_icon.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace bellwether::ui {

QIcon appIcon() {
    QIcon icon;
    for (const int size : {16, 32, 64, 128}) {
        QPixmap pixmap(size, size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(size / 64.0, size / 64.0);
        painter.setPen(Qt::NoPen);
        painter.setBrush(QColor(7, 87, 166));
        painter.drawRoundedRect(QRectF(2, 2, 60, 60), 14, 14);
        QPainterPath bell(QPointF(32, 11));
        bell.cubicTo(22, 13, 20, 24, 19, 34);
        bell.cubicTo(18.5, 40, 16, 43, 13, 46);
        bell.lineTo(51, 46);
        bell.cubicTo(48, 43, 45.5, 40, 45, 34);
        bell.cubicTo(44, 24, 42, 13, 32, 11);
        painter.setBrush(Qt::white);
        painter.drawPath(bell);
        painter.setBrush(QColor(245, 192, 90));
        painter.drawEllipse(QPointF(32, 50), 5, 5);
        painter.end();
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace bellwether::ui
