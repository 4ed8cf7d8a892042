// SPDX-License-Identifier: Apache-2.0
// What a member does now: rank, challenge instant, decision.
#include <limits>

#include <gtest/gtest.h>

#include "coordination/succession.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing_support::below;
using testing_support::member;
using testing_support::randomInt64;
using testing_support::role;

constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
const LeaseTiming kTiming{};

/// A role with members registered at offsets 0, 1, 2, ... and, when given, a lease after them.
class Scene {
public:
    explicit Scene(const std::vector<std::string>& members) {
        for (const auto& name : members) {
            enroll(name, 1'000 * (offset_ + 1));
        }
    }

    void enroll(const std::string& name, std::int64_t when) {
        state_.apply({{RecordKind::registration, role("controller"), member(name)},
                      Registration{member(name), wallTime(when)},
                      {}},
                     {0, offset_++, {}, TimestampType::unknown});
    }

    void withdraw(const std::string& name) {
        state_.apply({{RecordKind::registration, role("controller"), member(name)}, std::monostate{}, {}},
                     {0, offset_++, {}, TimestampType::unknown});
    }

    void lease(const std::string& name, std::int64_t granted, std::int64_t deadline) {
        state_.apply({{RecordKind::lease, role("controller"), std::nullopt},
                      Lease{member(name), {1, 1}, wallTime(granted), wallTime(deadline)},
                      {}},
                     {0, offset_++, {}, TimestampType::unknown});
    }

    void release() {
        state_.apply({{RecordKind::lease, role("controller"), std::nullopt}, std::monostate{}, {}},
                     {0, offset_++, {}, TimestampType::unknown});
    }

    [[nodiscard]] std::int64_t rank(const std::string& name) const {
        return rankOf(state_, member(name)).value_or(-1);
    }

    [[nodiscard]] std::int64_t challenge(const std::string& name, const LeaseTiming& timing = kTiming) const {
        return toMillis(challengeInstant(state_, member(name), timing).value());
    }

    [[nodiscard]] SuccessionDecision decision(const std::string& name, std::int64_t now,
                                              const LeaseTiming& timing = kTiming) const {
        return decide(state_, member(name), wallTime(now), timing);
    }

    [[nodiscard]] const RoleState& state() const { return state_; }

private:
    RoleState state_{role("controller")};
    std::int64_t offset_ = 0;
};

SuccessionDecision does(SuccessionAction action, std::int64_t at) {
    return {action, wallTime(at)};
}

TEST(Rank, IndexWithoutTheHolder) {
    Scene scene({"a", "b", "c", "d"});
    EXPECT_EQ(scene.rank("a"), 0);
    EXPECT_EQ(scene.rank("b"), 1);
    EXPECT_EQ(scene.rank("d"), 3);
    scene.lease("b", 0, 30'000);
    EXPECT_EQ(scene.rank("b"), 0) << "the holder itself";
    EXPECT_EQ(scene.rank("a"), 0);
    EXPECT_EQ(scene.rank("c"), 1);
    EXPECT_EQ(scene.rank("d"), 2);
    EXPECT_EQ(rankOf(scene.state(), member("stranger")), std::nullopt);
    scene.release();
    EXPECT_EQ(scene.rank("b"), 1);
}

TEST(Rank, AHolderThatIsNotRegisteredHasNoneAndShiftsNobody) {
    Scene scene({"a", "b"});
    scene.lease("ghost", 0, 30'000);
    EXPECT_EQ(rankOf(scene.state(), member("ghost")), std::nullopt);
    EXPECT_EQ(scene.rank("a"), 0);
    EXPECT_EQ(scene.rank("b"), 1);
}

TEST(Rank, NoFailback) {
    Scene scene({"node-1", "node-2", "node-3"});
    scene.lease("node-1", 0, 30'000);
    EXPECT_EQ(scene.rank("node-2"), 0);
    // node-1 fails, node-2 takes over, node-1 recovers and registers again: it stands behind node-3.
    scene.lease("node-2", 30'000, 60'000);
    scene.enroll("node-1", 40'000);
    EXPECT_EQ(scene.rank("node-3"), 0);
    EXPECT_EQ(scene.rank("node-1"), 1);
    EXPECT_EQ(scene.challenge("node-3"), 60'000);
    EXPECT_EQ(scene.challenge("node-1"), 65'000);
    scene.withdraw("node-3");
    EXPECT_EQ(scene.rank("node-1"), 0);
}

TEST(ChallengeInstant, WithAndWithoutALease) {
    Scene scene({"a", "b", "c"}); // registered at 1000, 2000, 3000
    EXPECT_EQ(scene.challenge("a"), 1'000);
    EXPECT_EQ(scene.challenge("b"), 7'000);
    EXPECT_EQ(scene.challenge("c"), 13'000);
    scene.lease("a", 10'000, 40'000);
    EXPECT_EQ(scene.challenge("a"), 40'000);
    EXPECT_EQ(scene.challenge("b"), 40'000);
    EXPECT_EQ(scene.challenge("c"), 45'000);
    EXPECT_EQ(challengeInstant(scene.state(), member("stranger"), kTiming), std::nullopt);
}

TEST(ChallengeInstant, Saturates) {
    Scene scene({"a", "b", "c", "d"});
    LeaseTiming timing;
    timing.challengeStagger = Millis{kMax};
    EXPECT_EQ(scene.challenge("a", timing), 1'000);
    EXPECT_EQ(scene.challenge("b", timing), kMax);
    EXPECT_EQ(scene.challenge("d", timing), kMax) << "rank times stagger alone is over the limit";
    scene.lease("a", 0, kMax - 1);
    EXPECT_EQ(scene.challenge("c"), kMax);
    EXPECT_EQ(scene.challenge("b"), kMax - 1);
    scene.lease("a", kMin, kMin);
    EXPECT_EQ(scene.challenge("d"), kMin + 10'000);
    EXPECT_EQ(scene.challenge("c", timing), -1) << "exact although both ends are extreme";
}

TEST(Decision, Table) {
    Scene scene({"a", "b", "c"});
    scene.lease("a", 10'000, 40'000);
    EXPECT_EQ(scene.decision("stranger", 0),
              (SuccessionDecision{SuccessionAction::notRegistered, std::nullopt}));
    EXPECT_EQ(scene.decision("a", 10'000), does(SuccessionAction::hold, 20'000));
    EXPECT_EQ(scene.decision("a", 39'999), does(SuccessionAction::hold, 20'000));
    EXPECT_EQ(scene.decision("a", 40'000), does(SuccessionAction::challenge, 40'000))
        << "expired at the deadline";
    EXPECT_EQ(scene.decision("b", 39'999), does(SuccessionAction::wait, 40'000));
    EXPECT_EQ(scene.decision("b", 40'000), does(SuccessionAction::challenge, 40'000));
    EXPECT_EQ(scene.decision("c", 40'000), does(SuccessionAction::wait, 45'000));
    EXPECT_EQ(scene.decision("c", 44'999), does(SuccessionAction::wait, 45'000));
    EXPECT_EQ(scene.decision("c", 45'000), does(SuccessionAction::challenge, 45'000));
}

TEST(Decision, WithoutALease) {
    Scene scene({"a", "b"});
    EXPECT_EQ(scene.decision("a", 999), does(SuccessionAction::wait, 1'000));
    EXPECT_EQ(scene.decision("a", 1'000), does(SuccessionAction::challenge, 1'000));
    EXPECT_EQ(scene.decision("b", 6'999), does(SuccessionAction::wait, 7'000));
    EXPECT_EQ(scene.decision("b", 7'000), does(SuccessionAction::challenge, 7'000));
}

TEST(Decision, AHolderThatIsNotRegisteredRegistersFirst) {
    Scene scene({"a"});
    scene.lease("ghost", 0, 30'000);
    EXPECT_EQ(scene.decision("ghost", 1),
              (SuccessionDecision{SuccessionAction::notRegistered, std::nullopt}));
    scene.lease("a", 0, 30'000);
    scene.withdraw("a");
    EXPECT_EQ(scene.decision("a", 1).action, SuccessionAction::notRegistered);
}

TEST(Decision, RenewalOfAShortLeaseIsDueAtItsDeadline) {
    Scene scene({"a"});
    scene.lease("a", 0, 4'000);
    EXPECT_EQ(scene.decision("a", 1), does(SuccessionAction::hold, 4'000));
}

TEST(Decision, AbsurdClocks) {
    Scene scene({"a", "b"});
    scene.lease("a", 0, kMax);
    EXPECT_EQ(scene.decision("a", kMax - 1).action, SuccessionAction::hold);
    EXPECT_EQ(scene.decision("b", kMax - 1), does(SuccessionAction::wait, kMax));
    EXPECT_EQ(scene.decision("b", kMax).action, SuccessionAction::challenge);
    scene.lease("a", kMin, kMin);
    EXPECT_EQ(scene.decision("a", kMin), does(SuccessionAction::challenge, kMin));
    EXPECT_EQ(scene.decision("b", kMin), does(SuccessionAction::challenge, kMin));
}

TEST(Decision, ActionsHaveWords) {
    EXPECT_EQ(toString(SuccessionAction::notRegistered), "not registered");
    EXPECT_EQ(toString(SuccessionAction::hold), "hold");
    EXPECT_EQ(toString(SuccessionAction::challenge), "challenge");
    EXPECT_EQ(toString(SuccessionAction::wait), "wait");
}

/// Laws that hold for every roster, lease, instant and timing.
TEST(Decision, Laws) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 20'000; ++i) {
        Scene scene({});
        std::vector<std::string> present;
        for (std::uint64_t n = below(random, 5); n > 0; --n) {
            present.push_back("m" + std::to_string(n));
            scene.enroll(present.back(), randomInt64(random));
        }
        const bool hasLease = below(random, 3) != 0;
        const auto holder = "m" + std::to_string(1 + below(random, 6));
        const auto deadline = randomInt64(random);
        if (hasLease) {
            scene.lease(holder, randomInt64(random), deadline);
        }
        const auto now = below(random, 3) == 0 ? deadline : randomInt64(random);
        LeaseTiming timing;
        timing.challengeStagger = Millis{1 + (randomInt64(random) & (kMax - 1))};

        std::vector<std::int64_t> ranks;
        for (const auto& name : present) {
            const auto decision = scene.decision(name, now, timing);
            const bool holds = hasLease && name == holder;
            ASSERT_NE(decision.action, SuccessionAction::notRegistered);
            ASSERT_EQ(decision.action == SuccessionAction::hold, holds && now < deadline);
            if (decision.action == SuccessionAction::wait) {
                ASSERT_LT(now, toMillis(*decision.at));
            }
            if (decision.action == SuccessionAction::challenge) {
                ASSERT_GE(now, toMillis(*decision.at));
                ASSERT_TRUE(!hasLease || now >= deadline) << "nobody challenges a live lease";
            }
            if (!holds) {
                ranks.push_back(scene.rank(name));
            }
        }
        for (std::size_t n = 0; n < ranks.size(); ++n) {
            ASSERT_EQ(ranks[n], static_cast<std::int64_t>(n)) << "ranks are 0, 1, 2, ... in offset order";
        }
    }
}

} // namespace
} // namespace bellwether
