// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "ui/theme/theme.h"

namespace bellwether::ui {

class TypedProxy;

/// A table that does not jump: rows that come or go above the first visible one do not move what is read. j
/// and k move like the arrow keys. Cells are coloured by ToneRole.
class SteadyTable final : public QTableView {
    Q_OBJECT
public:
    explicit SteadyTable(QWidget* parent = nullptr);

    void setProxy(TypedProxy* proxy);
    void setTheme(ThemeChoice theme);

    /// How wide a column is: room for `sample`, and a share of what the table is wider or narrower than all
    /// samples.
    struct ColumnPlan {
        QString sample;
        int share = 0;
    };

    /// Applied at every resize until the operator drags a column.
    void setColumnPlan(const QList<ColumnPlan>& plan);
    /// The selected rows as lines of tab-separated cells, with a line of headers.
    [[nodiscard]] QString selectedText() const;

    /// Moves the current row by one as the arrow keys do.
    void step(int by);

protected:
    void rowsAboutToBeRemoved(const QModelIndex& parent, int first, int last) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOutColumns();
    void rowsComing(const QModelIndex& parent, int first, int last);
    void rowsGone(const QModelIndex& parent, int first, int last);

    QList<ColumnPlan> plan_;
    bool layingOut_ = false;
    bool draggedByHand_ = false;
};

} // namespace bellwether::ui
