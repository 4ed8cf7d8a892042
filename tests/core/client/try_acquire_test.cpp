// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <stdexcept>

#include "member_fixture.h"

namespace bellwether::test {

using TryAcquire = MemberFixture;

TEST_F(TryAcquire, RegistersReadsAgainAndLeadsAnEmptyRole) {
    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_EQ(transport.calls, (Calls{"read", "register", "read", "mint", "write"}));
    EXPECT_EQ(attempt->decision.action, SuccessionAction::challenge);
    EXPECT_FALSE(attempt->lostRace);
    ASSERT_NE(attempt->leadership, nullptr);
    EXPECT_EQ(attempt->leadership->token(), (FencingToken{4242, 0}));
    ASSERT_NE(cluster.lastLease(), nullptr);
    EXPECT_EQ(*cluster.lastLease(), attempt->leadership->lease());
    EXPECT_EQ(cluster.lastLease()->grantedAt, clock.wall());
    EXPECT_EQ(cluster.lastLease()->deadline, clock.wall() + Millis{30'000});
    const auto* registration = std::get_if<Registration>(&cluster.log.front().record.value);
    ASSERT_NE(registration, nullptr);
    EXPECT_EQ(registration->registeredAt, clock.wall());
}

TEST_F(TryAcquire, DoesNotRegisterTwice) {
    rivalLeads();
    ASSERT_TRUE(client.tryAcquire(role, me));
    const auto size = cluster.log.size();
    transport.calls.clear();

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_EQ(transport.calls, Calls{"read"});
    EXPECT_EQ(cluster.log.size(), size);
    EXPECT_EQ(attempt->decision.action, SuccessionAction::wait);
}

TEST_F(TryAcquire, WaitsBehindALiveLeaseUntilTheInstantAndNotBefore) {
    const Lease lease = rivalLeads();
    ASSERT_TRUE(client.tryAcquire(role, me));

    clock.setWall(lease.deadline - Millis{1});
    const auto before = client.tryAcquire(role, me);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->decision, (SuccessionDecision{SuccessionAction::wait, lease.deadline}));
    EXPECT_EQ(before->leadership, nullptr);
    EXPECT_EQ(cluster.epochs.at(role.str()), lease.token);

    clock.setWall(lease.deadline);
    const auto at = client.tryAcquire(role, me);
    ASSERT_TRUE(at);
    EXPECT_EQ(at->decision, (SuccessionDecision{SuccessionAction::challenge, lease.deadline}));
    ASSERT_NE(at->leadership, nullptr);
    EXPECT_GT(at->leadership->token(), lease.token);
}

TEST_F(TryAcquire, TheSecondInLineChallengesOneStaggerLater) {
    const Lease lease = rivalLeads();
    cluster.registerMember(role, Registration{*MemberId::of("node-3"), clock.wall()});
    ASSERT_TRUE(client.tryAcquire(role, me));

    clock.setWall(lease.deadline + Millis{4'999});
    const auto before = client.tryAcquire(role, me);
    ASSERT_TRUE(before);
    EXPECT_EQ(before->decision, (SuccessionDecision{SuccessionAction::wait, lease.deadline + Millis{5'000}}));

    clock.setWall(lease.deadline + Millis{5'000});
    const auto at = client.tryAcquire(role, me);
    ASSERT_TRUE(at);
    EXPECT_NE(at->leadership, nullptr);
}

TEST_F(TryAcquire, ARestartedMemberHoldsItsLiveLeaseUnderANewToken) {
    cluster.registerMember(role, Registration{me, clock.wall()});
    const Lease before = cluster.lead(role, me, clock.wall(), Millis{30'000});
    clock.advance(Millis{2'000});

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_EQ(transport.calls, (Calls{"read", "mint", "write"}));
    EXPECT_EQ(attempt->decision.action, SuccessionAction::hold);
    ASSERT_NE(attempt->leadership, nullptr);
    EXPECT_GT(attempt->leadership->token(), before.token);
    EXPECT_EQ(attempt->leadership->lease().grantedAt, clock.wall());
}

TEST_F(TryAcquire, AHolderThatLeftTheRosterRegistersAndHolds) {
    cluster.lead(role, me, clock.wall(), Millis{30'000});

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_EQ(transport.calls, (Calls{"read", "register", "read", "mint", "write"}));
    EXPECT_EQ(attempt->decision.action, SuccessionAction::hold);
    EXPECT_NE(attempt->leadership, nullptr);
}

TEST_F(TryAcquire, ALostRaceIsAnEmptyResult) {
    transport.afterMint = [&] { cluster.lead(role, rival, clock.wall(), Millis{30'000}); };

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_TRUE(attempt->lostRace);
    EXPECT_EQ(attempt->leadership, nullptr);
    ASSERT_NE(cluster.lastLease(), nullptr);
    EXPECT_EQ(cluster.lastLease()->member, rival);
}

TEST_F(TryAcquire, AFencedMintIsALostRaceToo) {
    transport.failNext("mint", MemoryTransport::fence());

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_TRUE(attempt->lostRace);
    EXPECT_EQ(transport.calls.back(), "mint");
}

TEST_F(TryAcquire, ErrorsOfEveryCallComeBack) {
    for (const std::string call : {"read", "register", "mint", "write"}) {
        MemoryCluster fresh;
        MemoryTransport failing(fresh);
        failing.failNext(call, MemoryTransport::error(ErrorCode::refused, false));
        CoordinationClient member(failing, clock);

        const auto attempt = member.tryAcquire(role, me);

        ASSERT_FALSE(attempt) << call;
        EXPECT_EQ(attempt.error().code, ErrorCode::refused) << call;
        EXPECT_EQ(failing.calls.back(), call);
    }
}

TEST_F(TryAcquire, AnErrorOfTheSecondReadComesBack) {
    transport.passNext("read");
    transport.failNext("read", MemoryTransport::error(ErrorCode::incompleteRead, true));
    const auto attempt = client.tryAcquire(role, me);
    ASSERT_FALSE(attempt);
    EXPECT_EQ(attempt.error().code, ErrorCode::incompleteRead);
    EXPECT_EQ(transport.calls, (Calls{"read", "register", "read"}));
}

TEST_F(TryAcquire, RegistersAgainAfterSomebodyDeregisteredIt) {
    rivalLeads();
    ASSERT_TRUE(client.tryAcquire(role, me));
    cluster.deregister(role, me);
    clock.advance(Millis{100});
    transport.calls.clear();

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_EQ(transport.calls, (Calls{"read", "register", "read"}));
    EXPECT_EQ(attempt->decision.action, SuccessionAction::wait);
    const auto* registration = std::get_if<Registration>(&cluster.last().record.value);
    ASSERT_NE(registration, nullptr);
    EXPECT_EQ(registration->registeredAt, clock.wall());
}

TEST_F(TryAcquire, ARegistrationThatCannotBeReadYetIsNotRepeated) {
    rivalLeads();
    cluster.readableTo = static_cast<std::int64_t>(cluster.log.size());

    const auto first = client.tryAcquire(role, me);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->decision.action, SuccessionAction::notRegistered);
    const auto size = cluster.log.size();

    clock.advance(CoordinationClient::kUnseenRegistrationPatience - Millis{1});
    ASSERT_TRUE(client.tryAcquire(role, me));
    EXPECT_EQ(cluster.log.size(), size);

    clock.advance(Millis{1});
    ASSERT_TRUE(client.tryAcquire(role, me));
    EXPECT_EQ(cluster.log.size(), size + 1);

    cluster.readableTo = -1;
    const auto seen = client.tryAcquire(role, me);
    ASSERT_TRUE(seen);
    EXPECT_NE(seen->decision.action, SuccessionAction::notRegistered);
}

TEST_F(TryAcquire, ALeaseForEverSaturatesAndIsWaitedFor) {
    const WallTime forEver = wallTime(std::numeric_limits<std::int64_t>::max());
    cluster.registerMember(role, Registration{rival, clock.wall()});
    cluster.registerMember(role, Registration{*MemberId::of("node-3"), clock.wall()});
    cluster.writeLease(role, Lease{rival, cluster.mint(role), clock.wall(), forEver});

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    EXPECT_EQ(attempt->decision, (SuccessionDecision{SuccessionAction::wait, forEver}));
}

TEST_F(TryAcquire, AClockAtItsEndGrantsALeaseThatEndsThere) {
    const WallTime forEver = wallTime(std::numeric_limits<std::int64_t>::max());
    clock.setWall(forEver);

    const auto attempt = client.tryAcquire(role, me);

    ASSERT_TRUE(attempt);
    ASSERT_NE(attempt->leadership, nullptr);
    EXPECT_EQ(attempt->leadership->lease().deadline, forEver);
}

TEST_F(TryAcquire, SecondAcquireOfTheSameRoleKillsTheFirst) {
    const auto first = client.tryAcquire(role, me);
    ASSERT_TRUE(first && first->leadership);
    const auto second = client.tryAcquire(role, me);
    ASSERT_TRUE(second && second->leadership);
    EXPECT_EQ(second->decision.action, SuccessionAction::hold);

    const auto renewed = first->leadership->renew();
    ASSERT_FALSE(renewed);
    EXPECT_TRUE(renewed.error().fenced);
    EXPECT_FALSE(first->leadership->held());
    EXPECT_TRUE(second->leadership->renew());
}

TEST_F(TryAcquire, AnIllegalTimingIsRefusedAtConstruction) {
    LeaseTiming timing;
    timing.renewInterval = timing.duration;
    EXPECT_THROW(CoordinationClient(transport, clock, timing), std::invalid_argument);
}

} // namespace bellwether::test
