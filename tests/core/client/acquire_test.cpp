// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "member_fixture.h"

namespace bellwether::test {

class Acquire : public MemberFixture {
protected:
    using Sleeps = std::vector<Millis>;
};

TEST_F(Acquire, TakesAFreeRoleWithoutSleeping) {
    const auto leadership = client.acquire(role, me, Millis{0});
    ASSERT_TRUE(leadership);
    ASSERT_NE(*leadership, nullptr);
    EXPECT_TRUE((*leadership)->held());
    EXPECT_TRUE(clock.sleeps.empty());
}

TEST_F(Acquire, SleepsTheRetryIntervalThenTheRestUntilItsTurn) {
    rivalLeads(Millis{1'200});
    const auto leadership = client.acquire(role, me, Millis{60'000});
    ASSERT_TRUE(leadership);
    ASSERT_NE(*leadership, nullptr);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{500}, Millis{200}}));
}

TEST_F(Acquire, SleepsNoLongerThanItsOwnDeadlineAndThenComesBackEmpty) {
    rivalLeads(Millis{30'000});
    const auto leadership = client.acquire(role, me, Millis{700});
    ASSERT_TRUE(leadership);
    EXPECT_EQ(*leadership, nullptr);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{200}}));
}

TEST_F(Acquire, MakesALastAttemptAtItsDeadline) {
    rivalLeads(Millis{700});
    const auto leadership = client.acquire(role, me, Millis{700});
    ASSERT_TRUE(leadership);
    EXPECT_NE(*leadership, nullptr);
}

TEST_F(Acquire, SeesAReleaseAtTheNextRetryAndNotOnlyAtTheDeadline) {
    rivalLeads(Millis{30'000});
    clock.duringSleep = [&] {
        if (clock.sleeps.size() == 2) {
            cluster.append({RecordKind::lease, role, std::nullopt}, std::monostate{});
            cluster.deregister(role, rival);
        }
    };
    const auto leadership = client.acquire(role, me, Millis{60'000});
    ASSERT_TRUE(leadership);
    ASSERT_NE(*leadership, nullptr);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{500}}));
}

TEST_F(Acquire, AfterALostRaceItLetsTheWinnerWriteAndThenWaits) {
    transport.afterMint = [&] {
        cluster.registerMember(role, Registration{rival, clock.wall()});
        cluster.lead(role, rival, clock.wall(), Millis{1'000});
        transport.afterMint = nullptr;
    };
    const auto leadership = client.acquire(role, me, Millis{60'000});
    ASSERT_TRUE(leadership);
    ASSERT_NE(*leadership, nullptr);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{500}}));
    EXPECT_EQ((*leadership)->token(), (FencingToken{4242, 2}));
}

TEST_F(Acquire, RetriesRetriableErrorsAtTheRetryInterval) {
    transport.failNext("read", MemoryTransport::error(ErrorCode::unreachable, true));
    transport.failNext("mint", MemoryTransport::error(ErrorCode::busy, true));
    const auto leadership = client.acquire(role, me, Millis{60'000});
    ASSERT_TRUE(leadership);
    ASSERT_NE(*leadership, nullptr);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{500}}));
}

TEST_F(Acquire, MintsAgainAfterTheIdExpired) {
    transport.failNext("write", MemoryTransport::error(ErrorCode::idExpired, false));
    const auto leadership = client.acquire(role, me, Millis{60'000});
    ASSERT_TRUE(leadership);
    ASSERT_NE(*leadership, nullptr);
    EXPECT_EQ((*leadership)->token(), (FencingToken{4242, 1}));
}

TEST_F(Acquire, ReturnsOtherErrorsAtOnce) {
    transport.failNext("read", MemoryTransport::error(ErrorCode::topicMissing, false));
    const auto leadership = client.acquire(role, me, Millis{60'000});
    ASSERT_FALSE(leadership);
    EXPECT_EQ(leadership.error().code, ErrorCode::topicMissing);
    EXPECT_TRUE(clock.sleeps.empty());
}

TEST_F(Acquire, AnErrorThatLastsUntilTheDeadlineIsNotAnEmptyResult) {
    for (int i = 0; i < 10; ++i) {
        transport.failNext("read", MemoryTransport::error(ErrorCode::unreachable, true));
    }
    const auto leadership = client.acquire(role, me, Millis{1'000});
    ASSERT_FALSE(leadership);
    EXPECT_EQ(leadership.error().code, ErrorCode::unreachable);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{500}}));
}

TEST_F(Acquire, StopsBeforeTheFirstAttempt) {
    std::stop_source stop;
    stop.request_stop();
    const auto leadership = client.acquire(role, me, Millis{60'000}, stop.get_token());
    ASSERT_FALSE(leadership);
    EXPECT_EQ(leadership.error().code, ErrorCode::closed);
    EXPECT_TRUE(transport.calls.empty());
}

TEST_F(Acquire, StopsInTheMiddleOfASleep) {
    rivalLeads();
    std::stop_source stop;
    clock.duringSleep = [&] { stop.request_stop(); };
    const auto leadership = client.acquire(role, me, Millis{60'000}, stop.get_token());
    ASSERT_FALSE(leadership);
    EXPECT_EQ(leadership.error().code, ErrorCode::closed);
    EXPECT_EQ(clock.sleeps.size(), 1U);
}

TEST_F(Acquire, AWaitForEverIsSlicedByTheRetryInterval) {
    cluster.registerMember(role, Registration{rival, clock.wall()});
    cluster.writeLease(role, Lease{rival, cluster.mint(role), clock.wall(),
                                   wallTime(std::numeric_limits<std::int64_t>::max())});
    clock.setWall(wallTime(std::numeric_limits<std::int64_t>::min()));
    std::stop_source stop;
    clock.duringSleep = [&] {
        if (clock.sleeps.size() == 3) {
            stop.request_stop();
        }
    };
    const auto leadership =
        client.acquire(role, me, Millis{std::numeric_limits<std::int64_t>::max()}, stop.get_token());
    ASSERT_FALSE(leadership);
    EXPECT_EQ(clock.sleeps, (Sleeps{Millis{500}, Millis{500}, Millis{500}}));
}

} // namespace bellwether::test
