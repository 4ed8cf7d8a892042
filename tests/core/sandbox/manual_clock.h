// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <mutex>

#include "ports/clock.h"

namespace bellwether::testing_support {

/// A clock that a test moves. sleepFor() moves it too, and first runs `onSleep` when one is set: the place
/// where a test looks at a world in the middle of somebody's call.
class ManualClock final : public Clock {
public:
    [[nodiscard]] WallTime wall() const override {
        const std::lock_guard lock(mutex_);
        return wallTime(1'700'000'000'000) + elapsed_;
    }

    [[nodiscard]] SteadyTime steady() const override {
        const std::lock_guard lock(mutex_);
        return SteadyTime{Millis{1'000}} + elapsed_;
    }

    bool sleepFor(Millis duration, std::stop_token stop) override {
        if (onSleep) {
            onSleep();
        }
        advance(duration);
        return !stop.stop_requested();
    }

    void advance(Millis duration) {
        const std::lock_guard lock(mutex_);
        elapsed_ += duration;
    }

    std::function<void()> onSleep;

private:
    mutable std::mutex mutex_;
    Millis elapsed_{0};
};

} // namespace bellwether::testing_support
