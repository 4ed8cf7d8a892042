// SPDX-License-Identifier: Apache-2.0
// A member and a console on three nodes, one of which goes.
#include <gtest/gtest.h>

#include <chrono>

#include "kafka/kafka_log_consumer.h"
#include "test_cluster.h"

namespace bellwether::brokertest {
namespace {

using std::chrono::seconds;
using std::chrono::steady_clock;

template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

TestCluster& threeNodes() {
    return TestCluster::get({3, false, {"alone:3:1"}, {}});
}

TEST(ThreeNodes, TwoMembersFenceEachOther) {
    auto& cluster = threeNodes();
    const auto role = freshRole();
    const auto node1 = member("node-1");
    const auto one = openTransport(cluster.config());
    const auto two = openTransport(cluster.config());
    const auto first = one->acquireEpoch(role);
    ASSERT_TRUE(succeeded(first));
    ASSERT_TRUE(succeeded(one->writeLease(role, *first, leaseOf(node1, *first))));
    const auto second = two->acquireEpoch(role);
    ASSERT_TRUE(succeeded(second));
    EXPECT_EQ(two->describe(role)->value_or(FencingToken::none()), *second);
    EXPECT_EQ(one->writeLease(role, *first, leaseOf(node1, *first)).error().code, ErrorCode::fenced);
    ASSERT_TRUE(succeeded(two->writeLease(role, *second, leaseOf(node1, *second))));
    const auto entries = readAtLeast(*two, role, 2);
    ASSERT_TRUE(succeeded(entries));
    EXPECT_EQ(entries->size(), 2U);
}

TEST(ThreeNodes, OneSilentLeaderDoesNotKeepTheOthersAnswers) {
    auto& cluster = threeNodes();
    auto config = cluster.config();
    config.topic = "alone"; // a partition on each node, without replicas
    auto consumer = kafka::makeKafkaLogConsumers(config)(Isolation::readCommitted);
    ASSERT_TRUE(succeeded(consumer));
    const auto all = (*consumer)->bounds({0, 1, 2}, Millis{20'000});
    ASSERT_TRUE(succeeded(all));
    ASSERT_EQ(all->size(), 3U);
    cluster.node("pause", 2);
    const auto some = (*consumer)->bounds({0, 1, 2}, Millis{4'000});
    cluster.node("resume", 2);
    ASSERT_TRUE(succeeded(some));
    EXPECT_EQ(some->size(), 2U);
}

TEST(ThreeNodes, AHolderGoesOnOrIsToldThatItsTokenIsLostWhenANodeDies) {
    auto& cluster = threeNodes();
    const auto node1 = member("node-1");

    // Several roles, so that the dead node is the coordinator or the leader of some of them.
    struct Held {
        Role role;
        FencingToken token;
    };

    const auto transport = openTransport(cluster.config());
    std::vector<Held> held;
    for (int i = 0; i < 6; ++i) {
        const auto role = freshRole();
        const auto token = transport->acquireEpoch(role);
        ASSERT_TRUE(succeeded(token));
        ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token, 1))));
        held.push_back({role, *token});
    }
    cluster.node("kill", 3);
    int kept = 0;
    for (const auto& [role, token] : held) {
        const auto deadline = steady_clock::now() + seconds{40};
        Result<void> written;
        do {
            written = transport->writeLease(role, token, leaseOf(node1, token, 2));
        } while (!written && written.error().retriable && steady_clock::now() < deadline);
        auto current = token;
        if (!written) {
            // The client library gave the producer a new epoch while it undid a write that the dead node had
            // not acknowledged, or cannot undo it: said as the end of the token, never passed over.
            EXPECT_TRUE(written.error().fatal) << written.error().text();
            EXPECT_TRUE(written.error().code != ErrorCode::fenced ||
                        written.error().what.rfind("token lost", 0) == 0)
                << written.error().text();
            const auto again = transport->acquireEpoch(role);
            ASSERT_TRUE(succeeded(again));
            EXPECT_LT(token, *again);
            current = *again;
            ASSERT_TRUE(succeeded(transport->writeLease(role, current, leaseOf(node1, current, 2))));
        } else {
            ++kept;
        }
        EXPECT_EQ(transport->describe(role)->value_or(FencingToken::none()), current);
        const auto entries = readUntilLease(*transport, role, leaseOf(node1, current, 2));
        ASSERT_TRUE(succeeded(entries));
        EXPECT_EQ(std::get<Lease>(entries->back().record.value), leaseOf(node1, current, 2));
    }
    EXPECT_GT(kept, 0) << "not every role had to do with the dead node";
}

} // namespace
} // namespace bellwether::brokertest
