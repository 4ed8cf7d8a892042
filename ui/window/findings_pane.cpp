// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/findings_pane.h"

#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include "ui/format/display.h"
#include "ui/models/findings_model.h"
#include "ui/models/typed_proxy.h"
#include "ui/window/label_value.h"
#include "ui/window/steady_table.h"

namespace bellwether::ui {

FindingsPane::FindingsPane(FindingsModel* model, QWidget* parent)
    : QWidget(parent)
    , model_(model)
    , proxy_(new TypedProxy(model, this))
    , table_(new SteadyTable(this))
    , note_(new QLabel(this))
    , empty_(new QLabel(tr("Every record that was read follows the record format."), this))
    , stack_(new QStackedLayout) {
    table_->setObjectName(QStringLiteral("findings"));
    table_->setAccessibleName(tr("Findings: records that were not taken at face value"));
    table_->setProxy(proxy_);
    table_->sortByColumn(FindingsModel::TimeColumn, Qt::DescendingOrder);
    table_->setColumnPlan({{QStringLiteral("000"), 0},
                           {QStringLiteral("000000000"), 1},
                           {QStringLiteral("0000-00-00 00:00:00.000 +00"), 0},
                           {QStringLiteral("registration value"), 1},
                           {QStringLiteral("a long sentence about some bytes"), 8}});
    note_->setObjectName(QStringLiteral("findingsNote"));
    note_->setAccessibleName(tr("Number of findings"));
    note_->setContentsMargins(8, 4, 8, 4);
    empty_->setObjectName(QStringLiteral("findingsEmpty"));
    empty_->setAccessibleName(tr("Findings"));
    empty_->setAccessibleDescription(empty_->text());
    empty_->setAlignment(Qt::AlignCenter);
    stack_->addWidget(table_);
    stack_->addWidget(empty_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(note_);
    layout->addLayout(stack_, 1);
    connect(proxy_, &QAbstractItemModel::rowsInserted, this, &FindingsPane::arrange);
    connect(proxy_, &QAbstractItemModel::rowsRemoved, this, &FindingsPane::arrange);
    arrange();
}

void FindingsPane::setTheme(ThemeChoice theme) {
    table_->setTheme(theme);
    QPalette palette = empty_->palette();
    palette.setColor(QPalette::WindowText, coloursOf(theme).muted);
    empty_->setPalette(palette);
}

void FindingsPane::arrange() {
    const int rows = model_->rowCount();
    stack_->setCurrentIndex(rows > 0 ? 0 : 1);
    note_->setVisible(rows > 0);
    const auto total = static_cast<std::int64_t>(model_->total());
    setValue(note_, total > rows ? tr("the newest %1 of %2 records that were not taken at face value")
                                       .arg(countText(rows), countText(total))
                                 : tr("%1 record(s) were not taken at face value").arg(countText(rows)));
}

} // namespace bellwether::ui
