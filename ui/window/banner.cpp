// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/banner.h"

#include <QLabel>
#include <QVBoxLayout>

namespace bellwether::ui {

Banner::Banner(QWidget* parent)
    : QFrame(parent)
    , layout_(new QVBoxLayout(this)) {
    layout_->setContentsMargins(0, 0, 0, 0);
    layout_->setSpacing(1);
    setObjectName(QStringLiteral("banner"));
    setAccessibleName(tr("Troubles"));
    hide();
}

void Banner::setTroubles(const QList<Trouble>& troubles) {
    if (troubles_ == troubles) {
        return;
    }
    troubles_ = troubles;
    rebuild();
}

void Banner::setTheme(ThemeChoice theme) {
    theme_ = theme;
    rebuild();
}

void Banner::rebuild() {
    while (QLayoutItem* item = layout_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    QStringList spoken;
    for (const Trouble& trouble : troubles_) {
        const ToneColours& tone = toneOf(coloursOf(theme_), trouble.tone);
        const QString mark = trouble.tone == Tone::bad ? QStringLiteral("✖") : QStringLiteral("▲");
        QString html = QStringLiteral("%1&nbsp; <b>%2</b>").arg(mark, trouble.what.toHtmlEscaped());
        if (!trouble.where.isEmpty()) {
            html += QStringLiteral(" &nbsp;(%1)").arg(trouble.where.toHtmlEscaped());
        }
        if (!trouble.hint.isEmpty()) {
            html += QStringLiteral(" &nbsp;→ %1").arg(trouble.hint.toHtmlEscaped());
        }
        auto* label = new QLabel(html, this);
        label->setObjectName(QStringLiteral("trouble"));
        label->setAccessibleName(trouble.text());
        label->setTextFormat(Qt::RichText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
        label->setStyleSheet(
            QStringLiteral("color:%1; background:%2; border-left:4px solid %3; padding:5px 10px;")
                .arg(tone.text.name(), tone.fill.name(), tone.line.name()));
        layout_->addWidget(label);
        spoken << trouble.text();
    }
    setAccessibleDescription(spoken.join(QLatin1Char('\n')));
    setVisible(!troubles_.isEmpty());
}

} // namespace bellwether::ui
