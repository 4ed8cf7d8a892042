// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "ports/clock.h"

namespace bellwether::test {

/// Stands still until somebody sleeps on it or moves it. Keeps what was slept.
class ManualClock final : public Clock {
public:
    explicit ManualClock(std::int64_t wallMillis = 1'700'000'000'000)
        : wall_(wallTime(wallMillis)) {}

    [[nodiscard]] WallTime wall() const override { return wall_; }

    [[nodiscard]] SteadyTime steady() const override { return steady_; }

    bool sleepFor(Millis duration, std::stop_token stop) override {
        if (stop.stop_requested()) {
            return false;
        }
        sleeps.push_back(duration);
        advance(duration);
        if (duringSleep) {
            duringSleep();
        }
        return !stop.stop_requested();
    }

    void advance(Millis duration) {
        wall_ = saturatingAdd(wall_, duration);
        steady_ += duration;
    }

    void setWall(WallTime wall) { wall_ = wall; }

    std::vector<Millis> sleeps;
    std::function<void()> duringSleep; ///< what the rest of the world does while this member sleeps

private:
    WallTime wall_;
    SteadyTime steady_{Millis{5'000}};
};

} // namespace bellwether::test
