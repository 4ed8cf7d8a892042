// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/role_list_pane.h"

#include <algorithm>

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/models/role_list_model.h"
#include "ui/models/typed_proxy.h"
#include "ui/window/label_value.h"
#include "ui/window/steady_table.h"

namespace bellwether::ui {

RoleListPane::RoleListPane(RoleListModel* model, QWidget* parent)
    : QWidget(parent)
    , model_(model)
    , proxy_(new TypedProxy(model, this))
    , headline_(new QLabel(this))
    , table_(new SteadyTable(this))
    , empty_(new QWidget(this))
    , emptyTitle_(new QLabel(empty_))
    , emptyAdvice_(new QLabel(empty_))
    , stack_(new QStackedLayout) {
    headline_->setObjectName(QStringLiteral("rolesHeadline"));
    headline_->setAccessibleName(tr("Number of roles"));
    QFont strong = font();
    strong.setBold(true);
    headline_->setFont(strong);
    headline_->setContentsMargins(8, 6, 8, 6);

    table_->setObjectName(QStringLiteral("roles"));
    table_->setAccessibleName(tr("Roles"));
    // Connected before the table is: what becomes current because rows go was not chosen by anybody.
    connect(proxy_, &QAbstractItemModel::rowsAboutToBeRemoved, this, [this] { restoring_ = true; });
    table_->setProxy(proxy_);
    table_->sortByColumn(RoleListModel::VerdictColumn, Qt::AscendingOrder);
    table_->setColumnPlan({{QStringLiteral("≠  contradictory"), 0},
                           {QStringLiteral("dispatcher-10"), 5},
                           {QStringLiteral("node-name-1"), 4},
                           {QStringLiteral("59 min 59 s"), 0},
                           {QStringLiteral("not read"), 0}});
    table_->installEventFilter(this);

    emptyTitle_->setObjectName(QStringLiteral("emptyTitle"));
    emptyTitle_->setAccessibleName(tr("State of the list"));
    emptyAdvice_->setObjectName(QStringLiteral("emptyAdvice"));
    emptyAdvice_->setAccessibleName(tr("What to do"));
    QFont title = strong;
    title.setPointSizeF(title.pointSizeF() * 1.2);
    emptyTitle_->setFont(title);
    for (QLabel* label : {emptyTitle_, emptyAdvice_}) {
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignHCenter);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    empty_->setFocusPolicy(Qt::StrongFocus);
    empty_->setObjectName(QStringLiteral("emptyList"));
    empty_->setAccessibleName(tr("Roles"));
    auto* emptyLayout = new QVBoxLayout(empty_);
    emptyLayout->setContentsMargins(24, 24, 24, 24);
    emptyLayout->addStretch(1);
    emptyLayout->addWidget(emptyTitle_);
    emptyLayout->addSpacing(8);
    emptyLayout->addWidget(emptyAdvice_);
    emptyLayout->addStretch(2);

    stack_->addWidget(table_);
    stack_->addWidget(empty_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(headline_);
    layout->addLayout(stack_, 1);

    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &RoleListPane::currentMoved);
    connect(table_, &QTableView::doubleClicked, this, &RoleListPane::opened);
    connect(proxy_, &QAbstractItemModel::rowsInserted, this, [this] { relabel(nullptr); });
    connect(proxy_, &QAbstractItemModel::rowsRemoved, this, [this] {
        restoring_ = false;
        relabel(nullptr);
    });
    relabel(nullptr);
}

void RoleListPane::refresh(const Snapshot& snapshot) {
    restoreSelection();
    relabel(&snapshot);
}

void RoleListPane::relabel(const Snapshot* snapshot) {
    if (snapshot != nullptr) {
        emptyNow_ = emptyState(*snapshot, proxy_->filterText());
    } else if (model_->rowCount() > 0) {
        Snapshot some;
        some.roles.resize(1);
        emptyNow_ = emptyState(some, proxy_->filterText());
    }
    setValue(headline_, rolesHeadline(model_->rowCount(), proxy_->rowCount(), model_->needing()));
    setValue(emptyTitle_, emptyNow_.title);
    setValue(emptyAdvice_, emptyNow_.advice);
    QWidget* wanted = proxy_->rowCount() > 0 ? static_cast<QWidget*>(table_) : empty_;
    if (stack_->currentWidget() != wanted) {
        // The keyboard stays with the list, whichever of the two faces it shows.
        const bool focused = stack_->currentWidget()->hasFocus();
        stack_->setCurrentWidget(wanted);
        if (focused) {
            wanted->setFocus(Qt::OtherFocusReason);
        }
    }
}

void RoleListPane::setFilter(const QString& text) {
    proxy_->setFilterText(text);
    restoreSelection();
    relabel(nullptr);
}

void RoleListPane::setTheme(ThemeChoice theme) {
    table_->setTheme(theme);
    QPalette palette = emptyAdvice_->palette();
    palette.setColor(QPalette::WindowText, coloursOf(theme).muted);
    emptyAdvice_->setPalette(palette);
}

void RoleListPane::focusList() {
    stack_->currentWidget()->setFocus(Qt::OtherFocusReason);
}

void RoleListPane::currentMoved() {
    if (restoring_) {
        return;
    }
    const QModelIndex current = table_->currentIndex();
    if (!current.isValid()) {
        return;
    }
    const auto view = model_->view(proxy_->mapToSource(current).row());
    if (view && selected_ != view->role) {
        selected_ = view->role;
        Q_EMIT selectionChanged();
    }
}

void RoleListPane::restoreSelection() {
    if (!selected_ && proxy_->rowCount() > 0) {
        proxy_->applyNow();
        if (const auto view = model_->view(proxy_->mapToSource(proxy_->index(0, 0)).row())) {
            select(view->role);
        }
        return;
    }
    const int row = selected_ ? model_->rowOf(*selected_) : -1;
    const QModelIndex wanted = row < 0 ? QModelIndex() : proxy_->mapFromSource(model_->index(row, 0));
    if (selected_ && table_->currentIndex().row() != wanted.row()) {
        // An invalid index leaves nothing selected: the role is filtered away or gone.
        restoring_ = true;
        table_->setAutoScroll(false);
        table_->selectionModel()->setCurrentIndex(wanted, QItemSelectionModel::ClearAndSelect |
                                                              QItemSelectionModel::Rows);
        table_->setAutoScroll(true);
        restoring_ = false;
    }
}

void RoleListPane::select(const Role& role) {
    const bool changed = selected_ != role;
    selected_ = role;
    restoreSelection();
    const int row = model_->rowOf(role);
    const QModelIndex wanted = row < 0 ? QModelIndex() : proxy_->mapFromSource(model_->index(row, 0));
    if (wanted.isValid()) {
        table_->scrollTo(wanted);
    }
    if (changed) {
        Q_EMIT selectionChanged();
    }
}

std::vector<int> RoleListPane::passingRows() const {
    std::vector<int> rows;
    rows.reserve(static_cast<std::size_t>(proxy_->rowCount()));
    for (int row = 0; row < proxy_->rowCount(); ++row) {
        rows.push_back(proxy_->mapToSource(proxy_->index(row, 0)).row());
    }
    std::sort(rows.begin(), rows.end());
    return rows;
}

bool RoleListPane::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Return || key == Qt::Key_Enter) {
            Q_EMIT opened();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace bellwether::ui
