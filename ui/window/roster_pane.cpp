// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/roster_pane.h"

#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/models/roster_model.h"
#include "ui/models/typed_proxy.h"
#include "ui/window/label_value.h"
#include "ui/window/steady_table.h"

namespace bellwether::ui {

RosterPane::RosterPane(RosterModel* model, QWidget* parent)
    : QWidget(parent)
    , proxy_(new TypedProxy(model, this))
    , table_(new SteadyTable(this))
    , empty_(new QLabel(this))
    , stack_(new QStackedLayout(this)) {
    table_->setObjectName(QStringLiteral("roster"));
    table_->setAccessibleName(tr("Roster of the selected role"));
    table_->setProxy(proxy_);
    // The model is in offset order already; no column is marked until one is asked for.
    table_->sortByColumn(-1, Qt::AscendingOrder);
    table_->setColumnPlan({{QStringLiteral("99"), 0},
                           {QStringLiteral("node-name-1"), 4},
                           {QStringLiteral("hold"), 0},
                           {QStringLiteral("00000"), 0},
                           {QStringLiteral("00:00:00.000 +00"), 0},
                           {QStringLiteral("00:00:00.000 +00"), 0},
                           {QStringLiteral("≤ +00 ms vs console"), 0},
                           {QStringLiteral("wait 59.9 s"), 0}});
    empty_->setObjectName(QStringLiteral("rosterEmpty"));
    empty_->setAccessibleName(tr("Roster of the selected role"));
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    stack_->addWidget(table_);
    stack_->addWidget(empty_);
    connect(proxy_, &QAbstractItemModel::rowsInserted, this, &RosterPane::arrange);
    connect(proxy_, &QAbstractItemModel::rowsRemoved, this, &RosterPane::arrange);
    arrange();
}

void RosterPane::setTheme(ThemeChoice theme) {
    table_->setTheme(theme);
    QPalette palette = empty_->palette();
    palette.setColor(QPalette::WindowText, coloursOf(theme).muted);
    empty_->setPalette(palette);
}

void RosterPane::setEmptyText(const QString& text) {
    setValue(empty_, text);
}

void RosterPane::arrange() {
    stack_->setCurrentIndex(proxy_->rowCount() > 0 ? 0 : 1);
}

} // namespace bellwether::ui
