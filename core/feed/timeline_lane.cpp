// SPDX-License-Identifier: Apache-2.0
#include "feed/timeline_lane.h"

#include <algorithm>
#include <utility>

namespace bellwether::feed {

SegmentKind segmentKindOf(VerdictKind kind) noexcept {
    switch (kind) {
    case VerdictKind::authoritative:
    case VerdictKind::overdue: return SegmentKind::led;
    case VerdictKind::vacant: return SegmentKind::vacant;
    case VerdictKind::claimed:
    case VerdictKind::claiming: return SegmentKind::changing;
    case VerdictKind::inDoubt: return SegmentKind::inDoubt;
    case VerdictKind::contradictory: return SegmentKind::contradictory;
    case VerdictKind::unknown: return SegmentKind::notObserved;
    }
    return SegmentKind::notObserved;
}

LaneBuilder::LaneBuilder(Role role)
    : lane_(std::make_shared<const TimelineLane>(TimelineLane{std::move(role), {}})) {}

void LaneBuilder::note(const Verdict& verdict, WallTime now) {
    last_ = std::max(last_, now);
    TimelineSegment segment{.kind = segmentKindOf(verdict.kind),
                            .holder = {},
                            .token = {},
                            .from = last_,
                            .to = {},
                            .beganBefore = false};
    if (segment.kind == SegmentKind::led) {
        segment.holder = verdict.holder;
        segment.token = verdict.token;
    }
    const auto& known = lane_->segments;
    if (!known.empty() && known.back().kind == segment.kind && known.back().holder == segment.holder &&
        known.back().token == segment.token) {
        return;
    }
    auto grown = std::make_shared<TimelineLane>(*lane_);
    if (grown->segments.empty() && segment.kind == SegmentKind::notObserved) {
        return; // before the first verdict there is nothing to draw
    }
    segment.beganBefore = grown->segments.empty();
    if (!grown->segments.empty()) {
        grown->segments.back().to = last_;
    }
    grown->segments.push_back(std::move(segment));
    lane_ = std::move(grown);
}

} // namespace bellwether::feed
