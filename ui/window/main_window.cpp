// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QShortcut>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/bridge/snapshot_bridge.h"
#include "ui/format/display.h"
#include "ui/models/findings_model.h"
#include "ui/models/role_list_model.h"
#include "ui/models/roster_model.h"
#include "ui/models/typed_proxy.h"
#include "ui/presentation/headline.h"
#include "ui/presentation/troubles.h"
#include "ui/timeline/timeline_pane.h"
#include "ui/timeline/timeline_plot.h"
#include "ui/window/banner.h"
#include "ui/window/clipboard_text.h"
#include "ui/window/findings_pane.h"
#include "ui/window/help_dialog.h"
#include "ui/window/label_value.h"
#include "ui/window/role_header.h"
#include "ui/window/role_list_pane.h"
#include "ui/window/roster_pane.h"
#include "ui/window/status_strip.h"
#include "ui/window/steady_table.h"
#include "ui/window/top_bar.h"

namespace bellwether::ui {

MainWindow::MainWindow(std::shared_ptr<SnapshotSource> source, WindowOptions options, QWidget* parent)
    : QMainWindow(parent)
    , options_(std::move(options))
    , clockText_(options_.zone, options_.localZone)
    , bridge_(new SnapshotBridge(std::move(source), this))
    , roleModel_(new RoleListModel(this))
    , rosterModel_(new RosterModel(this))
    , findingsModel_(new FindingsModel(this)) {
    build();
    connectParts();
    addKeys();
    setZone(options_.zone);
    setTheme(options_.theme);
    present(bridge_->latest());
    roleList_->focusList();
    ticker_.start(kTickMillis);
}

MainWindow::~MainWindow() {
    // First the source, so that nothing arrives while the parts go.
    delete bridge_;
}

void MainWindow::build() {
    topBar_ = new TopBar(this);
    banner_ = new Banner(this);
    roleList_ = new RoleListPane(roleModel_, this);
    header_ = new RoleHeader(this);
    roster_ = new RosterPane(rosterModel_, this);
    timeline_ = new TimelinePane(this);
    findings_ = new FindingsPane(findingsModel_, this);
    status_ = new StatusStrip(this);

    auto* selected = new QWidget(this);
    auto* selectedLayout = new QVBoxLayout(selected);
    selectedLayout->setContentsMargins(0, 0, 0, 0);
    selectedLayout->setSpacing(0);
    selectedLayout->addWidget(header_);
    selectedLayout->addWidget(roster_, 1);
    detailEmpty_ = new QLabel(this);
    detailEmpty_->setObjectName(QStringLiteral("detailEmpty"));
    detailEmpty_->setAccessibleName(tr("Selected role"));
    detailEmpty_->setAlignment(Qt::AlignCenter);
    detailEmpty_->setWordWrap(true);
    detail_ = new QStackedWidget(this);
    detail_->addWidget(detailEmpty_);
    detail_->addWidget(selected);

    tabs_ = new QTabWidget(this);
    tabs_->setObjectName(QStringLiteral("tabs"));
    tabs_->setAccessibleName(tr("Timeline and findings"));
    tabs_->setDocumentMode(true);
    tabs_->addTab(timeline_, tr("Timeline"));
    tabs_->addTab(findings_, tr("Findings"));

    auto* across = new QSplitter(Qt::Horizontal, this);
    across->setChildrenCollapsible(false);
    across->addWidget(roleList_);
    across->addWidget(detail_);
    across->setStretchFactor(0, 2);
    across->setStretchFactor(1, 3);
    across->setSizes({510, 770});
    auto* down = new QSplitter(Qt::Vertical, this);
    down->setChildrenCollapsible(false);
    down->addWidget(across);
    down->addWidget(tabs_);
    down->setStretchFactor(0, 3);
    down->setStretchFactor(1, 2);
    down->setSizes({400, 260});

    auto* central = new QWidget(this);
    auto* layout = new QVBoxLayout(central);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(topBar_);
    layout->addWidget(banner_);
    layout->addWidget(down, 1);
    layout->addWidget(status_);
    setCentralWidget(central);
    resize(1280, 760);
    setMinimumSize(960, 560);
}

void MainWindow::connectParts() {
    connect(bridge_, &SnapshotBridge::arrived, this, &MainWindow::present);
    connect(&ticker_, &QTimer::timeout, this, &MainWindow::tick);
    connect(topBar_, &TopBar::filterChanged, this, [this](const QString& text) {
        roleList_->setFilter(text);
        timeline_->update(snapshot_, roleList_->passingRows(), now());
    });
    connect(topBar_, &TopBar::filterLeft, this, [this] { roleList_->focusList(); });
    connect(topBar_, &TopBar::themeSwitched, this, [this] {
        setTheme(options_.theme == ThemeChoice::light ? ThemeChoice::dark : ThemeChoice::light);
    });
    connect(topBar_, &TopBar::zoneSwitched, this,
            [this] { setZone(options_.zone == ZoneChoice::utc ? ZoneChoice::local : ZoneChoice::utc); });
    connect(topBar_, &TopBar::refreshWanted, bridge_, &SnapshotBridge::refresh);
    connect(topBar_, &TopBar::helpWanted, this, &MainWindow::openHelp);
    connect(topBar_, &TopBar::aboutWanted, this, &MainWindow::openAbout);
    connect(roleList_, &RoleListPane::selectionChanged, this, &MainWindow::showSelected);
    connect(roleList_, &RoleListPane::opened, this,
            [this] { roster_->table()->setFocus(Qt::OtherFocusReason); });
    connect(timeline_, &TimelinePane::roleClicked, roleList_, &RoleListPane::select);
}

void MainWindow::addKeys() {
    const auto on = [this](const QKeySequence& keys, auto action) {
        auto* shortcut = new QShortcut(keys, this);
        connect(shortcut, &QShortcut::activated, this, action);
    };
    on(QKeySequence(Qt::Key_Slash), [this] { topBar_->focusFilter(); });
    on(QKeySequence(Qt::Key_Question), [this] { openHelp(); });
    on(QKeySequence(Qt::Key_F5), [this] { bridge_->refresh(); });
    on(QKeySequence(Qt::Key_Escape), [this] { goBack(); });
    on(QKeySequence(Qt::Key_J), [this] { step(1); });
    on(QKeySequence(Qt::Key_K), [this] { step(-1); });
    on(QKeySequence(Qt::Key_T), [this] {
        tabs_->setCurrentWidget(timeline_);
        timeline_->plot()->setFocus(Qt::ShortcutFocusReason);
    });
    on(QKeySequence(QKeySequence::Copy), [this] { copyText(); });
    on(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), [this] { copyJson(); });
}

