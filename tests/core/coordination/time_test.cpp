// SPDX-License-Identifier: Apache-2.0
// Sums that never overflow, durations in words, instants as text, and the timing of leases.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordination/lease_timing.h"
#include "coordination/time.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing::HasSubstr;
using testing_support::member;
using testing_support::randomInt64;

constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

__extension__ using Wide = __int128;

std::int64_t clamped(Wide value) {
    return value > kMax ? kMax : (value < kMin ? kMin : static_cast<std::int64_t>(value));
}

TEST(Saturation, SumsAndProductsAreClampedAndOtherwiseExact) {
    std::mt19937_64 random(1);
    for (int i = 0; i < 100'000; ++i) {
        const auto a = randomInt64(random);
        const auto b = randomInt64(random);
        ASSERT_EQ(toMillis(saturatingAdd(wallTime(a), Millis{b})), clamped(Wide{a} + b)) << a << " + " << b;
        ASSERT_EQ(saturatingAdd(Millis{a}, Millis{b}).count(), clamped(Wide{a} + b)) << a << " + " << b;
        ASSERT_EQ(saturatingSubtract(wallTime(a), wallTime(b)).count(), clamped(Wide{a} - b))
            << a << " - " << b;
        ASSERT_EQ(saturatingMultiply(Millis{a}, b).count(), clamped(Wide{a} * b)) << a << " * " << b;
    }
}

