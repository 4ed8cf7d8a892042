// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/timeline/lane_bars.h"

namespace bellwether::ui {

/// "led", "vacant", "changing hands", "in doubt", "contradictory", "not observed".
[[nodiscard]] QString kindWord(SegmentKind kind);

/// Candidates for the text inside a bar, the longest first: "vacant 3.2 s", "3.2 s".
[[nodiscard]] QStringList labelsOf(const TimelineSegment& segment, WallTime now);

/// What hovering tells, one fact a line, plain text.
[[nodiscard]] QString hoverText(const TimelineLane& lane, const LaneBar& bar, WallTime now,
                                const ClockText& clock);

/// One line in words for a screen reader: "controller: led by node-1 under 4242:7 for 5 min; 3 stretches
/// seen".
[[nodiscard]] QString laneSummary(const TimelineLane& lane, WallTime now);

} // namespace bellwether::ui
