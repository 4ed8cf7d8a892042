// SPDX-License-Identifier: Apache-2.0
// The console's consumers on a real broker.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

#include "coordination/role_partition.h"
#include "kafka/kafka_log_consumer.h"
#include "shared_cluster.h"

namespace bellwether::brokertest {
namespace {

constexpr Millis kTimeout{20'000};

template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

class LogConsumers : public testing::Test {
protected:
    TestCluster& cluster = sharedCluster();
    kafka::KafkaConfig config = stateOf3();
    LogConsumerFactory factory = kafka::makeKafkaLogConsumers(config);
    const MemberId node1 = member("node-1");

    kafka::KafkaConfig stateOf3() {
        auto out = cluster.config();
        out.topic = "state-3";
        return out;
    }

    std::unique_ptr<LogConsumer> open(Isolation isolation) {
        auto consumer = factory(isolation);
        EXPECT_TRUE(succeeded(consumer));
        return consumer ? std::move(*consumer) : nullptr;
    }

    struct Seen {
        std::vector<ConsumedRecord> records;
        std::map<std::int32_t, std::int64_t> ends;
        std::vector<Error> troubles;
    };

    /// Polls until every partition of `wanted` has come to the end at or behind its bound.
    static Seen readTo(LogConsumer& consumer, const std::vector<PartitionBounds>& wanted) {
        Seen seen;
        const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        const auto done = [&] {
            return std::all_of(wanted.begin(), wanted.end(), [&](const PartitionBounds& bounds) {
                const auto found = seen.ends.find(bounds.partition);
                return found != seen.ends.end() && found->second >= bounds.end;
            });
        };
        while (!done() && std::chrono::steady_clock::now() < deadline) {
            auto batch = consumer.poll(Millis{500}, 1'000);
            if (!batch) {
                ADD_FAILURE() << batch.error().text();
                break;
            }
            std::move(batch->records.begin(), batch->records.end(), std::back_inserter(seen.records));
            std::move(batch->troubles.begin(), batch->troubles.end(), std::back_inserter(seen.troubles));
            for (const auto& end : batch->reachedEnd) {
                seen.ends[end.partition] = end.offset;
            }
        }
        EXPECT_TRUE(done()) << "the end was not reached";
        return seen;
    }

    static std::vector<PartitionOffset> beginnings(const std::vector<PartitionBounds>& all) {
        std::vector<PartitionOffset> out;
        for (const auto& one : all) {
            out.push_back({one.partition, one.beginning});
        }
        return out;
    }
};

TEST_F(LogConsumers, ReadAllPartitionsToTheEndThatTheBrokersName) {
    const auto transport = openTransport(config);
    const auto role = freshRole();
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node1, wallTime(7)})));
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token))));
    ASSERT_TRUE(succeeded(readAtLeast(*transport, role, 2)));

    const auto consumer = open(Isolation::readCommitted);
    ASSERT_EQ(consumer->partitionCount(kTimeout).value_or(0), 3);
    const auto bounds = consumer->bounds({0, 1, 2}, kTimeout);
    ASSERT_TRUE(succeeded(bounds));
    ASSERT_EQ(bounds->size(), 3U);
    ASSERT_TRUE(succeeded(consumer->assign(beginnings(*bounds))));
    const auto seen = readTo(*consumer, *bounds);
    EXPECT_TRUE(seen.troubles.empty()) << seen.troubles.front().text();
    const auto found =
        std::find_if(seen.records.begin(), seen.records.end(),
                     [&](const ConsumedRecord& record) { return record.key == encodeLeaseKey(role); });
    ASSERT_NE(found, seen.records.end());
    EXPECT_EQ(found->value, encodeLeaseValue(leaseOf(node1, *token)));
    EXPECT_EQ(found->position.partition, rolePartition(role, 3));
    EXPECT_EQ(found->position.timestampType, TimestampType::createTime);
    EXPECT_GT(found->position.timestamp, wallTime(1'600'000'000'000));

    // A tombstone comes as null; what comes later is told, and the end again behind its marker.
    ASSERT_TRUE(succeeded(transport->clearLease(role, *token)));
    ASSERT_TRUE(succeeded(readAtLeast(*transport, role, 3)));
    const auto later = consumer->bounds({rolePartition(role, 3)}, kTimeout);
    ASSERT_TRUE(succeeded(later));
    const auto more = readTo(*consumer, *later);
    ASSERT_EQ(more.records.size(), 1U);
    EXPECT_EQ(more.records.front().key, encodeLeaseKey(role));
    EXPECT_FALSE(more.records.front().value);
}

