// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/steady_table.h"

#include <algorithm>

#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QStyledItemDelegate>

#include "ui/models/typed_proxy.h"

namespace bellwether::ui {

namespace {

class ToneDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    ThemeChoice theme = ThemeChoice::light;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideMiddle;
        // The whole row is the unit: a box around one cell says nothing.
        option->state.setFlag(QStyle::State_HasFocus, false);
        const QVariant tone = index.data(ToneRole);
        if (tone.isValid()) {
            const QColor colour = toneOf(coloursOf(theme), static_cast<Tone>(tone.toInt())).text;
            option->palette.setColor(QPalette::Text, colour);
            option->palette.setColor(QPalette::HighlightedText, colour);
        }
    }
};

} // namespace

SteadyTable::SteadyTable(QWidget* parent)
    : QTableView(parent) {
    setItemDelegate(new ToneDelegate(this));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setAlternatingRowColors(true);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setCornerButtonEnabled(false);
    setVerticalScrollMode(ScrollPerItem);
    setHorizontalScrollMode(ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setStretchLastSection(true);
    horizontalHeader()->setMinimumSectionSize(24);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] {
        // Only a drag of the mouse counts: the last section also moves when it is stretched.
        draggedByHand_ =
            draggedByHand_ || (!layingOut_ && QGuiApplication::mouseButtons().testFlag(Qt::LeftButton) &&
                               horizontalHeader()->underMouse());
    });
}

void SteadyTable::setProxy(TypedProxy* proxy) {
    setModel(proxy);
    setSortingEnabled(true);
    connect(proxy, &QAbstractItemModel::rowsInserted, this, &SteadyTable::rowsComing);
    connect(proxy, &QAbstractItemModel::rowsRemoved, this, &SteadyTable::rowsGone);
}

void SteadyTable::setTheme(ThemeChoice theme) {
    static_cast<ToneDelegate*>(itemDelegate())->theme = theme;
    viewport()->update();
}

void SteadyTable::setColumnPlan(const QList<ColumnPlan>& plan) {
    plan_ = plan;
    layOutColumns();
}

void SteadyTable::layOutColumns() {
    if (model() == nullptr || plan_.size() != model()->columnCount() || draggedByHand_) {
        return;
    }
    constexpr int kPadding = 20;
    constexpr int kHeaderPadding = 26;
    QFont headerFont = horizontalHeader()->font();
    headerFont.setBold(true);
    QList<int> widths;
    QList<int> headers;
    int sum = 0;
    int shares = 0;
    for (int column = 0; column < plan_.size(); ++column) {
        const QString header = model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        headers << QFontMetrics(headerFont).horizontalAdvance(header) + kHeaderPadding;
        widths << std::max(fontMetrics().horizontalAdvance(plan_.at(column).sample) + kPadding,
                           headers.last());
        sum += widths.last();
        shares += plan_.at(column).share;
    }
    int spare = viewport()->width() - sum;
    layingOut_ = true;
    for (int column = 0; column < plan_.size(); ++column) {
        // Each takes its part of what is left for it and those after it, so that nothing is lost by rounding.
        // Rather than become unreadable the columns leave it to the scroll bar.
        const int share = plan_.at(column).share;
        const int part = shares == 0 || share == 0 ? 0 : spare * share / shares;
        const int width = std::max({headers.at(column), widths.at(column) * 3 / 4, widths.at(column) + part});
        spare -= width - widths.at(column);
        shares -= share;
        setColumnWidth(column, width);
    }
    layingOut_ = false;
}

void SteadyTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    layOutColumns();
}

void SteadyTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 9);
        layOutColumns();
    }
}

QString SteadyTable::selectedText() const {
    if (selectionModel() == nullptr || !selectionModel()->hasSelection()) {
        return {};
    }
    QStringList header;
    for (int column = 0; column < model()->columnCount(); ++column) {
        header << model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    }
    QStringList lines{header.join(QLatin1Char('\t'))};
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < model()->columnCount(); ++column) {
            cells << row.siblingAtColumn(column).data(Qt::AccessibleTextRole).toString();
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void SteadyTable::step(int by) {
    QKeyEvent key(QEvent::KeyPress, by > 0 ? Qt::Key_Down : Qt::Key_Up, Qt::NoModifier);
    QTableView::keyPressEvent(&key);
}

void SteadyTable::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() == Qt::NoModifier && (event->key() == Qt::Key_J || event->key() == Qt::Key_K)) {
        step(event->key() == Qt::Key_J ? 1 : -1);
        event->accept();
        return;
    }
    QTableView::keyPressEvent(event);
}

void SteadyTable::rowsAboutToBeRemoved(const QModelIndex& parent, int first, int last) {
    // The base class makes a neighbour current when the current row goes, and would scroll to it.
    setAutoScroll(false);
    QTableView::rowsAboutToBeRemoved(parent, first, last);
    setAutoScroll(true);
}

void SteadyTable::rowsComing(const QModelIndex&, int first, int last) {
    const int top = verticalScrollBar()->value();
    if (top > 0 && first <= top) {
        verticalScrollBar()->setMaximum(verticalScrollBar()->maximum() + last - first + 1);
        verticalScrollBar()->setValue(top + last - first + 1);
    }
}

void SteadyTable::rowsGone(const QModelIndex&, int first, int last) {
    const int top = verticalScrollBar()->value();
    if (top > 0 && first < top) {
        verticalScrollBar()->setValue(std::max(0, top - (std::min(last + 1, top) - first)));
    }
}

} // namespace bellwether::ui
