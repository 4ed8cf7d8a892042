// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/role_list_model.h"

#include <algorithm>
#include <array>

#include "coordination/display_text.h"
#include "ui/format/display.h"

namespace bellwether::ui {

namespace {

const QList<int>& everything() {
    static const QList<int> roles{Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole, ToneRole};
    return roles;
}

bool sameOrder(const RoleView& a, const RoleView& b) {
    return a.verdict.kind == b.verdict.kind && a.verdict.holder == b.verdict.holder &&
           a.verdictSince == b.verdictSince;
}

QString sinceText(WallTime since, WallTime now) {
    const Millis past = saturatingSubtract(now, since);
    return past < Millis{1'000} ? QObject::tr("just now") : words(past);
}

template<typename T>
int order(const T& a, const T& b) {
    return a < b ? -1 : (b < a ? 1 : 0);
}

} // namespace

RoleListModel::RoleListModel(QObject* parent)
    : TypedTableModel(parent) {}

RoleListModel::Row RoleListModel::makeRow(std::shared_ptr<const RoleView> view) const {
    Row row;
    row.view = std::move(view);
    row.role = shown(row.view->role);
    row.standing = standingOf(*row.view, stalenessBound_, lost_, now_);
    describe(row);
    return row;
}

void RoleListModel::describe(Row& row) const {
    const Verdict& verdict = row.view->verdict;
    row.holder = shown(verdict.holder);
    if (row.standing.stale || (row.holder.isEmpty() && row.standing.kind == VerdictKind::unknown)) {
        const auto& last = verdict.holder ? verdict.holder : verdict.lastHolder;
        row.holder = last ? QStringLiteral("(%1)").arg(shown(*last)) : QString();
    }
    row.haystack =
        (row.role + QLatin1Char('\n') + row.holder + QLatin1Char('\n') + lookOf(row.standing.kind).word)
            .toCaseFolded();
}

void RoleListModel::update(const Snapshot& snapshot, const Now& now) {
    now_ = now;
    stalenessBound_ = snapshot.stalenessBound;
    lost_ = snapshot.connection.phase == ConnectionPhase::lost;

    mergeRows(
        rows_, snapshot.roles,
        [](const Row& row, const std::shared_ptr<const RoleView>& item) {
            return row.view == item ? 0 : compareNatural(row.view->role.str(), item->role.str());
        },
        [this](const std::shared_ptr<const RoleView>& item) { return makeRow(item); });

    std::vector<int> changed;
    std::vector<int> moved;
    for (std::size_t i = 0; i < rows_.size() && i < snapshot.roles.size(); ++i) {
        Row& row = rows_[i];
        const auto& view = snapshot.roles[i];
        const Standing standing = standingOf(*view, stalenessBound_, lost_, now_);
        const bool reordered = !sameOrder(*row.view, *view) || standing.kind != row.standing.kind;
        const bool differs =
            reordered || standing.stale != row.standing.stale || view->verdict != row.view->verdict;
        row.view = view;
        row.standing = standing;
        if (differs) {
            describe(row);
            (reordered ? moved : changed).push_back(static_cast<int>(i));
        }
    }
    announce(moved, 0, kColumnCount - 1, everything() + QList<int>{OrderRole});
    announce(changed, 0, kColumnCount - 1, everything());
    count();
    if (!rows_.empty()) {
        Q_EMIT dataChanged(index(0, SinceColumn), index(rowCount() - 1, AgeColumn), {Qt::DisplayRole});
    }
}

void RoleListModel::tick(const Now& now) {
    now_ = now;
    if (rows_.empty()) {
        return;
    }
    std::vector<int> changed;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        Row& row = rows_[i];
        const Standing standing = standingOf(*row.view, stalenessBound_, lost_, now_);
        const bool flipped = standing.stale != row.standing.stale;
        row.standing = standing;
        if (flipped) {
            describe(row);
            changed.push_back(static_cast<int>(i));
        }
    }
    announce(changed, 0, kColumnCount - 1, everything() + QList<int>{OrderRole});
    count();
    Q_EMIT dataChanged(index(0, SinceColumn), index(rowCount() - 1, AgeColumn), {Qt::DisplayRole});
}

void RoleListModel::setClockText(const ClockText& clock) {
    clock_ = clock;
    if (!rows_.empty()) {
        Q_EMIT dataChanged(index(0, SinceColumn), index(rowCount() - 1, AgeColumn),
                           {Qt::DisplayRole, Qt::ToolTipRole});
    }
}

void RoleListModel::count() {
    needing_ = static_cast<int>(std::count_if(
        rows_.begin(), rows_.end(), [](const Row& row) { return lookOf(row.standing.kind).needsAttention; }));
}

std::shared_ptr<const RoleView> RoleListModel::view(int row) const {
    return row >= 0 && row < rowCount() ? rows_[static_cast<std::size_t>(row)].view : nullptr;
}

int RoleListModel::rowOf(const Role& role) const {
    const auto found =
        std::lower_bound(rows_.begin(), rows_.end(), role, [](const Row& row, const Role& wanted) {
            return compareNatural(row.view->role.str(), wanted.str()) < 0;
        });
    return found != rows_.end() && found->view->role == role ? static_cast<int>(found - rows_.begin()) : -1;
}

int RoleListModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(kColumnCount);
}