TEST_F(LogConsumers, TheTwoIsolationLevelsDifferByAnOpenTransaction) {
    const auto role = freshRole();
    const auto partition = rolePartition(role, 3);
    Process java(cluster.java("JavaMember", {role.str(), "node-j", "--topic", "state-3", "--hold-open"}));
    ASSERT_TRUE(java.lineWith("\"end\":\"open\""));
    const auto committed = open(Isolation::readCommitted);
    const auto uncommitted = open(Isolation::readUncommitted);
    const auto stable = committed->bounds({partition}, kTimeout);
    const auto high = uncommitted->bounds({partition}, kTimeout);
    ASSERT_TRUE(succeeded(stable));
    ASSERT_TRUE(succeeded(high));
    EXPECT_LT(stable->front().end, high->front().end);
    ASSERT_TRUE(succeeded(committed->assign(beginnings(*stable))));
    ASSERT_TRUE(succeeded(uncommitted->assign(beginnings(*high))));
    const auto isLease = [&](const ConsumedRecord& record) { return record.key == encodeLeaseKey(role); };
    const auto seen = readTo(*committed, *stable);
    EXPECT_EQ(std::count_if(seen.records.begin(), seen.records.end(), isLease), 0);
    const auto all = readTo(*uncommitted, *high);
    EXPECT_EQ(std::count_if(all.records.begin(), all.records.end(), isLease), 1);

    // The holder dies; a mint of the role ends its transaction: both ends meet, and nothing was committed.
    java.kill();
    const auto transport = openTransport(config);
    ASSERT_TRUE(succeeded(transport->acquireEpoch(role)));
    auto after = committed->bounds({partition}, kTimeout);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (after && after->front().end <= high->front().end && std::chrono::steady_clock::now() < deadline) {
        after = committed->bounds({partition}, kTimeout);
    }
    ASSERT_TRUE(succeeded(after));
    EXPECT_GT(after->front().end, high->front().end);
    const auto rest = readTo(*committed, *after);
    EXPECT_EQ(std::count_if(rest.records.begin(), rest.records.end(), isLease), 0);
}

TEST_F(LogConsumers, AnOffsetThatTheLogDoesNotHoldIsATroubleAndReadingStartsOver) {
    const auto transport = openTransport(config);
    const auto role = freshRole();
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node1, wallTime(7)})));
    const auto partition = rolePartition(role, 3);
    const auto consumer = open(Isolation::readCommitted);
    const auto bounds = consumer->bounds({partition}, kTimeout);
    ASSERT_TRUE(succeeded(bounds));
    ASSERT_TRUE(succeeded(consumer->assign({{partition, bounds->front().end + 1'000'000}})));
    const auto seen = readTo(*consumer, *bounds);
    ASSERT_FALSE(seen.records.empty());
    EXPECT_EQ(seen.records.front().position.offset, bounds->front().beginning);
    ASSERT_FALSE(seen.troubles.empty());
    EXPECT_EQ(seen.troubles.front().kafkaCode, 1) << seen.troubles.front().text();
}

TEST_F(LogConsumers, AMissingTopicIsSaid) {
    config.topic = "no-such-topic";
    auto consumer = kafka::makeKafkaLogConsumers(config)(Isolation::readCommitted);
    ASSERT_TRUE(succeeded(consumer));
    const auto count = (*consumer)->partitionCount(kTimeout);
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().code, ErrorCode::topicMissing) << count.error().text();
}

TEST_F(LogConsumers, AWaitingPollCanBeWokenAndClosedFromAnotherThread) {
    const auto consumer = open(Isolation::readCommitted);
    ASSERT_TRUE(succeeded(consumer->assign({})));
    {
        std::jthread waker([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds{200});
            consumer->wakeUp();
        });
        const auto begin = std::chrono::steady_clock::now();
        ASSERT_TRUE(succeeded(consumer->poll(Millis{60'000}, 10)));
        EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
    }
    std::jthread closer([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds{200});
        consumer->close();
    });
    const auto begin = std::chrono::steady_clock::now();
    while (consumer->poll(Millis{60'000}, 10)) {
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds{30});
}

TEST_F(LogConsumers, AnswersOfBoundsDoNotWaitBehindThePoll) {
    const auto consumer = open(Isolation::readCommitted);
    const auto bounds = consumer->bounds({0, 1, 2}, kTimeout);
    ASSERT_TRUE(succeeded(bounds));
    ASSERT_TRUE(succeeded(consumer->assign(beginnings(*bounds))));
    static_cast<void>(readTo(*consumer, *bounds));
    // The handle's fetch is parked at the broker now; the answers come over another connection.
    for (int i = 0; i < 20; ++i) {
        ASSERT_TRUE(succeeded(consumer->bounds({0, 1, 2}, kTimeout)));
    }
}

} // namespace
} // namespace bellwether::brokertest
