// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance_world.h"

namespace bellwether::conformance {

inline void expectFenced(const Result<void>& result) {
    ASSERT_FALSE(result) << "the write of a fenced token was committed";
    EXPECT_EQ(result.error().code, ErrorCode::fenced) << result.error().text();
    EXPECT_TRUE(result.error().fenced) << result.error().text();
}

TEST_P(TransportConformance, AnIdNobodyUsedHasNoEpoch) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const auto described = transport->describe(role);
    ASSERT_TRUE(described) << described.error().text();
    EXPECT_EQ(*described, std::nullopt);
    EXPECT_TRUE(recordsOf(*transport, role).empty());
}

TEST_P(TransportConformance, AMintIsDescribedAndGrows) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken first = mint(*transport, role);
    EXPECT_GE(first.producerId, 0);
    EXPECT_GE(first.producerEpoch, 0);
    EXPECT_EQ(transport->describe(role).value(), first);
    const FencingToken second = mint(*transport, role);
    EXPECT_LT(first, second);
    EXPECT_EQ(transport->describe(role).value(), second);
}

TEST_P(TransportConformance, ALeaseIsReadBackAsWritten) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const Registration registration{member("node-1"), wallTime(1'700'000'000'000)};
    ASSERT_TRUE(transport->registerMember(role, registration));
    const FencingToken token = mint(*transport, role);
    const Lease lease = leaseOf("node-1", token);
    const auto written = transport->writeLease(role, token, lease);
    ASSERT_TRUE(written) << written.error().text();

    const auto entries = recordsOf(*transport, role);
    ASSERT_EQ(entries.size(), 2U);
    EXPECT_EQ(std::get<Registration>(entries[0].record.value), registration);
    EXPECT_EQ(std::get<Lease>(entries[1].record.value), lease);
    EXPECT_LT(entries[0].position.offset, entries[1].position.offset);
    EXPECT_EQ(entries[1].position.partition, partitionOf(role));
}

TEST_P(TransportConformance, RenewalsGoOnUnderTheMintedToken) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken token = mint(*transport, role);
    for (int renewal = 0; renewal < 3; ++renewal) {
        const auto written = transport->writeLease(role, token, leaseOf("node-1", token, 1'000 * renewal));
        ASSERT_TRUE(written) << "renewal " << renewal << ": " << written.error().text();
    }
    const FencingToken described = transport->describe(role).value().value();
    EXPECT_EQ(described.producerId, token.producerId);
    EXPECT_EQ(described.producerEpoch, token.producerEpoch + (world->commitsMoveEpoch() ? 3 : 0));
}

TEST_P(TransportConformance, ClearingTheLeaseLeavesATombstone) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken token = mint(*transport, role);
    ASSERT_TRUE(transport->writeLease(role, token, leaseOf("node-1", token)));
    const auto cleared = transport->clearLease(role, token);
    ASSERT_TRUE(cleared) << cleared.error().text();
    const auto entries = recordsOf(*transport, role);
    ASSERT_FALSE(entries.empty());
    EXPECT_TRUE(entries.back().record.isTombstone());
    EXPECT_EQ(entries.back().record.key.kind, RecordKind::lease);
}

TEST_P(TransportConformance, ALaterMintFencesTheHolder) {
    const Role role = world->freshRole();
    const auto holder = world->transport();
    const auto challenger = world->transport();
    const FencingToken old = mint(*holder, role);
    ASSERT_TRUE(holder->writeLease(role, old, leaseOf("node-1", old)));
    const FencingToken taken = mint(*challenger, role);
    EXPECT_LT(old, taken);

    expectFenced(holder->writeLease(role, old, leaseOf("node-1", old)));
    expectFenced(holder->clearLease(role, old));
    const auto written = challenger->writeLease(role, taken, leaseOf("node-2", taken));
    ASSERT_TRUE(written) << written.error().text();
    const auto entries = recordsOf(*challenger, role);
    ASSERT_FALSE(entries.empty());
    EXPECT_EQ(std::get<Lease>(entries.back().record.value).member, member("node-2"));
}

TEST_P(TransportConformance, AFenceKeepsBeingAFence) {
    const Role role = world->freshRole();
    const auto holder = world->transport();
    const auto challenger = world->transport();
    const FencingToken old = mint(*holder, role);
    (void)mint(*challenger, role);
    expectFenced(holder->writeLease(role, old, leaseOf("node-1", old)));
    const auto again = holder->writeLease(role, old, leaseOf("node-1", old));
    EXPECT_FALSE(again);
    EXPECT_TRUE(recordsOf(*holder, role).empty());
}

TEST_P(TransportConformance, AForeignTokenWritesNothing) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken strange{1, 1};
    const auto unminted = transport->writeLease(role, strange, leaseOf("node-1", strange));
    ASSERT_FALSE(unminted);
    EXPECT_EQ(unminted.error().code, ErrorCode::notMinted);

    const FencingToken token = mint(*transport, role);
    const FencingToken other{token.producerId, static_cast<std::int16_t>(token.producerEpoch + 1)};
    EXPECT_EQ(transport->writeLease(role, other, leaseOf("node-1", other)).error().code,
              ErrorCode::notMinted);
    EXPECT_EQ(transport->clearLease(role, other).error().code, ErrorCode::notMinted);
    EXPECT_TRUE(recordsOf(*transport, role).empty());
    EXPECT_EQ(transport->describe(role).value(), token);
}

