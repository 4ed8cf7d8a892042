// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include <QWidget>

#include "feed/snapshot.h"
#include "ui/presentation/headline.h"
#include "ui/theme/theme.h"

class QLabel;
class QStackedLayout;

namespace bellwether::ui {

class RoleListModel;
class SteadyTable;
class TypedProxy;

/// The list of roles under its headline, or what to do while there is none. The selected role is remembered
/// by name: when a filter hides it, it stays what the rest of the window shows.
class RoleListPane final : public QWidget {
    Q_OBJECT
public:
    explicit RoleListPane(RoleListModel* model, QWidget* parent = nullptr);

    /// After each update of the model.
    void refresh(const Snapshot& snapshot);
    void setFilter(const QString& text);
    void setTheme(ThemeChoice theme);
    void select(const Role& role);

    [[nodiscard]] const std::optional<Role>& selected() const { return selected_; }

    /// Rows of the model that pass the filter, in the model's order.
    [[nodiscard]] std::vector<int> passingRows() const;
    /// Gives the keyboard to the list.
    void focusList();

    [[nodiscard]] SteadyTable* table() const { return table_; }

    [[nodiscard]] TypedProxy* proxy() const { return proxy_; }

Q_SIGNALS:
    void selectionChanged();
    void opened(); ///< Enter or a double click on a role

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void currentMoved();
    void restoreSelection();
    void relabel(const Snapshot* snapshot);

    RoleListModel* model_;
    TypedProxy* proxy_;
    QLabel* headline_;
    SteadyTable* table_;
    QWidget* empty_;
    QLabel* emptyTitle_;
    QLabel* emptyAdvice_;
    QStackedLayout* stack_;
    std::optional<Role> selected_;
    EmptyState emptyNow_;
    bool restoring_ = false;
};

} // namespace bellwether::ui
