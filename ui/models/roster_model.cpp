// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/roster_model.h"

#include <array>
#include <tuple>

#include "coordination/display_text.h"
#include "ui/format/display.h"

namespace bellwether::ui {

namespace {

template<typename T>
int order(const T& a, const T& b) {
    return a < b ? -1 : (b < a ? 1 : 0);
}

int compareKeys(const RosterView& a, const RosterView& b) {
    return order(std::tie(a.entry.position.offset, a.entry.member),
                 std::tie(b.entry.position.offset, b.entry.member));
}

QString signedMillis(Millis value) {
    const QString digits = QString::number(value.count());
    return value > Millis{0} ? QLatin1Char('+') + digits : digits;
}

} // namespace

QString skewText(const std::optional<SkewBound>& skew) {
    if (!skew) {
        return QStringLiteral("—");
    }
    const QString reference = fromCore(toString(skew->reference));
    if (skew->lowerBound) {
        return QObject::tr("%1..%2 ms vs %3")
            .arg(signedMillis(*skew->lowerBound), signedMillis(skew->upperBound), reference);
    }
    return QObject::tr("≤ %1 ms vs %2").arg(signedMillis(skew->upperBound), reference);
}

RosterModel::RosterModel(QObject* parent)
    : TypedTableModel(parent) {}

void RosterModel::update(const RoleView& view, const Standing& standing, const Now& now) {
    const bool staleChanged = stale_ != standing.stale;
    now_ = now;
    stale_ = standing.stale;
    if (role_ != view.role) {
        clear();
        role_ = view.role;
    }
    mergeRows(
        rows_, view.roster,
        [](const Row& row, const RosterView& item) { return compareKeys(row.view, item); },
        [](const RosterView& item) {
            return Row{item, 0};
        });
    std::vector<int> changed;
    for (std::size_t i = 0; i < rows_.size() && i < view.roster.size(); ++i) {
        if (staleChanged || rows_[i].view != view.roster[i] || rows_[i].place != i + 1) {
            rows_[i] = {view.roster[i], i + 1};
            changed.push_back(static_cast<int>(i));
        }
    }
    announce(changed, 0, kColumnCount - 1,
             {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole, ToneRole, OrderRole});
}

void RosterModel::clear() {
    role_.reset();
    if (!rows_.empty()) {
        removeRun(rows_, 0, rows_.size());
    }
}

void RosterModel::tick(const Standing& standing, const Now& now) {
    now_ = now;
    const bool staleChanged = stale_ != standing.stale;
    stale_ = standing.stale;
    if (rows_.empty()) {
        return;
    }
    if (staleChanged) {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1), {Qt::DisplayRole, ToneRole});
    } else {
        Q_EMIT dataChanged(index(0, NowColumn), index(rowCount() - 1, NowColumn), {Qt::DisplayRole});
    }
}

void RosterModel::setClockText(const ClockText& clock) {
    clock_ = clock;
    if (!rows_.empty()) {
        Q_EMIT dataChanged(index(0, RegisteredColumn), index(rowCount() - 1, ChallengesColumn),
                           {Qt::DisplayRole, Qt::ToolTipRole});
    }
}

int RosterModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumnCount);
}

QString RosterModel::text(int row, int column) const {
    const RosterView& member = rows_[static_cast<std::size_t>(row)].view;
    switch (column) {
    case PlaceColumn: return QString::number(rows_[static_cast<std::size_t>(row)].place);
    case MemberColumn: return shown(member.entry.member);
    case RankColumn:
        if (member.holdsLease) {
            return tr("hold");
        }
        return member.rank ? exactText(*member.rank) : QStringLiteral("—");
    case OffsetColumn: return exactText(member.entry.position.offset);
    case RegisteredColumn: return clock_.brief(member.entry.registeredAt, now_.wall);
    case ChallengesColumn:
        return member.challengesAt ? clock_.brief(*member.challengesAt, now_.wall) : QStringLiteral("—");
    case SkewColumn: return skewText(member.skew);
    case NowColumn: {
        if (stale_) {
            return QStringLiteral("?");
        }
        const QString action = fromCore(toString(member.now));
        if (member.now == SuccessionAction::wait && member.challengesAt) {
            const Millis left = saturatingSubtract(*member.challengesAt, now_.wall);
            constexpr Millis kFar{std::int64_t{7} * 86'400'000};
            return left > Millis{0} && left <= kFar ? tr("%1 %2").arg(action, words(left)) : action;
        }
        return action;
    }
    default: return {};
    }
}

