// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include <QMainWindow>
#include <QTimeZone>
#include <QTimer>

#include "feed/snapshot.h"
#include "ports/clock.h"
#include "ui/format/clock_text.h"
#include "ui/presentation/standing.h"
#include "ui/theme/theme.h"
#include "ui/window/about_dialog.h"

class QLabel;
class QStackedWidget;
class QTabWidget;

namespace bellwether::ui {

class Banner;
class FindingsModel;
class FindingsPane;
class RoleHeader;
class RoleListModel;
class RoleListPane;
class RosterModel;
class RosterPane;
class SnapshotBridge;
class StatusStrip;
class TimelinePane;
class TopBar;

/// What the window is opened with.
struct WindowOptions {
    ThemeChoice theme = ThemeChoice::light;
    ZoneChoice zone = ZoneChoice::local;
    QTimeZone localZone = QTimeZone::systemTimeZone();
    Versions versions;
    std::shared_ptr<Clock> clock; ///< this console's; never null
};

/// The console's window. It shows the newest snapshot of a source and judges the age of everything itself, a
/// few times a second, so that a silent source turns grey by itself. Nothing in it waits for the source. GUI
/// thread.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    MainWindow(std::shared_ptr<SnapshotSource> source, WindowOptions options, QWidget* parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] RoleListModel* roleModel() const { return roleModel_; }

    [[nodiscard]] RoleListPane* roleList() const { return roleList_; }

    [[nodiscard]] TimelinePane* timeline() const { return timeline_; }

    [[nodiscard]] ThemeChoice theme() const noexcept { return options_.theme; }

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return snapshot_; }

    void setTheme(ThemeChoice theme);
    void setZone(ZoneChoice zone);
    /// Re-judges ages at the clock's present; a timer calls it too.
    void tick();

    static constexpr int kTickMillis = 250;

Q_SIGNALS:
    /// A snapshot is on the screen.
    void presented(const std::shared_ptr<const bellwether::Snapshot>& snapshot);

private:
    void build();
    void connectParts();
    void addKeys();
    void present(const std::shared_ptr<const Snapshot>& snapshot);
    void showSelected();
    void showTroubles();
    [[nodiscard]] Now now() const;
    [[nodiscard]] std::shared_ptr<const RoleView> selectedView() const;
    void goBack();
    void step(int by);
    void copyText();
    void copyJson();
    void openHelp();
    void openAbout();

    WindowOptions options_;
    ClockText clockText_;
    std::shared_ptr<const Snapshot> snapshot_;
    SnapshotBridge* bridge_;
    RoleListModel* roleModel_;
    RosterModel* rosterModel_;
    FindingsModel* findingsModel_;
    TopBar* topBar_ = nullptr;
    Banner* banner_ = nullptr;
    RoleListPane* roleList_ = nullptr;
    QStackedWidget* detail_ = nullptr;
    QLabel* detailEmpty_ = nullptr;
    RoleHeader* header_ = nullptr;
    RosterPane* roster_ = nullptr;
    QTabWidget* tabs_ = nullptr;
    TimelinePane* timeline_ = nullptr;
    FindingsPane* findings_ = nullptr;
    StatusStrip* status_ = nullptr;
    QTimer ticker_;
};

} // namespace bellwether::ui
