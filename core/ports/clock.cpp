// SPDX-License-Identifier: Apache-2.0
#include "ports/clock.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace bellwether {

WallTime SystemClock::wall() const {
    const auto now = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    return saturatingAdd(now, offset_);
}

SteadyTime SystemClock::steady() const {
    return std::chrono::time_point_cast<Millis>(std::chrono::steady_clock::now());
}

bool SystemClock::sleepFor(Millis duration, std::stop_token stop) {
    // The wait counts in nanoseconds; a slice keeps "for ever" (the int64 limit in milliseconds) from
    // overflowing.
    constexpr Millis kSlice = std::chrono::hours{1};
    std::mutex mutex;
    std::condition_variable_any wakeUp;
    std::unique_lock lock(mutex);
    while (duration > Millis{0} && !stop.stop_requested()) {
        const Millis slice = std::min(duration, kSlice);
        wakeUp.wait_for(lock, stop, slice, [] { return false; });
        duration -= slice;
    }
    return !stop.stop_requested();
}

} // namespace bellwether
