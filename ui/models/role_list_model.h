// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/models/typed_table_model.h"
#include "ui/presentation/standing.h"

namespace bellwether::ui {

/// All roles, one row each, in natural order of their names; key: the role. GUI thread.
class RoleListModel final : public TypedTableModel {
    Q_OBJECT
public:
    enum Column { VerdictColumn, RoleColumn, HolderColumn, SinceColumn, AgeColumn, kColumnCount };

    explicit RoleListModel(QObject* parent = nullptr);

    /// Merges a snapshot in.
    void update(const Snapshot& snapshot, const Now& now);
    /// Time went on: ages grow, and what grew too old turns stale without any snapshot.
    void tick(const Now& now);
    void setClockText(const ClockText& clock);

    /// Null when there is no such role.
    [[nodiscard]] std::shared_ptr<const RoleView> view(int row) const;

    [[nodiscard]] const Standing& standing(int row) const {
        return rows_.at(static_cast<std::size_t>(row)).standing;
    }

    /// -1 when there is no such role.
    [[nodiscard]] int rowOf(const Role& role) const;

    /// How many roles need a person.
    [[nodiscard]] int needing() const noexcept { return needing_; }

    [[nodiscard]] int columnCount(const QModelIndex& parent = QModelIndex()) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] int compareRows(int column, int a, int b) const override;
    [[nodiscard]] bool rowMatches(int row, const QStringList& foldedWords) const override;

protected:
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }

private:
    struct Row {
        std::shared_ptr<const RoleView> view;
        Standing standing;
        QString role;
        QString holder;   ///< who holds it, or "(node-1)": who was last known to
        QString haystack; ///< folded text the filter looks in
    };

    [[nodiscard]] Row makeRow(std::shared_ptr<const RoleView> view) const;
    void describe(Row& row) const;
    void count();
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QString tip(const Row& row) const;

    std::vector<Row> rows_;
    ClockText clock_;
    Now now_;
    Millis stalenessBound_{10'000};
    bool lost_ = false;
    int needing_ = 0;
};

} // namespace bellwether::ui
