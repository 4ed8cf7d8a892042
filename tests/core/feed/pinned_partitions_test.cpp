// SPDX-License-Identifier: Apache-2.0
#include "feed/pinned_partitions.h"

#include <gtest/gtest.h>

#include "coordination/role_partition.h"

using namespace bellwether;
using namespace bellwether::feed;

namespace {

constexpr std::int32_t kPartitions = 1;
const Role kRole = *Role::of("controller");
const Role kOther = *Role::of("scheduler");
const auto kNobody = [](std::int64_t) -> std::optional<KnownId> { return std::nullopt; };

SteadyTime at(std::int64_t millis) {
    return SteadyTime{} + Millis{100'000 + millis};
}

PartitionProducer open(std::int64_t id, std::int16_t epoch, std::int64_t since) {
    return {{id, epoch}, since, std::nullopt};
}

PartitionRound pinnedAt(std::int64_t stable, std::int64_t high, std::vector<PartitionProducer> producers) {
    return {0, stable, high, std::move(producers)};
}

/// A table whose uncommitted reader has seen leases of these roles from `offset` on.
RoleTable tableWith(std::int64_t offset, const std::vector<Role>& roles) {
    RoleTable table(kPartitions);
    PollBatch batch;
    for (const auto& role : roles) {
        ConsumedRecord record;
        record.position = {0, offset++, wallTime(5'000), TimestampType::logAppendTime};
        record.key = encodeLeaseKey(role);
        record.value = encodeLeaseValue({*MemberId::of("node-1"), {7, 0}, wallTime(1), wallTime(2)});
        batch.records.push_back(std::move(record));
    }
    table.take(Isolation::readUncommitted, batch, wallTime(0), at(0));
    return table;
}

KnownId described(const Role& role, TransactionState state, FencingToken token, SteadyTime askedAt) {
    KnownId known{role.str(), {}};
    known.answer.kind = CoordinatorAnswer::Kind::described;
    known.answer.state = state;
    known.answer.token = token;
    known.answer.transactionTimeout = Millis{60'000};
    known.answer.transactionStart = wallTime(4'000);
    known.answer.askedAt = askedAt;
    return known;
}

} // namespace

TEST(PinnedPartitions, AnOrdinaryCommitIsNone) {
    PinnedPartitions pinned;
    const RoleTable table(kPartitions);
    for (std::int64_t i = 0; i < 20; ++i) { // a transaction in every round, each another one
        pinned.note(pinnedAt(10 * i, 10 * i + 1, {open(7, 0, 10 * i)}), at(500 * i), wallTime(0));
        EXPECT_TRUE(pinned.view(at(500 * i), kNobody, table).empty());
        EXPECT_EQ(pinned.lately(at(500 * i)), 1);
    }
    pinned.note(pinnedAt(300, 300, {}), at(10'000), wallTime(0));
    EXPECT_EQ(pinned.lately(at(10'000)), 0);
}

TEST(PinnedPartitions, WhatStaysIsTold) {
    PinnedPartitions pinned;
    const auto table = tableWith(4, {kRole, kOther, kRole});
    pinned.note(pinnedAt(4, 7, {open(9, 2, 6), open(7, 0, 4), {{5, 1}, std::nullopt, std::nullopt}}), at(0),
                wallTime(77));
    pinned.note({0, 4, 7, std::nullopt}, at(1'000), wallTime(88)); // no leader answered: nothing has changed
    EXPECT_TRUE(pinned.view(at(1'499), kNobody, table).empty());
    const auto logs = pinned.view(at(1'500), kNobody, table);
    ASSERT_EQ(logs.size(), 1U);
    const auto& log = logs[0];
    EXPECT_EQ(log.lastStableOffset, 4);
    EXPECT_EQ(log.highWatermark, 7);
    EXPECT_EQ(log.records, 3);
    EXPECT_TRUE(log.recordsExact);
    EXPECT_EQ(log.seenSince, wallTime(77));
    EXPECT_EQ(log.hidden, (std::vector<Role>{kRole, kOther}));
    ASSERT_EQ(log.open.size(), 2U);
    EXPECT_EQ(log.open[0].producer, (FencingToken{7, 0}));
    EXPECT_EQ(log.open[0].role, kRole);
    EXPECT_EQ(log.open[0].member, MemberId::of("node-1").value());
    EXPECT_EQ(log.open[0].firstRecordAt, wallTime(5'000));
    EXPECT_FALSE(log.open[0].transactionalId);
    EXPECT_FALSE(log.open[0].hanging);
    EXPECT_EQ(log.open[1].startOffset, 6);
    EXPECT_EQ(pinned.lately(at(1'500)), 0);

    pinned.note(pinnedAt(4, 9, {open(7, 0, 4)}), at(2'000), wallTime(99));
    EXPECT_FALSE(pinned.view(at(2'000), kNobody, table)[0].recordsExact) << "the reader stands at 7";
    pinned.note(pinnedAt(9, 9, {}), at(3'000), wallTime(99));
    EXPECT_TRUE(pinned.view(at(9'000), kNobody, table).empty());
}

TEST(PinnedPartitions, TheCoordinatorsAnswerNamesItAndTellsAHangingOne) {
    PinnedPartitions pinned;
    const auto table = tableWith(4, {kRole});
    pinned.note(pinnedAt(4, 5, {open(7, 0, 4)}), at(0), wallTime(0));
    const auto viewed = [&](KnownId known) {
        return pinned
            .view(
                at(5'000), [&](std::int64_t id) { return id == 7 ? std::optional(known) : std::nullopt; },
                table)[0]
            .open[0];
    };
    const auto going = viewed(described(kRole, TransactionState::ongoing, {7, 0}, at(1'000)));
    EXPECT_EQ(going.transactionalId, kRole.str());
    EXPECT_EQ(going.startedAt, wallTime(4'000));
    EXPECT_EQ(going.timeout, Millis{60'000});
    EXPECT_FALSE(going.hanging);
    const auto over = viewed(described(kRole, TransactionState::completeCommit, {7, 1}, at(1'000)));
    EXPECT_TRUE(over.hanging);
    EXPECT_FALSE(over.startedAt) << "what the answer says is of another transaction";
    EXPECT_FALSE(viewed(described(kRole, TransactionState::completeCommit, {7, 0}, at(-1))).hanging)
        << "asked before the transaction was seen";
    EXPECT_TRUE(viewed(described(kRole, TransactionState::ongoing, {7, 3}, at(1'000))).hanging);
    EXPECT_FALSE(viewed(described(kRole, TransactionState::prepareAbort, {7, 1}, at(1'000))).hanging);
}

TEST(PinnedPartitions, OthersAreListedOnceInAWhile) {
    PinnedPartitions pinned;
    const auto table = tableWith(4, {kRole});
    pinned.note(pinnedAt(4, 5, {open(7, 0, 4), open(8, 0, 5)}), at(0), wallTime(0));
    const auto knowsEight = [](std::int64_t id) {
        return id == 8 ? std::optional(KnownId{"x", {}}) : std::nullopt;
    };
    EXPECT_TRUE(pinned.toBeListed(at(1'000), knowsEight).empty()) << "it may be over in a moment";
    EXPECT_EQ(pinned.toBeListed(at(1'500), knowsEight), std::vector<std::int64_t>{7});
    EXPECT_TRUE(pinned.toBeListed(at(6'000), knowsEight).empty());
    pinned.listed(
        {{{"billing", 7, TransactionState::ongoing}, {"stranger", 99, TransactionState::empty}}, {}});
    auto open0 = pinned.view(at(6'000), knowsEight, table)[0].open[0];
    EXPECT_EQ(open0.transactionalId, "billing");
    EXPECT_FALSE(open0.hanging);
    EXPECT_EQ(pinned.toBeListed(at(6'500), knowsEight), std::vector<std::int64_t>{7});
    pinned.listed({{{"billing", 7, TransactionState::completeAbort}}, {}});
    EXPECT_TRUE(pinned.view(at(7'000), knowsEight, table)[0].open[0].hanging);
}
