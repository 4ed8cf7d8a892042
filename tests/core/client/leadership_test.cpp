// SPDX-License-Identifier: Apache-2.0
#include "member_fixture.h"

namespace bellwether::test {

class LeadershipTest : public MemberFixture {
protected:
    void SetUp() override {
        auto attempt = client.tryAcquire(role, me);
        ASSERT_TRUE(attempt);
        leadership = std::move(attempt->leadership);
        ASSERT_NE(leadership, nullptr);
        transport.calls.clear();
    }

    Lease takeover() { return cluster.lead(role, rival, clock.wall(), Millis{30'000}); }

    [[nodiscard]] bool leaseIsCleared() const {
        return cluster.last().record.key.kind == RecordKind::lease && cluster.last().record.isTombstone();
    }

    std::unique_ptr<Leadership> leadership;
};

TEST_F(LeadershipTest, RenewalIsDueAfterTheRenewInterval) {
    EXPECT_FALSE(leadership->renewDue());
    clock.advance(Millis{9'999});
    EXPECT_FALSE(leadership->renewDue());
    clock.advance(Millis{1});
    EXPECT_TRUE(leadership->renewDue());
}

TEST_F(LeadershipTest, RenewKeepsTheTokenAndMovesTheGrant) {
    const Lease before = leadership->lease();
    clock.advance(Millis{10'000});

    ASSERT_TRUE(leadership->renew());

    EXPECT_EQ(leadership->token(), before.token);
    EXPECT_EQ(leadership->lease().grantedAt, before.grantedAt + Millis{10'000});
    EXPECT_EQ(leadership->lease().deadline, before.deadline + Millis{10'000});
    EXPECT_EQ(*cluster.lastLease(), leadership->lease());
    EXPECT_FALSE(leadership->renewDue());
    EXPECT_EQ(transport.calls, Calls{"write"});
}

TEST_F(LeadershipTest, AFenceEndsIt) {
    const Lease theirs = takeover();
    const Lease mine = leadership->lease();

    const auto renewed = leadership->renew();

    ASSERT_FALSE(renewed);
    EXPECT_TRUE(renewed.error().fenced);
    EXPECT_FALSE(leadership->held());
    EXPECT_EQ(leadership->lease(), mine);
    EXPECT_EQ(*cluster.lastLease(), theirs);
}

TEST_F(LeadershipTest, NothingIsWrittenOnceItIsOver) {
    takeover();
    ASSERT_FALSE(leadership->renew());
    transport.calls.clear();
    clock.advance(Millis{60'000});

    const auto renewed = leadership->renew();
    const auto resigned = leadership->resign();

    ASSERT_FALSE(renewed);
    EXPECT_EQ(renewed.error().code, ErrorCode::closed);
    ASSERT_FALSE(resigned);
    EXPECT_EQ(resigned.error().code, ErrorCode::closed);
    EXPECT_FALSE(leadership->renewDue());
    leadership.reset();
    EXPECT_TRUE(transport.calls.empty());
}

TEST_F(LeadershipTest, AnExpiredIdEndsIt) {
    transport.failNext("write", MemoryTransport::error(ErrorCode::idExpired, false));
    const auto renewed = leadership->renew();
    ASSERT_FALSE(renewed);
    EXPECT_EQ(renewed.error().code, ErrorCode::idExpired);
    EXPECT_FALSE(leadership->held());
}

TEST_F(LeadershipTest, AProducerThatIsGoneEndsIt) {
    transport.failNext("write", MemoryTransport::error(ErrorCode::notMinted, false));
    EXPECT_FALSE(leadership->renew());
    EXPECT_FALSE(leadership->held());
}

TEST_F(LeadershipTest, AFatalErrorEndsIt) {
    auto fatal = MemoryTransport::error(ErrorCode::broker, false);
    fatal.fatal = true;
    transport.failNext("write", fatal);
    EXPECT_FALSE(leadership->renew());
    EXPECT_FALSE(leadership->held());
}

TEST_F(LeadershipTest, OtherErrorsKeepItHeldAndTheNextRenewalDecides) {
    const Lease before = leadership->lease();
    clock.advance(Millis{10'000});
    transport.failNext("write", MemoryTransport::error(ErrorCode::timeout, true));
    transport.failNext("write", MemoryTransport::error(ErrorCode::refused, false));

    EXPECT_FALSE(leadership->renew());
    EXPECT_TRUE(leadership->held());
    EXPECT_EQ(leadership->lease(), before);
    EXPECT_FALSE(leadership->renew());
    EXPECT_TRUE(leadership->held());
    EXPECT_TRUE(leadership->renewDue());
    EXPECT_TRUE(leadership->renew());
}

TEST_F(LeadershipTest, TheClockAloneNeverEndsIt) {
    clock.advance(Millis{86'400'000});
    EXPECT_TRUE(leadership->held());
    EXPECT_TRUE(leadership->renew());
}

TEST_F(LeadershipTest, ResignWritesTheTombstone) {
    ASSERT_TRUE(leadership->resign());
    EXPECT_FALSE(leadership->held());
    EXPECT_TRUE(leaseIsCleared());
    const auto size = cluster.log.size();
    leadership.reset();
    EXPECT_EQ(cluster.log.size(), size);
}

TEST_F(LeadershipTest, AFencedResignationEndsItAndSaysSo) {
    const Lease theirs = takeover();
    const auto resigned = leadership->resign();
    ASSERT_FALSE(resigned);
    EXPECT_TRUE(resigned.error().fenced);
    EXPECT_FALSE(leadership->held());
    EXPECT_EQ(*cluster.lastLease(), theirs);
}

TEST_F(LeadershipTest, AResignationOfUnknownOutcomeCanBeTriedAgain) {
    transport.failNext("clear", MemoryTransport::error(ErrorCode::timeout, true));
    ASSERT_FALSE(leadership->resign());
    EXPECT_TRUE(leadership->held());
    EXPECT_TRUE(leadership->resign());
    EXPECT_TRUE(leaseIsCleared());
}

TEST_F(LeadershipTest, DestructionResigns) {
    leadership.reset();
    EXPECT_TRUE(leaseIsCleared());
}

TEST_F(LeadershipTest, DestructionSwallowsAFence) {
    const Lease theirs = takeover();
    leadership.reset();
    EXPECT_EQ(transport.calls, Calls{"clear"});
    EXPECT_EQ(*cluster.lastLease(), theirs);
}

TEST_F(LeadershipTest, AbandonWritesNothing) {
    const auto size = cluster.log.size();
    leadership->abandon();
    EXPECT_FALSE(leadership->held());
    leadership.reset();
    EXPECT_TRUE(transport.calls.empty());
    EXPECT_EQ(cluster.log.size(), size);
}

TEST_F(LeadershipTest, AMemberThatTakesOverFencesTheHolder) {
    MemoryTransport theirTransport(cluster);
    CoordinationClient theirs(theirTransport, clock);
    ASSERT_TRUE(theirs.tryAcquire(role, rival));
    clock.advance(Millis{30'000});
    const auto attempt = theirs.tryAcquire(role, rival);
    ASSERT_TRUE(attempt && attempt->leadership);

    EXPECT_FALSE(leadership->renew());
    EXPECT_FALSE(leadership->held());
    EXPECT_TRUE(attempt->leadership->renew());
}

} // namespace bellwether::test
