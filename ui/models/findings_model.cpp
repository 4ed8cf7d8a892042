// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/findings_model.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "ui/format/display.h"

namespace bellwether::ui {

namespace {

template<typename T>
int order(const T& a, const T& b) {
    return a < b ? -1 : (b < a ? 1 : 0);
}

} // namespace

FindingsModel::FindingsModel(QObject* parent)
    : TypedTableModel(parent) {}

void FindingsModel::update(const Snapshot& snapshot, const Now& now) {
    now_ = now;
    const std::uint64_t incoming = snapshot.findings.size();
    const std::uint64_t totalThen = std::max(snapshot.findingsTotal, incoming);
    const std::uint64_t first = totalThen - incoming;
    // A feed that began anew counts from the start: nothing of what is shown is in it.
    const bool restarted = totalThen < total();
    const std::uint64_t leaving =
        restarted ? rows_.size()
                  : std::min<std::uint64_t>(rows_.size(), first > firstNumber_ ? first - firstNumber_ : 0);
    if (leaving > 0) {
        beginRemoveRows(QModelIndex(), 0, static_cast<int>(leaving) - 1);
        rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(leaving));
        firstNumber_ += leaving;
        endRemoveRows();
    }
    if (rows_.empty()) {
        firstNumber_ = first;
    }
    const std::uint64_t known = total() - first;
    if (known < incoming) {
        const int at = rowCount();
        beginInsertRows(QModelIndex(), at, at + static_cast<int>(incoming - known) - 1);
        rows_.insert(rows_.end(), snapshot.findings.begin() + static_cast<std::ptrdiff_t>(known),
                     snapshot.findings.end());
        endInsertRows();
    }
}

void FindingsModel::setClockText(const ClockText& clock) {
    clock_ = clock;
    if (!rows_.empty()) {
        Q_EMIT dataChanged(index(0, TimeColumn), index(rowCount() - 1, TimeColumn), {Qt::DisplayRole});
    }
}

int FindingsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumnCount);
}

QString FindingsModel::text(int row, int column) const {
    const Finding& finding = rows_[static_cast<std::size_t>(row)];
    switch (column) {
    case PartitionColumn: return QString::number(finding.position.partition);
    case OffsetColumn: return exactText(finding.position.offset);
    case TimeColumn:
        return finding.position.timestamp == WallTime{} ? QStringLiteral("—")
                                                        : clock_.brief(finding.position.timestamp, now_.wall);
    case PartColumn: return sentence(finding.part);
    case WhatColumn: return sentence(finding.what);
    default: return {};
    }
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return text(index.row(), index.column());
    case Qt::ToolTipRole:
        return QStringLiteral("<qt>%1</qt>").arg(text(index.row(), index.column()).toHtmlEscaped());
    case Qt::TextAlignmentRole:
        if (index.column() <= OffsetColumn) {
            return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        }
        return {};
    default: return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) {
        return {};
    }
    static const std::array<const char*, kColumnCount> names{QT_TR_NOOP("partition"), QT_TR_NOOP("offset"),
                                                             QT_TR_NOOP("record time"), QT_TR_NOOP("part"),
                                                             QT_TR_NOOP("what is wrong with it")};
    if (role == Qt::DisplayRole) {
        return tr(names.at(static_cast<std::size_t>(section)));
    }
    if (role == Qt::TextAlignmentRole && section <= OffsetColumn) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    return {};
}

int FindingsModel::compareRows(int column, int a, int b) const {
    const Finding& left = rows_.at(static_cast<std::size_t>(a));
    const Finding& right = rows_.at(static_cast<std::size_t>(b));
    switch (column) {
    case PartitionColumn:
        return order(std::tie(left.position.partition, left.position.offset),
                     std::tie(right.position.partition, right.position.offset));
    case OffsetColumn: return order(left.position.offset, right.position.offset);
    case TimeColumn: return order(left.position.timestamp, right.position.timestamp);
    case PartColumn: return order(left.part, right.part);
    case WhatColumn: return order(left.what, right.what);
    default: return 0;
    }
}

} // namespace bellwether::ui