Now MainWindow::now() const {
    return {options_.clock->wall(), options_.clock->steady()};
}

void MainWindow::present(const std::shared_ptr<const Snapshot>& snapshot) {
    snapshot_ = snapshot;
    const Now present = now();
    const ConnectionView& connection = snapshot_->connection;
    topBar_->setEndpoint(shown(connection.endpoint), shown(connection.topic));
    setWindowTitle(tr("Bellwether — %1").arg(shown(connection.endpoint)));
    roleModel_->update(*snapshot_, present);
    findingsModel_->update(*snapshot_, present);
    roleList_->refresh(*snapshot_);
    const auto findings = static_cast<std::int64_t>(findingsModel_->total());
    tabs_->setTabText(1, findings == 0 ? tr("Findings") : tr("Findings (%1)").arg(countText(findings)));
    timeline_->update(snapshot_, roleList_->passingRows(), present);
    showSelected();
    showTroubles();
    Q_EMIT presented(snapshot_);
}

void MainWindow::tick() {
    if (!snapshot_) {
        return;
    }
    const Now present = now();
    roleModel_->tick(present);
    roleList_->refresh(*snapshot_);
    timeline_->tick(present);
    showSelected();
    showTroubles();
}

void MainWindow::showTroubles() {
    const Now present = now();
    banner_->setTroubles(troublesOf(*snapshot_, present, clockText_));
    status_->show(statusText(*snapshot_, present, clockText_));
}