TEST(Words, Durations) {
    const std::vector<std::pair<std::int64_t, std::string>> words{
        {0, "0 s"},
        {1, "1 ms"},
        {99, "99 ms"},
        {100, "0.1 s"},
        {400, "0.4 s"},
        {999, "0.9 s"},
        {1'000, "1 s"},
        {1'599, "1.5 s"},
        {9'999, "9.9 s"},
        {10'000, "10 s"},
        {21'000, "21 s"},
        {59'999, "59 s"},
        {60'000, "1 min"},
        {61'000, "1 min 1 s"},
        {599'999, "9 min 59 s"},
        {600'000, "10 min"},
        {1'920'000, "32 min"},
        {3'599'999, "59 min"},
        {3'600'000, "1 h"},
        {5 * 3'600'000 + 3 * 60'000, "5 h 3 min"},
        {86'399'999, "23 h 59 min"},
        {86'400'000, "1 day"},
        {90'000'000, "1 day 1 h"},
        {2 * 86'400'000, "2 days"},
        {3 * 86'400'000 - 1, "2 days 23 h"},
        {8 * 86'400'000 + 5'000, "8 days"},
        {364LL * 86'400'000, "364 days"},
        {31'556'952'000, "1 year"},
        {31'556'952'000 + 86'400'000, "1 year 1 day"},
        {2 * 31'556'952'000 + 40LL * 86'400'000, "2 years 40 days"},
        {53LL * 31'556'952'000, "53 years"},
        {12'345LL * 31'556'952'000, "12 thousand years"},
        {kMax, "292 million years"},
    };
    for (const auto& [ms, text] : words) {
        EXPECT_EQ(durationInWords(Millis{ms}), text) << ms;
        EXPECT_EQ(durationInWords(Millis{-ms}), text) << "the magnitude counts";
    }
    EXPECT_EQ(durationInWords(Millis{kMin}), "292 million years");
}

TEST(Words, AnyDurationIsShortAndNeverNegative) {
    std::mt19937_64 random(2);
    for (int i = 0; i < 50'000; ++i) {
        const auto text = durationInWords(Millis{randomInt64(random) >> testing_support::below(random, 60)});
        ASSERT_EQ(text.find('-'), std::string::npos) << text;
        ASSERT_LE(text.size(), 20U) << text;
        ASSERT_TRUE(text[0] >= '0' && text[0] <= '9') << text;
    }
}

TEST(Rfc3339, Instants) {
    const std::vector<std::pair<std::int64_t, std::string>> instants{
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {1'700'000'000'000, "2023-11-14T22:13:20.000Z"},
        {951'782'400'007, "2000-02-29T00:00:00.007Z"},
        {4'107'542'399'999, "2100-02-28T23:59:59.999Z"},
        {4'107'542'400'000, "2100-03-01T00:00:00.000Z"},
        {-62'135'596'800'000, "0001-01-01T00:00:00.000Z"},
        {253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
        {-62'135'596'800'001, "-62135596800001 ms since 1970"},
        {253'402'300'800'000, "253402300800000 ms since 1970"},
        {kMax, "9223372036854775807 ms since 1970"},
        {kMin, "-9223372036854775808 ms since 1970"},
    };
    for (const auto& [ms, text] : instants) {
        EXPECT_EQ(rfc3339Utc(wallTime(ms)), text);
    }
}

TEST(Timing, DefaultsAreLegalAndWithoutWarning) {
    const LeaseTiming timing;
    EXPECT_EQ(timing.duration, Millis{30'000});
    EXPECT_EQ(timing.renewInterval, Millis{10'000});
    EXPECT_EQ(timing.challengeStagger, Millis{5'000});
    EXPECT_TRUE(validate(timing));
    EXPECT_EQ(warning(timing), std::nullopt);
}

TEST(Timing, EveryIllegalFieldIsNamedWithItsValue) {
    const auto problem = [](std::int64_t duration, std::int64_t renew, std::int64_t stagger) {
        const auto result = validate({Millis{duration}, Millis{renew}, Millis{stagger}});
        if (result) {
            return std::string("legal");
        }
        EXPECT_EQ(result.error().code, ErrorCode::invalidArgument);
        EXPECT_FALSE(result.error().hint.empty());
        return result.error().what;
    };
    EXPECT_EQ(problem(0, 1, 1), "lease duration is 0 ms, it must be positive");
    EXPECT_EQ(problem(kMin, 1, 1), "lease duration is -9223372036854775808 ms, it must be positive");
    EXPECT_EQ(problem(10, 0, 1), "renew interval is 0 ms, it must be positive");
    EXPECT_EQ(problem(10, -5, 1), "renew interval is -5 ms, it must be positive");
    EXPECT_EQ(problem(10, 5, 0), "challenge stagger is 0 ms, it must be positive");
    EXPECT_EQ(problem(10, 10, 1), "renew interval is 10 ms, it must be below the lease duration of 10 ms");
    EXPECT_EQ(problem(10, 11, 1), "renew interval is 11 ms, it must be below the lease duration of 10 ms");
    EXPECT_EQ(problem(10, 9, 1), "legal");
    EXPECT_EQ(problem(2, 1, kMax), "legal");
}

TEST(Timing, ARenewIntervalOverAThirdIsWorthAWarning) {
    EXPECT_EQ(warning({Millis{30}, Millis{10}, Millis{1}}), std::nullopt);
    const auto text = warning({Millis{30}, Millis{11}, Millis{1}});
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("renew interval of 11 ms"));
    EXPECT_THAT(*text, HasSubstr("lease duration of 30 ms"));
    EXPECT_TRUE(warning({Millis{kMax - 1}, Millis{kMax - 2}, Millis{1}})) << "three times that saturates";
}

TEST(Timing, GrantAndDeadline) {
    const auto lease = grant(member("node-1"), {4242, 7}, wallTime(1'000), LeaseTiming{});
    EXPECT_EQ(lease, (Lease{member("node-1"), {4242, 7}, wallTime(1'000), wallTime(31'000)}));
    EXPECT_EQ(grant(member("m"), {0, 0}, wallTime(kMax - 10), LeaseTiming{}).deadline, wallTime(kMax));
    EXPECT_EQ(grant(member("m"), {0, 0}, wallTime(kMin), LeaseTiming{}).deadline, wallTime(kMin + 30'000));
}

TEST(Timing, LiveUntilTheDeadlineAndNotAtIt) {
    const Lease lease{member("m"), {0, 0}, wallTime(0), wallTime(30'000)};
    EXPECT_TRUE(isLive(lease, wallTime(kMin)));
    EXPECT_TRUE(isLive(lease, wallTime(29'999)));
    EXPECT_FALSE(isLive(lease, wallTime(30'000)));
    EXPECT_FALSE(isLive(lease, wallTime(kMax)));
}

TEST(Timing, RenewalIsDueBeforeTheDeadline) {
    const LeaseTiming timing;
    const auto due = [&timing](std::int64_t granted, std::int64_t deadline) {
        return toMillis(renewalDue({member("m"), {0, 0}, wallTime(granted), wallTime(deadline)}, timing));
    };
    EXPECT_EQ(due(0, 30'000), 10'000);
    EXPECT_EQ(due(0, 10'000), 10'000);
    EXPECT_EQ(due(0, 9'999), 9'999) << "a lease shorter than the interval is renewed by its deadline";
    EXPECT_EQ(due(kMax - 1, kMax), kMax);
    EXPECT_EQ(due(kMin, kMin), kMin);
    EXPECT_EQ(due(kMax, kMin), kMin);
}

} // namespace
} // namespace bellwether
