// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/elided_label.h"

#include <algorithm>

#include <QPainter>

namespace bellwether::ui {

ElidedLabel::ElidedLabel(QWidget* parent)
    : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString& text) {
    if (text == this->text()) {
        return;
    }
    setText(text);
    setAccessibleDescription(text);
    setToolTip(QStringLiteral("<qt>%1</qt>").arg(text.toHtmlEscaped()));
    updateGeometry();
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(text()) + 2, fontMetrics().height()};
}

QSize ElidedLabel::minimumSizeHint() const {
    const int least = fontMetrics().averageCharWidth() * 12;
    return {std::min(least, sizeHint().width()), fontMetrics().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    painter.drawText(rect(), static_cast<int>(Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine),
                     fontMetrics().elidedText(text(), Qt::ElideMiddle, width()));
}

} // namespace bellwether::ui
