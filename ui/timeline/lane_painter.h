// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QRect>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/theme/member_colours.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_window.h"

class QPainter;

namespace bellwether::ui {

inline constexpr int kLaneHeight = 26;

/// All that drawing the lanes needs; painting itself decides nothing.
struct LaneScene {
    std::shared_ptr<const Snapshot> snapshot;
    std::vector<int> lanes; ///< indexes into snapshot->timeline in the order to draw
    TimeWindow window;
    WallTime known{}; ///< up to when anything is known
    WallTime present{};
    int firstLane = 0;
    std::optional<Role> selected;
    ThemeChoice theme = ThemeChoice::light;
    ClockText clock;

    /// The lane at a place in the order, or null.
    [[nodiscard]] const TimelineLane* lane(int position) const;
};

/// Names of the visible lanes, right-aligned in `area`.
void paintLaneNames(QPainter& painter, const QRect& area, const LaneScene& scene);

/// Bars of the visible lanes and the mark of the present. Clips to what is visible by itself.
void paintLaneBars(QPainter& painter, const QRect& area, const LaneScene& scene, MemberColours& members);

} // namespace bellwether::ui
