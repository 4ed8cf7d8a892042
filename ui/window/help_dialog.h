// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace bellwether::ui {

/// Keys, and what each verdict's mark and word mean. Enter does nothing in it, Esc closes it.
class HelpDialog final : public QDialog {
    Q_OBJECT
public:
    explicit HelpDialog(QWidget* parent = nullptr);
};

} // namespace bellwether::ui
