// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/models/typed_table_model.h"
#include "ui/presentation/standing.h"

namespace bellwether::ui {

/// The members of one role in offset order; key: offset and member, so that a member that registers again
/// leaves its old place and comes in at the tail. GUI thread.
class RosterModel final : public TypedTableModel {
    Q_OBJECT
public:
    enum Column {
        PlaceColumn,
        MemberColumn,
        RankColumn,
        OffsetColumn,
        RegisteredColumn,
        ChallengesColumn,
        SkewColumn,
        NowColumn,
        kColumnCount
    };

    explicit RosterModel(QObject* parent = nullptr);

    /// Shows this role's members.
    void update(const RoleView& view, const Standing& standing, const Now& now);
    /// Shows nobody.
    void clear();
    void tick(const Standing& standing, const Now& now);
    void setClockText(const ClockText& clock);

    [[nodiscard]] int columnCount(const QModelIndex& parent = QModelIndex()) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] int compareRows(int column, int a, int b) const override;

protected:
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }

private:
    struct Row {
        RosterView view;
        std::size_t place; ///< from 1
    };

    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString tip(int row, int column) const;

    std::optional<Role> role_;
    std::vector<Row> rows_;
    ClockText clock_;
    Now now_;
    bool stale_ = false;
};

/// "≤ +40 ms vs console", "-3..+12 ms vs broker", an em dash for nothing.
[[nodiscard]] QString skewText(const std::optional<SkewBound>& skew);

} // namespace bellwether::ui