QString RoleListModel::text(const Row& row, int column) const {
    switch (column) {
    case VerdictColumn: {
        const VerdictLook& look = lookOf(row.standing.kind);
        return look.mark + QStringLiteral("  ") + look.word;
    }
    case RoleColumn: return row.role;
    case HolderColumn: return row.holder;
    case SinceColumn:
        return row.view->verdictSince ? sinceText(*row.view->verdictSince, now_.wall) : QString();
    case AgeColumn: return row.standing.everRead ? words(row.standing.age) : tr("not read");
    default: return {};
    }
}

QString RoleListModel::tip(const Row& row) const {
    QStringList lines{row.role, whyText(*row.view, row.standing)};
    if (row.view->verdictSince) {
        lines << tr("since %1").arg(clock_.full(*row.view->verdictSince));
    }
    lines << tr("token %1").arg(tokenText(row.view->verdict.token));
    return QStringLiteral("<qt>%1</qt>")
        .arg(
            lines.join(QLatin1Char('\n')).toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")));
}

QVariant RoleListModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) {
        return {};
    }
    const Row& row = rows_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole: return text(row, index.column());
    case Qt::ToolTipRole: return tip(row);
    case Qt::AccessibleTextRole:
        return index.column() == VerdictColumn ? lookOf(row.standing.kind).word : text(row, index.column());
    case ToneRole:
        if (row.standing.stale) {
            return static_cast<int>(Tone::stale);
        }
        return index.column() == VerdictColumn ? QVariant(static_cast<int>(lookOf(row.standing.kind).tone))
                                               : QVariant();
    default: return {};
    }
}

QVariant RoleListModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) {
        return {};
    }
    if (role == Qt::DisplayRole) {
        static const std::array<const char*, kColumnCount> names{QT_TR_NOOP("verdict"), QT_TR_NOOP("role"),
                                                                 QT_TR_NOOP("holder"), QT_TR_NOOP("since"),
                                                                 QT_TR_NOOP("age")};
        return section >= 0 && section < kColumnCount ? tr(names.at(static_cast<std::size_t>(section)))
                                                      : QVariant();
    }
    if (role == Qt::ToolTipRole) {
        switch (section) {
        case HolderColumn: return tr("who may write now; in brackets: who was last known to");
        case SinceColumn:
            return tr("how long verdict and holder have been the same; hover a row for the instant");
        case AgeColumn: return tr("how old the older of the two sources is");
        default: return {};
        }
    }
    return {};
}

int RoleListModel::compareRows(int column, int a, int b) const {
    const Row& left = rows_.at(static_cast<std::size_t>(a));
    const Row& right = rows_.at(static_cast<std::size_t>(b));
    switch (column) {
    case VerdictColumn: return order(lookOf(left.standing.kind).urgency, lookOf(right.standing.kind).urgency);
    case RoleColumn: return order(a, b);
    case HolderColumn: {
        const auto& one = left.view->verdict.holder;
        const auto& other = right.view->verdict.holder;
        if (!one || !other) {
            return order(!one, !other);
        }
        return compareNatural(one->str(), other->str());
    }
    case SinceColumn: return order(left.view->verdictSince, right.view->verdictSince);
    case AgeColumn: return order(left.standing.age, right.standing.age);
    default: return 0;
    }
}

bool RoleListModel::rowMatches(int row, const QStringList& foldedWords) const {
    const QString& haystack = rows_.at(static_cast<std::size_t>(row)).haystack;
    return std::all_of(foldedWords.begin(), foldedWords.end(),
                       [&haystack](const QString& word) { return haystack.contains(word); });
}

} // namespace bellwether::ui
