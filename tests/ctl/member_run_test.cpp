// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "ctl/member_run.h"
#include "manual_clock.h"
#include "memory_cluster.h"

namespace bellwether::ctl {

using bellwether::test::ManualClock;
using bellwether::test::MemoryCluster;
using bellwether::test::MemoryTransport;

class MemberRunTest : public testing::Test {
protected:
    using Kinds = std::vector<MemberEventKind>;
    using Kind = MemberEventKind;

    MemberRunEnd run() {
        MemberRun member(transport, clock, options, [this](const MemberEvent& event) {
            events.push_back(event);
            return events.size() < readerLeavesAfter;
        });
        const MemberRunEnd end = member.run(stop.get_token());
        error = member.error();
        return end;
    }

    /// What happens once the member has slept up to `at` after the start.
    void at(Millis when, std::function<void()> what) {
        script.emplace_back(clock.steady() + when, std::move(what));
        clock.duringSleep = [this] {
            while (!script.empty() && clock.steady() >= script.front().first) {
                const auto next = script.front().second;
                script.erase(script.begin());
                next();
            }
        };
    }

    [[nodiscard]] Kinds kinds() const {
        Kinds kinds;
        for (const auto& event : events) {
            kinds.push_back(event.kind);
        }
        return kinds;
    }

    [[nodiscard]] bool leaseIsCleared() const {
        const auto newest = std::find_if(cluster.log.rbegin(), cluster.log.rend(), [](const auto& entry) {
            return entry.record.key.kind == RecordKind::lease;
        });
        return newest != cluster.log.rend() && newest->record.isTombstone();
    }

    [[nodiscard]] bool inRoster(const MemberId& member) const {
        RoleState state(role);
        for (const auto& entry : cluster.log) {
            state.apply(entry.record, entry.position);
        }
        return state.rosterEntry(member).has_value();
    }

