// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "feed/snapshot.h"
#include "ui/timeline/time_window.h"

namespace bellwether::ui {

/// What one lane draws: a bar in pixels from the left edge, clipped to 0..width.
struct LaneBar {
    double left = 0.0;
    double right = 0.0;
    SegmentKind kind = SegmentKind::notObserved;
    std::optional<std::size_t> segment; ///< index in the lane; nothing: a time nobody watched
    std::size_t merged = 1; ///< how many segments fell together; then `kind` is the gravest of them

    bool operator==(const LaneBar&) const = default;
};

/// The visible part of a lane. Looks at visible segments only (found by time) and joins neighbours that are
/// narrower than a pixel, so the result has at most about two bars a pixel. What lies before the first
/// segment and between segments was not watched and comes as a bar of its own; what lies after `present` is
/// left out. A segment that is still going on ends at `known`, the last instant anything is known of: what
/// lies between it and `present` was not watched either.
[[nodiscard]] std::vector<LaneBar> barsOf(const TimelineLane& lane, const TimeWindow& window, double width,
                                          WallTime known, WallTime present);

/// The segment at an instant, or nothing.
[[nodiscard]] std::optional<std::size_t> segmentAt(const TimelineLane& lane, WallTime t, WallTime known);

/// The bar under a pixel, or null.
[[nodiscard]] const LaneBar* barAt(const std::vector<LaneBar>& bars, double pixel);

} // namespace bellwether::ui
