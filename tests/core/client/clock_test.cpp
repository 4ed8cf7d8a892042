// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "ports/clock.h"

namespace bellwether {

TEST(SystemClock, OffsetShiftsTheWallClockOnly) {
    SystemClock plain;
    SystemClock ahead(Millis{3'600'000});
    const WallTime before = plain.wall();
    const WallTime shifted = ahead.wall();
    const WallTime after = plain.wall();
    EXPECT_GE(shifted, before + Millis{3'600'000});
    EXPECT_LE(shifted, after + Millis{3'600'000});
    const SteadyTime steadyBefore = plain.steady();
    EXPECT_GE(ahead.steady(), steadyBefore);
}

TEST(SystemClock, AnAbsurdOffsetSaturates) {
    SystemClock clock(Millis{std::numeric_limits<std::int64_t>::max()});
    EXPECT_EQ(toMillis(clock.wall()), std::numeric_limits<std::int64_t>::max());
}

TEST(SystemClock, SleepsAtLeastItsTime) {
    SystemClock clock;
    const SteadyTime before = clock.steady();
    EXPECT_TRUE(clock.sleepFor(Millis{5}, {}));
    EXPECT_GE(clock.steady() - before, Millis{5});
}

TEST(SystemClock, DoesNotSleepForNothing) {
    SystemClock clock;
    EXPECT_TRUE(clock.sleepFor(Millis{0}, {}));
    EXPECT_TRUE(clock.sleepFor(Millis{std::numeric_limits<std::int64_t>::min()}, {}));
}

TEST(SystemClock, ARequestedStopIsNoticedBeforeSleeping) {
    SystemClock clock;
    std::stop_source stop;
    stop.request_stop();
    EXPECT_FALSE(clock.sleepFor(Millis{std::numeric_limits<std::int64_t>::max()}, stop.get_token()));
}

TEST(SystemClock, AStopWakesASleepForEver) {
    SystemClock clock;
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    // Comes back only because of the stop; the test's timeout is the bound.
    EXPECT_FALSE(clock.sleepFor(Millis{std::numeric_limits<std::int64_t>::max()}, stop.get_token()));
}

} // namespace bellwether