    const Role role = *Role::of("controller");
    const MemberId me = *MemberId::of("node-1");
    const MemberId rival = *MemberId::of("node-2");
    MemoryCluster cluster;
    ManualClock clock;
    MemoryTransport transport{cluster};
    MemberRunOptions options{role, me, LeaseTiming{}, std::nullopt, false, true};
    std::vector<std::pair<SteadyTime, std::function<void()>>> script;
    std::stop_source stop;
    std::vector<MemberEvent> events;
    std::size_t readerLeavesAfter = 1'000;
    std::optional<Error> error;
};

TEST_F(MemberRunTest, LeadsRenewsAndLeavesCleanlyWhenStopped) {
    at(Millis{25'000}, [this] { stop.request_stop(); });
    // The renewal instants are 10 s and 20 s; the stop is noticed at the end of the sleep that it falls into.
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::renewed, Kind::renewed,
                              Kind::deregistered, Kind::resigned}));
    EXPECT_TRUE(leaseIsCleared());
    EXPECT_FALSE(inRoster(me));
    EXPECT_EQ(events[1].token, (FencingToken{4242, 0}));
    EXPECT_EQ(events[2].token, events[1].token);
    EXPECT_EQ(*events[2].until, *events[1].until + Millis{10'000});
    EXPECT_FALSE(error);
}

TEST_F(MemberRunTest, HoldForEndsIt) {
    options.holdFor = Millis{12'345};
    const SteadyTime begun = clock.steady();
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(clock.steady() - begun, Millis{12'345});
    EXPECT_TRUE(leaseIsCleared());
}

TEST_F(MemberRunTest, CanStayInTheRoster) {
    options.holdFor = Millis{0};
    options.deregister = false;
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::resigned}));
    EXPECT_TRUE(inRoster(me));
    EXPECT_TRUE(leaseIsCleared());
}

TEST_F(MemberRunTest, SaysWhatItWaitsForOnceAndNotAtEveryRenewal) {
    cluster.registerMember(role, Registration{rival, clock.wall()});
    const Lease first = cluster.lead(role, rival, clock.wall(), Millis{30'000});
    at(Millis{10'000}, [this, first] {
        Lease renewed = first;
        renewed.grantedAt = clock.wall();
        renewed.deadline = clock.wall() + Millis{30'000};
        cluster.writeLease(role, renewed);
    });
    at(Millis{45'000}, [this] { stop.request_stop(); });

    EXPECT_EQ(run(), MemberRunEnd::left);

    ASSERT_EQ(kinds(),
              (Kinds{Kind::registered, Kind::waiting, Kind::leading, Kind::deregistered, Kind::resigned}));
    EXPECT_EQ(events[1].detail, "node-2 leads under 4242:0, rank 0");
    EXPECT_EQ(events[1].until, first.deadline);
    EXPECT_EQ(events[2].at, first.deadline + Millis{10'000});
    EXPECT_EQ(events[2].token, (FencingToken{4242, 1}));
}

TEST_F(MemberRunTest, AFenceNamesTheSuccessorAndSendsItToTheTail) {
    at(Millis{5'000}, [this] {
        cluster.registerMember(role, Registration{rival, clock.wall()});
        cluster.lead(role, rival, clock.wall(), Millis{30'000});
    });
    at(Millis{20'000}, [this] { stop.request_stop(); });

    EXPECT_EQ(run(), MemberRunEnd::left);

    ASSERT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::fenced, Kind::registered, Kind::waiting,
                              Kind::deregistered}));
    EXPECT_EQ(events[2].detail, "node-2 leads under 4242:1");
    EXPECT_EQ(events[2].token, (FencingToken{4242, 0}));
    EXPECT_FALSE(events[4].token) << "a dead token is not shown any more";
    EXPECT_FALSE(leaseIsCleared());
}

TEST_F(MemberRunTest, AFenceWithoutASuccessorClaimsNone) {
    at(Millis{5'000}, [this] { cluster.mint(role); });
    options.once = true;
    EXPECT_EQ(run(), MemberRunEnd::lost);
    ASSERT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::fenced, Kind::deregistered}));
    EXPECT_NE(events[2].detail.find("4242:1"), std::string::npos) << events[2].detail;
    EXPECT_EQ(events[2].detail.find("leads"), std::string::npos) << events[2].detail;
    ASSERT_TRUE(error);
    EXPECT_TRUE(error->fenced);
}

TEST_F(MemberRunTest, TwoProcessesOfOneNameDoNotFenceEachOtherForEver) {
    at(Millis{5'000}, [this] { cluster.lead(role, me, clock.wall(), Millis{30'000}); });
    EXPECT_EQ(run(), MemberRunEnd::failed);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::fenced, Kind::failed}));
    ASSERT_TRUE(error);
    EXPECT_NE(error->text().find("another process runs as member node-1"), std::string::npos);
    EXPECT_TRUE(inRoster(me)) << "the registration is the other process's as well";
}

TEST_F(MemberRunTest, AnExpiredIdIsItsOwnEventAndTheRoleIsTakenAgain) {
    at(Millis{5'000},
       [this] { transport.failNext("write", MemoryTransport::error(ErrorCode::idExpired, false)); });
    at(Millis{12'000}, [this] { stop.request_stop(); });
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::idExpired, Kind::registered,
                              Kind::leading, Kind::deregistered, Kind::resigned}));
}

TEST_F(MemberRunTest, ARenewalThatFailsIsTriedAgainAndToldOnce) {
    at(Millis{5'000}, [this] {
        for (int i = 0; i < 3; ++i) {
            transport.failNext("write", MemoryTransport::error(ErrorCode::unreachable, true));
        }
    });
    at(Millis{15'000}, [this] { stop.request_stop(); });
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::trouble, Kind::renewed,
                              Kind::deregistered, Kind::resigned}));
    EXPECT_EQ(events[3].at - events[2].at, Millis{1'500});
}

TEST_F(MemberRunTest, AWallClockThatIsSetBackDoesNotStopRenewals) {
    at(Millis{10'000}, [this] { clock.setWall(clock.wall() - Millis{3'600'000}); });
    at(Millis{35'000}, [this] { stop.request_stop(); });
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_GE(std::count(transport.calls.begin(), transport.calls.end(), "write"), 4);
}

TEST_F(MemberRunTest, TroubleWhileWaitingIsRetriedAndToldOnce) {
    for (int i = 0; i < 5; ++i) {
        transport.failNext("read", MemoryTransport::error(ErrorCode::unreachable, true));
    }
    options.holdFor = Millis{0};
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(),
              (Kinds{Kind::trouble, Kind::registered, Kind::leading, Kind::deregistered, Kind::resigned}));
    EXPECT_EQ(clock.sleeps.size(), 5U);
}

TEST_F(MemberRunTest, ARegistrationOfUnknownOutcomeIsTakenBack) {
    transport.failNext("register", MemoryTransport::error(ErrorCode::timeout, true));
    at(Millis{1}, [this] { stop.request_stop(); });
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(), (Kinds{Kind::trouble, Kind::deregistered}));
}

TEST_F(MemberRunTest, AnErrorThatNoRetryCuresEndsIt) {
    transport.failNext("read", MemoryTransport::error(ErrorCode::topicMissing, false));
    EXPECT_EQ(run(), MemberRunEnd::failed);
    EXPECT_EQ(kinds(), Kinds{Kind::failed});
    EXPECT_EQ(error->code, ErrorCode::topicMissing);
    EXPECT_EQ(transport.calls, std::vector<std::string>{"read"});
}

TEST_F(MemberRunTest, LeavingADeadClusterSaysSoAndTriesBoth) {
    transport.failNext("deregister", MemoryTransport::error(ErrorCode::unreachable, true));
    transport.failNext("clear", MemoryTransport::error(ErrorCode::timeout, true));
    options.holdFor = Millis{0};
    EXPECT_EQ(run(), MemberRunEnd::leftUnclean);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading, Kind::trouble, Kind::trouble}));
    EXPECT_EQ(error->code, ErrorCode::timeout);
    EXPECT_EQ(std::count(transport.calls.begin(), transport.calls.end(), "clear"), 1);
}

TEST_F(MemberRunTest, AReaderThatLeavesEndsTheMemberCleanly) {
    readerLeavesAfter = 2;
    EXPECT_EQ(run(), MemberRunEnd::left);
    EXPECT_EQ(kinds(), (Kinds{Kind::registered, Kind::leading}));
    EXPECT_TRUE(leaseIsCleared());
    EXPECT_FALSE(inRoster(me));
}

TEST_F(MemberRunTest, AHiddenRegistrationIsToldOnce) {
    cluster.registerMember(role, Registration{rival, clock.wall()});
    cluster.readableTo = 1;
    at(Millis{3'000}, [this] { stop.request_stop(); });
    EXPECT_EQ(run(), MemberRunEnd::left);
    ASSERT_EQ(kinds(), (Kinds{Kind::registered, Kind::waiting, Kind::deregistered}));
    EXPECT_NE(events[1].detail.find("open transaction"), std::string::npos);
}

} // namespace bellwether::ctl
