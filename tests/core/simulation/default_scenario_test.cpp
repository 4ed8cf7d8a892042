// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>

#include "../sandbox/manual_clock.h"
#include "client/coordination_client.h"
#include "coordination/succession.h"
#include "simulation/simulation.h"

namespace bellwether::simulation {
namespace {

using testing_support::ManualClock;

constexpr Millis kTenMinutes{600'000};
/// A step may come this much after the instant it was due: the poll interval of a member that waits.
constexpr Millis kSlack = CoordinationClient::kRetryInterval + Millis{100};

/// Runs the default scenario on a manual clock and watches every step through the cluster's own eyes.
class Watch {
public:
    Watch()
        : clock_(std::make_shared<ManualClock>())
        , cluster_(clock_)
        , scenario_(defaultScenario())
        , simulation_(cluster_, clock_, scenario_)
        , reader_(cluster_.makeTransport(sandbox::ClientKind::older)) {
        for (const MemberSpec& spec : scenario_.members) {
            roles_[spec.role];
            offsets_[{spec.role, spec.member}] = spec.clockOffset;
        }
    }

    void runFor(Millis duration) {
        const SteadyTime end = clock_->steady() + duration;
        while (clock_->steady() < end && !testing::Test::HasFailure()) {
            const Millis idle = simulation_.step();
            members_ = simulation_.members();
            for (auto& [role, seen] : roles_) {
                lookAt(role, seen);
            }
            clock_->advance(std::max(idle, Millis{1}));
            ++steps_;
        }
    }

    struct Seen {
        std::optional<FencingToken> described;
        std::optional<MemberId> leader;       ///< up, believing, able to commit
        std::optional<SteadyTime> ledAgainBy; ///< while vacant: when the roster says somebody takes over
        std::optional<MemberId> lastLeader;
        std::set<MemberId> leaders;
        std::vector<SteadyTime> failovers;
        std::map<MemberId, SteadyTime>
            wrongSince; ///< believers that are not the epoch's owner, while running
        int wrongBelievers = 0;
    };

    [[nodiscard]] const std::map<Role, Seen>& roles() const { return roles_; }

    [[nodiscard]] const std::vector<MemberStatus>& members() const { return members_; }

    [[nodiscard]] std::string trace() const { return trace_.str(); }

    [[nodiscard]] Millis elapsed() const { return clock_->steady() - SteadyTime{Millis{1'000}}; }

    [[nodiscard]] int steps() const { return steps_; }

private:
    RoleState stateOf(const Role& role) {
        RoleState state(role);
        const auto entries = reader_->readRoleRecords(role);
        EXPECT_TRUE(entries) << (entries ? "" : entries.error().text());
        for (const auto& entry : *entries) {
            state.apply(entry.record, entry.position);
        }
        return state;
    }

    /// The earliest turn among the members that run, on the cluster's clock.
    SteadyTime nextTurn(const Role& role) {
        const RoleState state = stateOf(role);
        std::optional<Millis> earliest;
        for (const MemberStatus& member : members_) {
            const auto turn = member.role == role && member.phase == MemberPhase::up
                                  ? challengeInstant(state, member.member, scenario_.timing)
                                  : std::nullopt;
            if (turn) {
                const Millis wait = *turn - offsets_.at({role, member.member}) - clock_->wall();
                earliest = std::min(earliest.value_or(wait), wait);
            }
        }
        return clock_->steady() + std::max(earliest.value_or(Millis{0}), Millis{0});
    }

    void lookAt(const Role& role, Seen& seen) {
        const auto able = cluster_.ableToCommit(role);
        ASSERT_LE(able.size(), 1U) << "two members of " << role.str() << " can commit";
        const auto described = reader_->describe(role).value();
        if (seen.described && described) {
            ASSERT_LE(*seen.described, *described) << "the epoch of " << role.str() << " went back";
        }
        seen.described = described;

        std::optional<MemberId> leader;
        for (const MemberStatus& member : members_) {
            if (member.role != role || !member.believes) {
                continue;
            }
            const bool owns = !able.empty() && able.front() == member.token;
            if (owns && member.phase == MemberPhase::up) {
                leader = member.member;
            }
            noteBeliever(role, seen, member, owns);
        }
        std::erase_if(seen.wrongSince,
                      [&](const auto& wrong) { return !stillWrong(role, wrong.first, able); });
        noteLeader(role, seen, leader);
    }

    [[nodiscard]] bool stillWrong(const Role& role, const MemberId& id,
                                  const std::vector<FencingToken>& able) const {
        return std::any_of(members_.begin(), members_.end(), [&](const MemberStatus& member) {
            return member.role == role && member.member == id && member.believes &&
                   member.phase == MemberPhase::up && (able.empty() || able.front() != member.token);
        });
    }

    void noteBeliever(const Role& role, Seen& seen, const MemberStatus& member, bool owns) {
        if (owns || member.phase != MemberPhase::up) {
            return;
        }
        const auto [since, isNew] = seen.wrongSince.emplace(member.member, clock_->steady());
        seen.wrongBelievers += isNew ? 1 : 0;
        ASSERT_LE(clock_->steady() - since->second, scenario_.timing.renewInterval + kSlack)
            << member.member.str() << " went on believing that it leads " << role.str();
    }

    void noteLeader(const Role& role, Seen& seen, const std::optional<MemberId>& leader) {
        const SteadyTime now = clock_->steady();
        if (seen.leader && !leader) {
            seen.ledAgainBy = nextTurn(role) + kSlack;
        }
        if (!leader && seen.ledAgainBy) {
            ASSERT_LE(now, *seen.ledAgainBy) << role.str() << " stays without a leader";
        }
        if (leader) {
            if (!seen.leaders.empty() && seen.lastLeader != leader) {
                seen.failovers.push_back(now);
            }
            seen.lastLeader = leader;
            seen.leaders.insert(*leader);
            seen.ledAgainBy.reset();
        }
        if (leader != seen.leader) {
            trace_ << elapsed().count() << ' ' << role.str() << ' ' << (leader ? leader->str() : "nobody")
                   << ' ' << (seen.described ? seen.described->text() : "none") << '\n';
        }
        seen.leader = leader;
    }

    std::shared_ptr<ManualClock> clock_;
    sandbox::SandboxCluster cluster_;
    Scenario scenario_;
    Simulation simulation_;
    std::unique_ptr<CoordinationTransport> reader_;
    std::map<Role, Seen> roles_;
    std::map<std::pair<Role, MemberId>, Millis> offsets_;
    std::vector<MemberStatus> members_;
    std::ostringstream trace_;
    int steps_ = 0;
};

TEST(DefaultScenario, KeepsEveryPromiseForTenMinutes) {
    Watch watch;
    watch.runFor(kTenMinutes);
    SCOPED_TRACE(watch.trace());
    ASSERT_GE(watch.elapsed(), kTenMinutes);
    EXPECT_GE(watch.roles().size(), 5U);
    for (const auto& [role, seen] : watch.roles()) {
        EXPECT_GE(seen.leaders.size(), 2U) << role.str() << " never changed hands";
    }
    // Four rounds: the paused holder comes back to a fence in each.
    const Role archiver = *Role::of("archiver");
    EXPECT_EQ(watch.roles().at(archiver).failovers.size(), 4U);
    int fences = 0;
    for (const MemberStatus& member : watch.members()) {
        fences += member.role == archiver ? member.fences : 0;
    }
    EXPECT_EQ(fences, 4);
    EXPECT_EQ(watch.roles().at(*Role::of("controller")).failovers.size(), 5U);
    EXPECT_EQ(watch.roles().at(*Role::of("scheduler")).failovers.size(), 8U);

    std::vector<SteadyTime> all{SteadyTime{Millis{1'000}}};
    for (const auto& [role, seen] : watch.roles()) {
        all.insert(all.end(), seen.failovers.begin(), seen.failovers.end());
    }
    std::sort(all.begin(), all.end());
    for (std::size_t i = 1; i < all.size(); ++i) {
        EXPECT_LE(all[i] - all[i - 1], Millis{40'000}) << "a newcomer sees nothing happen";
    }
}

TEST(DefaultScenario, ANewcomerSeesAFailoverInTime) {
    Watch watch;
    watch.runFor(Millis{25'000});
    SCOPED_TRACE(watch.trace());
    EXPECT_FALSE(watch.roles().at(*Role::of("controller")).failovers.empty());
    for (const auto& [role, seen] : watch.roles()) {
        EXPECT_TRUE(seen.leader) << role.str();
    }
}

TEST(DefaultScenario, IsTheSameEveryTime) {
    Watch first;
    Watch second;
    first.runFor(Millis{200'000});
    second.runFor(Millis{200'000});
    EXPECT_FALSE(first.trace().empty());
    EXPECT_EQ(first.trace(), second.trace());
    EXPECT_EQ(first.steps(), second.steps());
}

} // namespace
} // namespace bellwether::simulation