std::shared_ptr<const RoleView> MainWindow::selectedView() const {
    const auto& role = roleList_->selected();
    return role ? roleModel_->view(roleModel_->rowOf(*role)) : nullptr;
}

void MainWindow::showSelected() {
    const auto& role = roleList_->selected();
    const auto view = selectedView();
    timeline_->setSelected(role);
    if (!view) {
        rosterModel_->clear();
        setValue(detailEmpty_, role ? tr("%1 is not in the topic any more").arg(shown(*role))
                                    : tr("Select a role to see who holds it, and why."));
        detail_->setCurrentIndex(0);
        return;
    }
    const Standing& standing = roleModel_->standing(roleModel_->rowOf(*role));
    const Now present = now();
    rosterModel_->update(*view, standing, present);
    rosterModel_->tick(standing, present);
    roster_->setEmptyText(tr("No member is registered for %1.").arg(shown(*role)));
    detail_->setCurrentIndex(1);
    header_->show({view, standing, present, snapshot_->assumedTiming, snapshot_->clockStepped}, clockText_);
}

void MainWindow::setTheme(ThemeChoice theme) {
    options_.theme = theme;
    if (auto* app = qobject_cast<QApplication*>(QCoreApplication::instance())) {
        applyTheme(*app, theme);
    }
    topBar_->setTheme(theme);
    banner_->setTheme(theme);
    roleList_->setTheme(theme);
    header_->setTheme(theme);
    roster_->setTheme(theme);
    findings_->setTheme(theme);
    timeline_->setTheme(theme);
    status_->setTheme(theme);
    QPalette palette = detailEmpty_->palette();
    palette.setColor(QPalette::WindowText, coloursOf(theme).muted);
    detailEmpty_->setPalette(palette);
    if (snapshot_) {
        showSelected();
        showTroubles();
    }
}

void MainWindow::setZone(ZoneChoice zone) {
    options_.zone = zone;
    clockText_ = ClockText(zone, options_.localZone);
    topBar_->setZone(zone, clockText_.zoneName(options_.clock->wall()));
    roleModel_->setClockText(clockText_);
    rosterModel_->setClockText(clockText_);
    findingsModel_->setClockText(clockText_);
    timeline_->setClockText(clockText_);
    if (snapshot_) {
        showSelected();
        showTroubles();
    }
}

void MainWindow::goBack() {
    if (!topBar_->filter()->text().isEmpty()) {
        topBar_->filter()->clear();
    }
    roleList_->focusList();
}

void MainWindow::step(int by) {
    for (SteadyTable* table : {roster_->table(), findings_->table()}) {
        if (table->hasFocus()) {
            table->step(by);
            return;
        }
    }
    roleList_->table()->step(by);
}

void MainWindow::copyText() {
    QString text;
    for (const SteadyTable* table : {roster_->table(), findings_->table()}) {
        if (table->hasFocus()) {
            text = table->selectedText();
        }
    }
    if (text.isEmpty()) {
        text = roleAsText(selectedView(), options_.clock->wall());
    }
    if (!text.isEmpty()) {
        QApplication::clipboard()->setText(text);
    }
}

void MainWindow::copyJson() {
    const QString json = roleAsJson(selectedView());
    if (!json.isEmpty()) {
        QApplication::clipboard()->setText(json);
    }
}

void MainWindow::openHelp() {
    auto* dialog = new HelpDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void MainWindow::openAbout() {
    auto* dialog = new AboutDialog(options_.versions, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

} // namespace bellwether::ui
