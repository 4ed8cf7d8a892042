// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace bellwether::ui {

/// Sets what a named label says. A screen reader takes a label's name for its text, so the text goes into the
/// description too.
inline void setValue(QLabel* label, const QString& text) {
    label->setText(text);
    label->setAccessibleDescription(text);
}

} // namespace bellwether::ui
