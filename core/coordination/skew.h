// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string_view>

#include "coordination/time.h"

namespace bellwether {

/// Which clock a member's clock is compared with.
enum class SkewReference {
    console, ///< arrival on this console's wall clock
    broker,  ///< append time of a topic with message.timestamp.type=LogAppendTime
};
[[nodiscard]] std::string_view toString(SkewReference reference) noexcept;

/// What is known of (reference clock - member clock): it is at most `upperBound`, because each observation is
/// skew + delay with delay >= 0. With the coordinator's clock or a maximum delay known it is also at least
/// `lowerBound`. A bound, never a bare number.
struct SkewBound {
    SkewReference reference = SkewReference::console;
    Millis upperBound{0};
    std::optional<Millis> lowerBound;
    std::size_t samples = 0;

    bool operator==(const SkewBound&) const = default;
};

/// Bounds the skew of one member against one reference over a sliding window. Feed it live records only: a
/// record read from history has an arrival that says nothing.
class SkewEstimator {
public:
    /// window > 0: how far back (by the reference clock's arrivals) samples count.
    explicit SkewEstimator(SkewReference reference, Millis window = Millis{600'000});

    /// referenceTime - memberTime = skew + delay. `maxDelay`: an upper bound of the delay of this sample if
    /// one is known, e.g. (arrival - begin of the long poll); gives a lower bound on the skew.
    void add(WallTime memberTime, WallTime referenceTime, std::optional<Millis> maxDelay = std::nullopt);
    [[nodiscard]] std::optional<SkewBound> bound() const;

private:
    struct Sample {
        WallTime reference;
        Millis difference;
        std::optional<Millis> lower;
    };

    SkewReference reference_;
    Millis window_;
    std::deque<Sample> samples_;
};

} // namespace bellwether