TEST_P(TransportConformance, ASecondMintReplacesTheFirstProducer) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken first = mint(*transport, role);
    const FencingToken second = mint(*transport, role);
    EXPECT_EQ(transport->writeLease(role, first, leaseOf("node-1", first)).error().code,
              ErrorCode::notMinted);
    const auto written = transport->writeLease(role, second, leaseOf("node-1", second));
    EXPECT_TRUE(written) << written.error().text();
}

TEST_P(TransportConformance, ARegistrationGoesToTheTail) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    for (const auto* name : {"node-1", "node-2", "node-1"}) {
        ASSERT_TRUE(transport->registerMember(role, {member(name), wallTime(1)}));
    }
    RoleState state(role);
    for (const auto& entry : recordsOf(*transport, role)) {
        state.apply(entry.record, entry.position);
    }
    const auto roster = state.roster();
    ASSERT_EQ(roster.size(), 2U);
    EXPECT_EQ(roster[0].member, member("node-2"));
    EXPECT_EQ(roster[1].member, member("node-1"));

    ASSERT_TRUE(transport->deregisterMember(role, member("node-2")));
    const auto entries = recordsOf(*transport, role);
    ASSERT_FALSE(entries.empty());
    EXPECT_TRUE(entries.back().record.isTombstone());
    EXPECT_EQ(entries.back().record.key.member, member("node-2"));
}

TEST_P(TransportConformance, AnAbortedLeaseStaysInvisible) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const auto open =
        world->openTransaction(role, encodeLeaseKey(role), encodeLeaseValue(leaseOf("forger", {7, 7})));
    open->end(false);
    EXPECT_TRUE(recordsOf(*transport, role).empty());
}

TEST_P(TransportConformance, AnOpenTransactionHidesWhatFollows) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    ASSERT_TRUE(transport->registerMember(role, {member("node-1"), wallTime(1)}));
    const auto open =
        world->openTransaction(role, encodeLeaseKey(role), encodeLeaseValue(leaseOf("other", {7, 7})));
    ASSERT_TRUE(transport->registerMember(role, {member("node-2"), wallTime(2)}));
    EXPECT_EQ(recordsOf(*transport, role).size(), 1U);
    open->end(true);
    EXPECT_EQ(recordsOf(*transport, role).size(), 3U);
}

TEST_P(TransportConformance, ARecordThatDoesNotDecodeIsNamed) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    world->openTransaction(role, encodeLeaseKey(role), "no lease")->end(true);
    const auto entries = transport->readRoleRecords(role);
    ASSERT_FALSE(entries);
    EXPECT_EQ(entries.error().code, ErrorCode::undecodable);
    const std::int64_t offset = boundsOf(partitionOf(role), Isolation::readUncommitted).end - 2;
    EXPECT_NE(entries.error().where.find(world->topic()), std::string::npos) << entries.error().text();
    EXPECT_NE(entries.error().where.find(std::to_string(offset)), std::string::npos)
        << entries.error().text();
}

TEST_P(TransportConformance, AnExpiredIdIsNotAFence) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken old = mint(*transport, role);
    ASSERT_TRUE(transport->writeLease(role, old, leaseOf("node-1", old)));
    if (!world->expireId(role)) {
        GTEST_SKIP() << "this world does not expire ids in reasonable time";
    }
    EXPECT_EQ(transport->describe(role).value(), std::nullopt);
    const auto late = transport->writeLease(role, old, leaseOf("node-1", old));
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::idExpired) << late.error().text();
    EXPECT_FALSE(late.error().fenced);
    const FencingToken next = mint(*transport, role);
    EXPECT_GT(next.producerId, old.producerId);
    const auto written = transport->writeLease(role, next, leaseOf("node-1", next));
    EXPECT_TRUE(written) << written.error().text();
}

TEST_P(TransportConformance, AClosedTransportSaysSo) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const FencingToken token = mint(*transport, role);
    transport->close();
    transport->close();
    EXPECT_EQ(transport->acquireEpoch(role).error().code, ErrorCode::closed);
    EXPECT_EQ(transport->readRoleRecords(role).error().code, ErrorCode::closed);
    EXPECT_EQ(transport->registerMember(role, {member("node-1"), wallTime(1)}).error().code,
              ErrorCode::closed);
    EXPECT_EQ(transport->deregisterMember(role, member("node-1")).error().code, ErrorCode::closed);
    EXPECT_EQ(transport->writeLease(role, token, leaseOf("node-1", token)).error().code, ErrorCode::closed);
    EXPECT_EQ(transport->clearLease(role, token).error().code, ErrorCode::closed);
    EXPECT_EQ(transport->describe(role).error().code, ErrorCode::closed);
}

} // namespace bellwether::conformance
