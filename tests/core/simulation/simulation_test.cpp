// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>

#include <gtest/gtest.h>

#include "../sandbox/manual_clock.h"
#include "simulation/simulation.h"

namespace bellwether::simulation {
namespace {

using sandbox::ClientKind;
using testing_support::ManualClock;

const Role kRole = *Role::of("controller");
const MemberId kFirst = *MemberId::of("node-1");
const MemberId kSecond = *MemberId::of("node-2");
const MemberId kThird = *MemberId::of("node-3");

class SimulationTest : public testing::Test {
protected:
    Scenario scenario() {
        Scenario s;
        s.timing = {Millis{12'000}, Millis{4'000}, Millis{2'000}};
        for (const MemberId& member : {kFirst, kSecond, kThird}) {
            s.members.push_back({kRole, member, Millis{0}, ClientKind::endTxnV5});
        }
        return s;
    }

    Fault fault(std::int64_t millis, FaultKind kind, std::optional<MemberId> member = std::nullopt) {
        return {Millis{millis}, kind, kRole, member};
    }

    /// Steps until `moment` after the start.
    void runTo(Simulation& simulation, Millis moment) {
        while (elapsed_ < moment) {
            const Millis idle = simulation.step();
            const Millis move = std::clamp(idle, Millis{1}, std::max(moment - elapsed_, Millis{1}));
            clock->advance(move);
            elapsed_ += move;
        }
        (void)simulation.step();
    }

    MemberStatus statusOf(const Simulation& simulation, const MemberId& member) {
        for (const MemberStatus& status : simulation.members()) {
            if (status.member == member) {
                return status;
            }
        }
        ADD_FAILURE() << "no member " << member.str();
        return simulation.members().front();
    }

    std::vector<CoordinationEntry> records() {
        return cluster.makeTransport(ClientKind::older)->readRoleRecords(kRole).value();
    }

    std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
    sandbox::SandboxCluster cluster{clock};

private:
    Millis elapsed_{0};
};

using Believers = std::vector<MemberId>;

TEST_F(SimulationTest, TheFirstMemberTakesTheRoleAndRenewsIt) {
    Simulation simulation(cluster, clock, scenario());
    EXPECT_TRUE(simulation.believers(kRole).empty());
    runTo(simulation, Millis{60'000});
    EXPECT_EQ(simulation.believers(kRole), Believers{kFirst});
    const auto able = cluster.ableToCommit(kRole);
    ASSERT_EQ(able.size(), 1U);
    const auto described = cluster.makeTransport(ClientKind::older)->describe(kRole).value().value();
    EXPECT_EQ(described.producerEpoch - able.front().producerEpoch, 16)
        << "a grant, and a renewal every 4 s for a minute, each moving the epoch";
    ASSERT_FALSE(records().empty());
    EXPECT_EQ(std::get<Lease>(records().back().record.value).grantedAt, clock->wall());
}

TEST_F(SimulationTest, TheFirstStepBringsEverybodyUp) {
    Simulation simulation(cluster, clock, scenario());
    EXPECT_GT(simulation.step(), Millis{0});
    EXPECT_EQ(simulation.believers(kRole), Believers{kFirst});
    EXPECT_EQ(records().size(), 4U) << "three registrations and a lease";
}

TEST_F(SimulationTest, ACrashedHolderIsReplacedWhenItsLeaseIsOver) {
    Scenario s = scenario();
    s.faults = {fault(9'000, FaultKind::crash), fault(30'000, FaultKind::restart)};
    Simulation simulation(cluster, clock, s);
    runTo(simulation, Millis{19'900});
    EXPECT_TRUE(simulation.believers(kRole).empty());
    EXPECT_EQ(statusOf(simulation, kFirst).phase, MemberPhase::crashed);
    runTo(simulation, Millis{20'100});
    EXPECT_EQ(simulation.believers(kRole), Believers{kSecond}) << "renewed at 8 s, so over at 20 s";

    runTo(simulation, Millis{31'000});
    EXPECT_EQ(statusOf(simulation, kFirst).phase, MemberPhase::up);
    RoleState state(kRole);
    for (const auto& entry : records()) {
        state.apply(entry.record, entry.position);
    }
    EXPECT_EQ(state.roster().back().member, kFirst) << "a recovered member lands at the tail";
    EXPECT_EQ(simulation.believers(kRole), Believers{kSecond}) << "no failback";
}

TEST_F(SimulationTest, APausedHolderLearnsByAFence) {
    Scenario s = scenario();
    s.faults = {fault(9'000, FaultKind::pause), fault(40'000, FaultKind::resume)};
    Simulation simulation(cluster, clock, s);
    runTo(simulation, Millis{39'000});
    EXPECT_EQ(simulation.believers(kRole), (Believers{kFirst, kSecond}));
    ASSERT_EQ(cluster.ableToCommit(kRole).size(), 1U);
    EXPECT_EQ(cluster.ableToCommit(kRole).front(), statusOf(simulation, kSecond).token);
    EXPECT_EQ(statusOf(simulation, kFirst).fences, 0);
    runTo(simulation, Millis{40'100});
    EXPECT_EQ(simulation.believers(kRole), Believers{kSecond});
    EXPECT_EQ(statusOf(simulation, kFirst).fences, 1);
    EXPECT_EQ(statusOf(simulation, kFirst).token, FencingToken::none());
}

TEST_F(SimulationTest, AShortPauseCostsNothing) {
    Scenario s = scenario();
    s.faults = {fault(9'000, FaultKind::pause), fault(15'000, FaultKind::resume)};
    Simulation simulation(cluster, clock, s);
    runTo(simulation, Millis{60'000});
    EXPECT_EQ(simulation.believers(kRole), Believers{kFirst});
    EXPECT_EQ(statusOf(simulation, kFirst).fences, 0);
}

TEST_F(SimulationTest, AResignationHandsTheRoleOverAtOnce) {
    Scenario s = scenario();
    s.faults = {fault(20'000, FaultKind::resign)};
    Simulation simulation(cluster, clock, s);
    runTo(simulation, Millis{20'600});
    EXPECT_EQ(statusOf(simulation, kFirst).phase, MemberPhase::left);
    ASSERT_EQ(simulation.believers(kRole).size(), 1U);
    EXPECT_NE(simulation.believers(kRole).front(), kFirst);
    RoleState state(kRole);
    for (const auto& entry : records()) {
        state.apply(entry.record, entry.position);
    }
    EXPECT_EQ(state.rosterEntry(kFirst), std::nullopt);
}

TEST_F(SimulationTest, ANamedMemberIsStruck) {
    Scenario s = scenario();
    s.faults = {fault(5'000, FaultKind::crash, kSecond), fault(9'000, FaultKind::crash)};
    Simulation simulation(cluster, clock, s);
    runTo(simulation, Millis{23'000});
    EXPECT_EQ(statusOf(simulation, kSecond).phase, MemberPhase::crashed);
    EXPECT_EQ(simulation.believers(kRole), Believers{kThird}) << "of rank 1: 2 s after the deadline at 20 s";
}

TEST_F(SimulationTest, AClockAheadMovesTheFailoverNotTheSafety) {
    Scenario s = scenario();
    s.members[1].clockOffset = Millis{3'000};
    s.faults = {fault(9'000, FaultKind::crash)};
    Simulation simulation(cluster, clock, s);
    runTo(simulation, Millis{16'900});
    EXPECT_TRUE(simulation.believers(kRole).empty());
    runTo(simulation, Millis{17'100});
    EXPECT_EQ(simulation.believers(kRole), Believers{kSecond});
}

TEST_F(SimulationTest, AScriptRepeats) {
    Scenario s = scenario();
    s.faults = {fault(20'000, FaultKind::resign), fault(25'000, FaultKind::restart)};
    s.period = Millis{30'000};
    Simulation simulation(cluster, clock, s);
    const auto leader = [&](std::int64_t at) {
        runTo(simulation, Millis{at});
        const auto believers = simulation.believers(kRole);
        EXPECT_EQ(believers.size(), 1U);
        return believers.empty() ? std::string() : believers.front().str();
    };
    EXPECT_EQ(leader(19'000), "node-1");
    const auto second = leader(29'000);
    EXPECT_NE(second, "node-1");
    EXPECT_NE(leader(59'000), second);
}

TEST_F(SimulationTest, MembersComeBackWhenTheBrokersDo) {
    Simulation simulation(cluster, clock, scenario());
    runTo(simulation, Millis{10'000});
    cluster.setReachable(false);
    runTo(simulation, Millis{40'000});
    EXPECT_EQ(simulation.believers(kRole), Believers{kFirst}) << "only a fence ends a leadership";
    cluster.setReachable(true);
    runTo(simulation, Millis{42'000});
    const auto able = cluster.ableToCommit(kRole);
    ASSERT_EQ(able.size(), 1U);
    const auto believers = simulation.believers(kRole);
    EXPECT_TRUE(std::any_of(believers.begin(), believers.end(), [&](const MemberId& member) {
        return statusOf(simulation, member).token == able.front();
    }));
    runTo(simulation, Millis{50'000});
    EXPECT_EQ(simulation.believers(kRole).size(), 1U);
}

TEST_F(SimulationTest, AnIllegalTimingIsRefused) {
    Scenario s = scenario();
    s.timing.renewInterval = s.timing.duration;
    EXPECT_THROW(Simulation(cluster, clock, s), std::invalid_argument);
}

/// The clock runs by itself as fast as the thread asks for it.
TEST_F(SimulationTest, RunsByItselfBesideReaders) {
    Simulation simulation(cluster, clock, defaultScenario());
    simulation.start();
    simulation.start();
    EXPECT_THROW((void)simulation.step(), std::logic_error);
    auto consumer = cluster.logConsumers()(Isolation::readCommitted).value();
    const auto authority = cluster.authority();
    std::vector<PartitionOffset> start;
    for (std::int32_t partition = 0; partition < consumer->partitionCount(Millis{1'000}).value();
         ++partition) {
        start.push_back({partition, 0});
    }
    ASSERT_TRUE(consumer->assign(start));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    std::size_t read = 0;
    int fences = 0;
    while ((fences == 0 || read == 0) && std::chrono::steady_clock::now() < deadline) {
        read += consumer->poll(Millis{5}, 100).value().records.size();
        authority->describeRoles({kRole}, Millis{1'000}, [](const std::vector<RoleAnswer>&, bool) {});
        fences = 0;
        for (const MemberStatus& member : simulation.members()) {
            fences += member.fences;
        }
        EXPECT_LE(cluster.ableToCommit(kRole).size(), 1U);
    }
    EXPECT_GT(fences, 0);
    EXPECT_GT(read, 0U);
    simulation.stop();
    simulation.stop();
    authority->close();
    const auto before = simulation.members();
    simulation.start();
    simulation.stop();
    EXPECT_EQ(simulation.members().size(), before.size());
}

} // namespace
} // namespace bellwether::simulation
