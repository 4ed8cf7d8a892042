// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/typed_proxy.h"

#include <algorithm>

namespace bellwether::ui {

TypedProxy::TypedProxy(TypedTableModel* source, QObject* parent)
    : QSortFilterProxyModel(parent)
    , typed_(source) {
    setDynamicSortFilter(false);
    setSourceModel(source);
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &TypedProxy::applyNow);
    connect(source, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex&, const QModelIndex&, const QList<int>& roles) {
                if (roles.contains(OrderRole)) {
                    applySoon();
                }
            });
    connect(source, &QAbstractItemModel::rowsInserted, this, &TypedProxy::applySoon);
}

void TypedProxy::applySoon() {
    if (timer_.isActive()) {
        return;
    }
    const qint64 elapsed = sinceApplied_.isValid() ? sinceApplied_.elapsed() : kResortMillis;
    timer_.start(static_cast<int>(std::clamp<qint64>(kResortMillis - elapsed, 0, kResortMillis)));
}

void TypedProxy::applyNow() {
    timer_.stop();
    sinceApplied_.start();
    if (!words_.isEmpty()) {
        invalidateFilter();
    }
    sort(sortColumn(), sortOrder());
}

void TypedProxy::setFilterText(const QString& text) {
    filterText_ = text;
    words_ = text.toCaseFolded().split(QLatin1Char(' '), Qt::SkipEmptyParts);
    invalidateFilter();
    sort(sortColumn(), sortOrder());
}

bool TypedProxy::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const int order = typed_->compareRows(left.column(), left.row(), right.row());
    if (order != 0) {
        return order < 0;
    }
    // Ties keep the model's own order, both ways; the base class would keep whatever order the rows had
    // before.
    return sortOrder() == Qt::AscendingOrder ? left.row() < right.row() : left.row() > right.row();
}

bool TypedProxy::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
    return !sourceParent.isValid() && (words_.isEmpty() || typed_->rowMatches(sourceRow, words_));
}

} // namespace bellwether::ui
