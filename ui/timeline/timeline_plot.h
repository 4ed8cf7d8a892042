// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_window.h"

namespace bellwether::ui {

/// The lanes and the time axis. Wheel zooms at the pointer (over the names it scrolls lanes), drag pans,
/// double click asks for everything, click picks a role, hovering tells the record. Arrow keys pan and
/// scroll, plus and minus zoom, Home asks for everything. Draws only lanes and bars that are visible. GUI
/// thread.
class TimelinePlot final : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePlot(QWidget* parent = nullptr);
    ~TimelinePlot() override;

    /// `lanes`: indexes into snapshot->timeline in the order to draw.
    void setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::vector<int> lanes);
    void setWindow(const TimeWindow& window);
    [[nodiscard]] const TimeWindow& window() const;
    /// Up to when anything is known, and the present.
    void setTimes(WallTime known, WallTime present);
    void setSelected(const std::optional<Role>& role);
    void setFirstLane(int first);
    [[nodiscard]] int firstLane() const;
    [[nodiscard]] int laneCount() const;
    /// Lanes that fit the height.
    [[nodiscard]] int visibleLanes() const;
    void setTheme(ThemeChoice theme);
    void setClockText(const ClockText& clock);
    /// Area of the bars in this widget's coordinates.
    [[nodiscard]] QRect plotArea() const;
    /// What hovering at a position tells; empty when nothing is there.
    [[nodiscard]] QString textAt(const QPoint& position) const;

    [[nodiscard]] QSize sizeHint() const override { return {640, 180}; }

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 90}; }

Q_SIGNALS:
    void laneClicked(const bellwether::Role& role);
    void windowMoved(const bellwether::ui::TimeWindow& window); ///< by the operator
    void everythingWanted();
    void lanesChanged(); ///< their number, the height or the first one

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Parts;
    void revealSelected();

    std::unique_ptr<Parts> parts_;
};

} // namespace bellwether::ui
