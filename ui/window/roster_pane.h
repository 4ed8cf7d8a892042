// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QLabel;
class QStackedLayout;

namespace bellwether::ui {

class RosterModel;
class SteadyTable;
class TypedProxy;

/// The members of the selected role in offset order.
class RosterPane final : public QWidget {
    Q_OBJECT
public:
    explicit RosterPane(RosterModel* model, QWidget* parent = nullptr);
    void setTheme(ThemeChoice theme);
    /// Shown instead of the table while the roster is empty.
    void setEmptyText(const QString& text);

    [[nodiscard]] SteadyTable* table() const { return table_; }

private:
    void arrange();

    TypedProxy* proxy_;
    SteadyTable* table_;
    QLabel* empty_;
    QStackedLayout* stack_;
};

} // namespace bellwether::ui
