// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_bars.h"

#include <algorithm>
#include <cmath>

namespace bellwether::ui {

namespace {

WallTime endOf(const TimelineSegment& segment, WallTime now) {
    return segment.to ? *segment.to : std::max(segment.from, now);
}

int gravity(SegmentKind kind) {
    switch (kind) {
    case SegmentKind::contradictory: return 5;
    case SegmentKind::vacant: return 4;
    case SegmentKind::inDoubt: return 3;
    case SegmentKind::changing: return 2;
    case SegmentKind::notObserved: return 1;
    case SegmentKind::led: break;
    }
    return 0;
}

class BarRow {
public:
    explicit BarRow(double width)
        : width_(width) {}

    void add(double left, double right, SegmentKind kind, std::optional<std::size_t> segment) {
        left = std::clamp(left, 0.0, width_);
        right = std::clamp(right, 0.0, width_);
        if (right <= left && (left <= 0.0 || left >= width_)) {
            return;
        }
        const bool narrow = right - left < 1.0;
        if (narrow && !bars_.empty() && lastNarrow_ && std::floor(bars_.back().left) == std::floor(left)) {
            LaneBar& bar = bars_.back();
            bar.right = std::max(bar.right, right);
            ++bar.merged;
            if (gravity(kind) > gravity(bar.kind)) {
                bar.kind = kind;
                bar.segment = segment;
            }
            return;
        }
        bars_.push_back({left, right, kind, segment, 1});
        lastNarrow_ = narrow;
    }

    std::vector<LaneBar> take() { return std::move(bars_); }

private:
    double width_;
    std::vector<LaneBar> bars_;
    bool lastNarrow_ = false;
};

std::size_t firstVisible(const TimelineLane& lane, WallTime from, WallTime now) {
    const auto found =
        std::partition_point(lane.segments.begin(), lane.segments.end(),
                             [from, now](const TimelineSegment& s) { return endOf(s, now) <= from; });
    return static_cast<std::size_t>(found - lane.segments.begin());
}

} // namespace

std::vector<LaneBar> barsOf(const TimelineLane& lane, const TimeWindow& window, double width, WallTime known,
                            WallTime present) {
    BarRow row(width);
    const auto& segments = lane.segments;
    const std::size_t first = firstVisible(lane, window.from, known);
    WallTime covered = first == 0 ? window.from : endOf(segments[first - 1], known);
    for (std::size_t i = first; i < segments.size() && segments[i].from < window.to(); ++i) {
        const TimelineSegment& segment = segments[i];
        const double left = window.pixelOf(segment.from, width);
        if (segment.from > covered) {
            row.add(window.pixelOf(covered, width), left, SegmentKind::notObserved, std::nullopt);
        }
        row.add(left, window.pixelOf(endOf(segment, known), width), segment.kind, i);
        covered = endOf(segment, known);
    }
    const WallTime last = std::min(present, window.to());
    if (covered < last) {
        row.add(window.pixelOf(covered, width), window.pixelOf(last, width), SegmentKind::notObserved,
                std::nullopt);
    }
    return row.take();
}

std::optional<std::size_t> segmentAt(const TimelineLane& lane, WallTime t, WallTime known) {
    const std::size_t index = firstVisible(lane, t, known);
    if (index < lane.segments.size() && lane.segments[index].from <= t) {
        return index;
    }
    return std::nullopt;
}

const LaneBar* barAt(const std::vector<LaneBar>& bars, double pixel) {
    const auto found = std::find_if(bars.begin(), bars.end(), [pixel](const LaneBar& bar) {
        return pixel >= bar.left && pixel < std::max(bar.right, bar.left + 1.0);
    });
    return found == bars.end() ? nullptr : &*found;
}

} // namespace bellwether::ui
