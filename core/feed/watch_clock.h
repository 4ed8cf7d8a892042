// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "coordination/time.h"

namespace bellwether::feed {

/// Notices when this machine's wall clock is set: it then runs away from the steady clock.
class WatchClock {
public:
    static constexpr Millis kTolerance{500};
    static constexpr Millis kRemember{60'000};

    void note(WallTime wall, SteadyTime steady) {
        const auto offset = wall.time_since_epoch() - steady.time_since_epoch();
        if (offset_) {
            const auto drift = offset - *offset_;
            if (drift > kTolerance || drift < -kTolerance) {
                steppedAt_ = steady;
            }
        }
        offset_ = offset;
    }

    /// A step was noticed within the last kRemember.
    [[nodiscard]] bool stepped(SteadyTime now) const { return steppedAt_ && now - *steppedAt_ < kRemember; }

private:
    std::optional<Millis> offset_;
    std::optional<SteadyTime> steppedAt_;
};

} // namespace bellwether::feed
