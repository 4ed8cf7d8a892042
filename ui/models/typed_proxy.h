// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QSortFilterProxyModel>
#include <QTimer>

#include "ui/models/typed_table_model.h"

namespace bellwether::ui {

/// Sorts and filters a TypedTableModel. Values that change do not make rows jump about: the order and the
/// filter are applied anew at most once a second, and only when something that matters to them has changed.
/// Selection and scroll survive, because rows are moved, never reset.
class TypedProxy final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit TypedProxy(TypedTableModel* source, QObject* parent = nullptr);

    /// Words separated by spaces; a row must hold all of them, in any letter case. Applied at once.
    void setFilterText(const QString& text);

    [[nodiscard]] QString filterText() const { return filterText_; }

    /// Applies what is pending without waiting for the second.
    void applyNow();

    static constexpr int kResortMillis = 1'000;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
    [[nodiscard]] bool filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const override;

private:
    void applySoon();

    TypedTableModel* typed_;
    QString filterText_;
    QStringList words_;
    QTimer timer_;
    QElapsedTimer sinceApplied_;
};

} // namespace bellwether::ui
