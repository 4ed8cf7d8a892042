// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/theme/theme.h"

class QLabel;
class QStackedLayout;

namespace bellwether::ui {

class FindingsModel;
class SteadyTable;
class TypedProxy;

/// Records that were not taken at face value.
class FindingsPane final : public QWidget {
    Q_OBJECT
public:
    explicit FindingsPane(FindingsModel* model, QWidget* parent = nullptr);
    void setTheme(ThemeChoice theme);

    [[nodiscard]] SteadyTable* table() const { return table_; }

private:
    void arrange();

    FindingsModel* model_;
    TypedProxy* proxy_;
    SteadyTable* table_;
    QLabel* note_;
    QLabel* empty_;
    QStackedLayout* stack_;
};

} // namespace bellwether::ui