QString RosterModel::tip(int row, int column) const {
    const RosterView& member = rows_[static_cast<std::size_t>(row)].view;
    switch (column) {
    case MemberColumn: return QStringLiteral("<qt>%1</qt>").arg(shown(member.entry.member).toHtmlEscaped());
    case OffsetColumn:
        return tr("partition %1, offset %2")
            .arg(member.entry.position.partition)
            .arg(member.entry.position.offset);
    case RegisteredColumn: return tr("%1 on the member's clock").arg(clock_.full(member.entry.registeredAt));
    case ChallengesColumn:
        return member.challengesAt ? tr("%1 on the clock of the lease's holder; the stagger is assumed")
                                         .arg(clock_.full(*member.challengesAt))
                                   : tr("the lease's holder does not challenge");
    case SkewColumn:
        return member.skew ? tr("%1 clock minus the member's clock, from %n record(s) seen live", nullptr,
                                static_cast<int>(member.skew->samples))
                                 .arg(member.skew->reference == SkewReference::console ? tr("this console's")
                                                                                       : tr("the broker's"))
                           : tr("no record of this member was seen live yet");
    default: return {};
    }
}

QVariant RosterModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole: return text(index.row(), index.column());
    case Qt::ToolTipRole: return tip(index.row(), index.column());
    case Qt::TextAlignmentRole:
        if (index.column() == OffsetColumn || index.column() == PlaceColumn) {
            return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
        }
        return {};
    case ToneRole: {
        if (stale_) {
            return static_cast<int>(Tone::stale);
        }
        const RosterView& member = rows_[static_cast<std::size_t>(index.row())].view;
        if (index.column() == NowColumn && member.now == SuccessionAction::challenge) {
            return static_cast<int>(Tone::changing);
        }
        return {};
    }
    default: return {};
    }
}

QVariant RosterModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= kColumnCount) {
        return {};
    }
    static const std::array<const char*, kColumnCount> names{QT_TR_NOOP("#"),
                                                             QT_TR_NOOP("member"),
                                                             QT_TR_NOOP("rank"),
                                                             QT_TR_NOOP("offset"),
                                                             QT_TR_NOOP("registered"),
                                                             QT_TR_NOOP("challenges at"),
                                                             QT_TR_NOOP("skew (bound)"),
                                                             QT_TR_NOOP("now")};
    static const std::array<const char*, kColumnCount> tips{
        QT_TR_NOOP("place in the roster"),
        QT_TR_NOOP("name of the member"),
        QT_TR_NOOP("how many stagger steps after the deadline it challenges; hold: the lease names it"),
        QT_TR_NOOP("offset of its registration; the roster is in this order"),
        QT_TR_NOOP("on the member's clock"),
        QT_TR_NOOP("deadline plus rank times the assumed stagger, on the holder's clock"),
        QT_TR_NOOP("which clock minus the member's clock: a bound, never a bare number"),
        QT_TR_NOOP("what it would do by this console's clock")};
    if (role == Qt::DisplayRole) {
        return tr(names.at(static_cast<std::size_t>(section)));
    }
    if (role == Qt::ToolTipRole) {
        return tr(tips.at(static_cast<std::size_t>(section)));
    }
    if (role == Qt::TextAlignmentRole && (section == OffsetColumn || section == PlaceColumn)) {
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    }
    return {};
}

int RosterModel::compareRows(int column, int a, int b) const {
    const RosterView& left = rows_.at(static_cast<std::size_t>(a)).view;
    const RosterView& right = rows_.at(static_cast<std::size_t>(b)).view;
    switch (column) {
    case MemberColumn: return compareNatural(left.entry.member.str(), right.entry.member.str());
    case RankColumn:
        return left.holdsLease != right.holdsLease ? order(!left.holdsLease, !right.holdsLease)
                                                   : order(left.rank, right.rank);
    case RegisteredColumn: return order(left.entry.registeredAt, right.entry.registeredAt);
    case ChallengesColumn: return order(left.challengesAt, right.challengesAt);
    case SkewColumn: {
        const auto bound = [](const RosterView& m) { return m.skew ? m.skew->upperBound : Millis::max(); };
        return order(bound(left), bound(right));
    }
    case NowColumn: return order(left.now, right.now);
    default: return compareKeys(left, right);
    }
}

} // namespace bellwether::ui
