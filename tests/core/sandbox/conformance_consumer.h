// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <future>

#include "conformance_world.h"

namespace bellwether::conformance {

TEST_P(ConsumerConformance, TheEndIsReportedBehindAControlMarker) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const auto transport = world->transport();
    const FencingToken token = mint(*transport, role);
    ASSERT_TRUE(transport->writeLease(role, token, leaseOf("node-1", token)));

    for (const Isolation isolation : {Isolation::readCommitted, Isolation::readUncommitted}) {
        const Reading reading = readPartition(partition, isolation);
        ASSERT_FALSE(reading.records.empty());
        EXPECT_EQ(reading.end, boundsOf(partition, isolation).end);
        EXPECT_EQ(reading.records.back().position.offset + 2, reading.end) << "a marker takes an offset";
        EXPECT_EQ(reading.records.back().key, encodeLeaseKey(role));
        EXPECT_EQ(reading.records.back().position.partition, partition);
        EXPECT_NE(reading.records.back().position.timestampType, TimestampType::unknown);
    }
}

TEST_P(ConsumerConformance, TheEndIsReportedAgainAsTheLogGrows) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const auto transport = world->transport();
    const std::int64_t before = boundsOf(partition, Isolation::readCommitted).end;
    const auto consumer = openConsumer(Isolation::readCommitted);
    ASSERT_TRUE(consumer->assign({{partition, before}}));
    EXPECT_TRUE(pollTo(*consumer, partition, before).records.empty());

    ASSERT_TRUE(transport->registerMember(role, {member("node-1"), wallTime(1)}));
    const Reading reading = pollTo(*consumer, partition, before + 1);
    ASSERT_EQ(reading.records.size(), 1U);
    EXPECT_EQ(reading.records[0].position.offset, before);
    EXPECT_EQ(reading.end, before + 1);
}

TEST_P(ConsumerConformance, ReadingStartsAtTheAssignedOffset) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const auto transport = world->transport();
    const std::int64_t start = boundsOf(partition, Isolation::readCommitted).end;
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(transport->registerMember(role, {member("node-1"), wallTime(i)}));
    }
    const Reading reading = readPartition(partition, Isolation::readCommitted, start + 1);
    ASSERT_EQ(reading.records.size(), 2U);
    EXPECT_EQ(reading.records[0].position.offset, start + 1);
    EXPECT_EQ(reading.records[1].position.offset, start + 2);
}

TEST_P(ConsumerConformance, ATombstoneHasNoValue) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const auto transport = world->transport();
    ASSERT_TRUE(transport->deregisterMember(role, member("node-1")));
    const Reading reading = readPartition(partition, Isolation::readCommitted);
    ASSERT_FALSE(reading.records.empty());
    EXPECT_EQ(reading.records.back().key, encodeRegistrationKey(role, member("node-1")));
    EXPECT_EQ(reading.records.back().value, std::nullopt);
}

TEST_P(ConsumerConformance, BoundsDifferWhileATransactionIsOpen) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const auto transport = world->transport();
    const std::int64_t before = boundsOf(partition, Isolation::readCommitted).end;
    const auto open = world->openTransaction(role, "key", "value");
    ASSERT_TRUE(transport->registerMember(role, {member("node-1"), wallTime(1)}));
    EXPECT_EQ(boundsOf(partition, Isolation::readCommitted).end, before);
    EXPECT_EQ(boundsOf(partition, Isolation::readUncommitted).end, before + 2);
    EXPECT_TRUE(readPartition(partition, Isolation::readCommitted, before).records.empty());
    EXPECT_EQ(readPartition(partition, Isolation::readUncommitted, before).records.size(), 2U);
    open->end(true);
    EXPECT_EQ(boundsOf(partition, Isolation::readCommitted).end, before + 3);
    EXPECT_EQ(readPartition(partition, Isolation::readCommitted, before).records.size(), 2U);
}

TEST_P(ConsumerConformance, AnAbortedRecordIsSeenByTheUncommittedReaderOnly) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const std::int64_t before = boundsOf(partition, Isolation::readCommitted).end;
    world->openTransaction(role, "key", "value")->end(false);
    const Reading committed = readPartition(partition, Isolation::readCommitted, before);
    EXPECT_TRUE(committed.records.empty());
    EXPECT_EQ(committed.end, before + 2);
    const Reading all = readPartition(partition, Isolation::readUncommitted, before);
    ASSERT_EQ(all.records.size(), 1U);
    EXPECT_EQ(all.records[0].value, "value");
}

TEST_P(ConsumerConformance, APartitionWithoutNewsReportsItsEndOnAssign) {
    const auto consumer = openConsumer(Isolation::readCommitted);
    const auto count = consumer->partitionCount(world->patience());
    ASSERT_TRUE(count) << count.error().text();
    ASSERT_GE(*count, 1);
    std::vector<std::int32_t> partitions;
    std::vector<PartitionOffset> start;
    for (std::int32_t partition = 0; partition < *count; ++partition) {
        partitions.push_back(partition);
    }
    const auto bounds = consumer->bounds(partitions, world->patience());
    ASSERT_TRUE(bounds) << bounds.error().text();
    ASSERT_EQ(bounds->size(), partitions.size());
    for (const PartitionBounds& bound : *bounds) {
        EXPECT_LE(bound.beginning, bound.end);
        start.push_back({bound.partition, bound.end});
    }
    ASSERT_TRUE(consumer->assign(start));
    std::vector<PartitionOffset> reached;
    const auto deadline = std::chrono::steady_clock::now() + world->patience();
    while (reached.size() < start.size() && std::chrono::steady_clock::now() < deadline) {
        const auto batch = consumer->poll(Millis{100}, 500);
        ASSERT_TRUE(batch) << batch.error().text();
        reached.insert(reached.end(), batch->reachedEnd.begin(), batch->reachedEnd.end());
    }
    EXPECT_TRUE(std::is_permutation(reached.begin(), reached.end(), start.begin(), start.end()));
}

TEST_P(ConsumerConformance, AWakeUpEndsAPoll) {
    const auto consumer = openConsumer(Isolation::readCommitted);
    ASSERT_TRUE(consumer->assign({}));
    auto polling = std::async(std::launch::async, [&] { return consumer->poll(Millis{3'600'000}, 1); });
    const auto deadline = std::chrono::steady_clock::now() + world->patience();
    bool returned = false;
    while (!returned && std::chrono::steady_clock::now() < deadline) {
        consumer->wakeUp();
        returned = polling.wait_for(Millis{20}) == std::future_status::ready;
    }
    EXPECT_TRUE(returned);
    if (!returned) {
        consumer->close();
    }
    (void)polling.get();
}

TEST_P(ConsumerConformance, AClosedConsumerSaysSo) {
    const auto consumer = openConsumer(Isolation::readCommitted);
    consumer->close();
    consumer->close();
    EXPECT_EQ(consumer->poll(Millis{0}, 1).error().code, ErrorCode::closed);
    EXPECT_EQ(consumer->assign({{0, 0}}).error().code, ErrorCode::closed);
    EXPECT_EQ(consumer->partitionCount(Millis{100}).error().code, ErrorCode::closed);
    EXPECT_EQ(consumer->bounds({0}, Millis{100}).error().code, ErrorCode::closed);
}

} // namespace bellwether::conformance
