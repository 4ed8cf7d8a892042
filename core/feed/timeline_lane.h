// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "feed/snapshot.h"

namespace bellwether::feed {

/// What a verdict means for the timeline.
[[nodiscard]] SegmentKind segmentKindOf(VerdictKind kind) noexcept;

/// One role's lane while it grows. Lanes handed out before do not change: a change makes a new one.
class LaneBuilder {
public:
    explicit LaneBuilder(Role role);

    /// The verdict at `now` (console's clock). Equal neighbours are one segment. Never goes back in time: an
    /// earlier `now` than the last one (a stepped clock) counts as that one.
    void note(const Verdict& verdict, WallTime now);

    [[nodiscard]] std::shared_ptr<const TimelineLane> lane() const { return lane_; }

private:
    std::shared_ptr<const TimelineLane> lane_;
    WallTime last_{};
};

} // namespace bellwether::feed
