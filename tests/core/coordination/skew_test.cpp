// SPDX-License-Identifier: Apache-2.0
// Bounds on a clock's skew: never tighter than what was seen.
#include <limits>

#include <gtest/gtest.h>

#include "coordination/skew.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing_support::below;

constexpr Millis kWindow{600'000};

TEST(Skew, NothingIsKnownWithoutSamples) {
    EXPECT_EQ(SkewEstimator(SkewReference::console).bound(), std::nullopt);
}

TEST(Skew, TheSmallestDifferenceBoundsFromAbove) {
    SkewEstimator estimator(SkewReference::console);
    estimator.add(wallTime(1'000), wallTime(1'250));
    EXPECT_EQ(estimator.bound(), (SkewBound{SkewReference::console, Millis{250}, std::nullopt, 1}));
    estimator.add(wallTime(2'000), wallTime(2'040));
    estimator.add(wallTime(3'000), wallTime(3'500));
    EXPECT_EQ(estimator.bound(), (SkewBound{SkewReference::console, Millis{40}, std::nullopt, 3}));
}

TEST(Skew, AMemberAheadGivesANegativeBound) {
    SkewEstimator estimator(SkewReference::broker);
    estimator.add(wallTime(10'000), wallTime(7'000));
    EXPECT_EQ(estimator.bound(), (SkewBound{SkewReference::broker, Millis{-3'000}, std::nullopt, 1}));
}

TEST(Skew, AKnownDelayBoundsFromBelow) {
    SkewEstimator estimator(SkewReference::console);
    estimator.add(wallTime(1'000), wallTime(1'250), Millis{300});
    EXPECT_EQ(estimator.bound()->lowerBound, Millis{-50});
    estimator.add(wallTime(2'000), wallTime(2'260), Millis{100});
    EXPECT_EQ(estimator.bound(), (SkewBound{SkewReference::console, Millis{250}, Millis{160}, 2}));
    estimator.add(wallTime(3'000), wallTime(3'400), Millis{-1});
    EXPECT_EQ(estimator.bound()->lowerBound, Millis{160}) << "a negative delay is no knowledge";
}

TEST(Skew, TheWindowSlides) {
    SkewEstimator estimator(SkewReference::console, Millis{1'000});
    estimator.add(wallTime(0), wallTime(10));
    estimator.add(wallTime(900), wallTime(1'010));
    EXPECT_EQ(estimator.bound()->upperBound, Millis{10}) << "exactly as old as the window still counts";
    estimator.add(wallTime(900), wallTime(1'011));
    EXPECT_EQ(estimator.bound(), (SkewBound{SkewReference::console, Millis{110}, std::nullopt, 2}));
}

TEST(Skew, ASampleThatArrivesLateCountsWithinTheWindow) {
    SkewEstimator estimator(SkewReference::broker, Millis{1'000});
    estimator.add(wallTime(5'000), wallTime(5'100));
    estimator.add(wallTime(4'500), wallTime(4'520));
    EXPECT_EQ(estimator.bound()->upperBound, Millis{20});
    estimator.add(wallTime(5'400), wallTime(5'600));
    EXPECT_EQ(estimator.bound()->upperBound, Millis{100}) << "by its own time, not by its arrival";
}

TEST(Skew, AClockThatWasSetStartsAfresh) {
    SkewEstimator back(SkewReference::console, Millis{1'000});
    back.add(wallTime(10'000'000), wallTime(10'000'005));
    back.add(wallTime(10'000'100), wallTime(6'400'110));
    EXPECT_EQ(back.bound(), (SkewBound{SkewReference::console, Millis{-3'599'990}, std::nullopt, 1}));

    SkewEstimator apart(SkewReference::console);
    apart.add(wallTime(1'000), wallTime(1'010), Millis{10}); // between 0 and 10
    apart.add(wallTime(2'000), wallTime(7'010), Millis{10}); // between 5000 and 5010
    EXPECT_EQ(apart.bound(), (SkewBound{SkewReference::console, Millis{5'010}, Millis{5'000}, 1}));
}

TEST(Skew, ExtremesSaturate) {
    SkewEstimator estimator(SkewReference::console);
    estimator.add(wallTime(std::numeric_limits<std::int64_t>::min()), wallTime(1'000), Millis{1});
    EXPECT_EQ(estimator.bound()->upperBound, Millis{std::numeric_limits<std::int64_t>::max()});
    SkewEstimator other(SkewReference::console);
    other.add(wallTime(std::numeric_limits<std::int64_t>::max()), wallTime(-5), Millis{100});
    EXPECT_EQ(other.bound()->upperBound, Millis{std::numeric_limits<std::int64_t>::min()});
}

TEST(Skew, ReferencesHaveWords) {
    EXPECT_EQ(toString(SkewReference::console), "console");
    EXPECT_EQ(toString(SkewReference::broker), "broker");
}

/// The true skew lies within the bounds, and the bounds are those of some sample in the window.
TEST(Skew, BoundsHoldTheTruthAndAreNotTighterThanTheSamples) {
    std::mt19937_64 random(17);
    for (int i = 0; i < 2'000; ++i) {
        const auto skew = static_cast<std::int64_t>(below(random, 20'001)) - 10'000;
        SkewEstimator estimator(SkewReference::console, kWindow);

        struct Seen {
            std::int64_t reference;
            std::int64_t difference;
            std::optional<std::int64_t> lower;
        };

        std::vector<Seen> seen;
        std::int64_t member = 1'000'000;
        for (std::uint64_t n = 1 + below(random, 30); n > 0; --n) {
            member += static_cast<std::int64_t>(below(random, 100'000));
            const auto delay = static_cast<std::int64_t>(below(random, 3'000));
            const auto reference = member + skew + delay;
            std::optional<Millis> most;
            if (below(random, 2) == 0) {
                most = Millis{delay + static_cast<std::int64_t>(below(random, 500))};
            }
            estimator.add(wallTime(member), wallTime(reference), most);
            seen.push_back({reference, reference - member,
                            most ? std::optional(reference - member - most->count()) : std::nullopt});

            const auto bound = estimator.bound();
            ASSERT_TRUE(bound);
            ASSERT_GE(bound->upperBound.count(), skew);
            ASSERT_TRUE(!bound->lowerBound || bound->lowerBound->count() <= skew);

            std::int64_t newest = seen.front().reference;
            for (const auto& each : seen) {
                newest = std::max(newest, each.reference);
            }
            std::optional<std::int64_t> upper;
            std::optional<std::int64_t> lower;
            for (const auto& each : seen) {
                if (newest - each.reference <= kWindow.count()) {
                    upper = upper ? std::min(*upper, each.difference) : each.difference;
                    if (each.lower) {
                        lower = lower ? std::max(*lower, *each.lower) : *each.lower;
                    }
                }
            }
            ASSERT_EQ(bound->upperBound.count(), upper.value());
            ASSERT_EQ(bound->lowerBound.has_value(), lower.has_value());
            ASSERT_TRUE(!lower || bound->lowerBound->count() == *lower);
        }
    }
}

} // namespace
} // namespace bellwether
