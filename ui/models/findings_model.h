// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <deque>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/models/typed_table_model.h"
#include "ui/presentation/standing.h"

namespace bellwether::ui {

/// Records that were not taken at face value, newest last; key: the running number of the finding. The feed
/// keeps a bounded number of them, so the oldest rows leave at the top. GUI thread.
class FindingsModel final : public TypedTableModel {
    Q_OBJECT
public:
    enum Column { PartitionColumn, OffsetColumn, TimeColumn, PartColumn, WhatColumn, kColumnCount };

    explicit FindingsModel(QObject* parent = nullptr);

    void update(const Snapshot& snapshot, const Now& now);
    void setClockText(const ClockText& clock);

    /// Of all that were ever found, also those that have left.
    [[nodiscard]] std::uint64_t total() const noexcept { return firstNumber_ + rows_.size(); }

    [[nodiscard]] const Finding& finding(int row) const { return rows_.at(static_cast<std::size_t>(row)); }

    [[nodiscard]] int columnCount(const QModelIndex& parent = QModelIndex()) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] int compareRows(int column, int a, int b) const override;

protected:
    [[nodiscard]] std::size_t size() const override { return rows_.size(); }

private:
    [[nodiscard]] QString text(int row, int column) const;

    std::deque<Finding> rows_;
    std::uint64_t firstNumber_ = 0; ///< running number of the first row
    ClockText clock_;
    Now now_;
};

} // namespace bellwether::ui
