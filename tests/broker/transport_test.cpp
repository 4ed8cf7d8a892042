// SPDX-License-Identifier: Apache-2.0
// Minting, fencing and writing of a member on a real broker.
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include <nlohmann/json.hpp>

#include "coordination/role_partition.h"
#include "shared_cluster.h"

namespace bellwether::brokertest {
namespace {

class Transport : public testing::Test {
protected:
    TestCluster& cluster = sharedCluster();
    const Role role = freshRole();
    const MemberId node1 = member("node-1");
    const MemberId node2 = member("node-2");
};

/// Fails the test with the error's text instead of ending the program.
template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

TEST_F(Transport, TheMintedPairIsTheOneTheCoordinatorDescribes) {
    const auto transport = openTransport(cluster.config());
    const auto none = transport->describe(role);
    ASSERT_TRUE(succeeded(none));
    EXPECT_FALSE(none->has_value());

    const auto first = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(first));
    const auto described = transport->describe(role);
    ASSERT_TRUE(succeeded(described));
    EXPECT_EQ(described->value_or(FencingToken::none()), *first);

    const auto second = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(second));
    EXPECT_LT(*first, *second);
    EXPECT_EQ(transport->describe(role)->value_or(FencingToken::none()), *second);

    // Java's Admin is a witness of its own.
    const auto told = nlohmann::json::parse(run(cluster.java("DescribeTransactions", {role.str()})));
    EXPECT_EQ(told.at("producerId").get<std::int64_t>(), second->producerId);
    EXPECT_EQ(told.at("producerEpoch").get<std::int16_t>(), second->producerEpoch);

    // The first token died with its producer.
    const auto stale = transport->writeLease(role, *first, leaseOf(node1, *first));
    ASSERT_FALSE(stale);
    EXPECT_EQ(stale.error().code, ErrorCode::notMinted);
    EXPECT_TRUE(succeeded(transport->writeLease(role, *second, leaseOf(node1, *second))));
}

TEST_F(Transport, ARegistrationALeaseARenewalAndAReleaseAreReadBackInOffsetOrder) {
    const auto transport = openTransport(cluster.config());
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node1, wallTime(5)})));
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node2, wallTime(6)})));
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token, 1'000))));
    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token, 2'000))));
    ASSERT_TRUE(succeeded(transport->clearLease(role, *token)));
    ASSERT_TRUE(succeeded(transport->deregisterMember(role, node2)));

    const auto entries = readAtLeast(*transport, role, 6);
    ASSERT_TRUE(succeeded(entries));
    ASSERT_EQ(entries->size(), 6U);
    for (std::size_t i = 0; i < entries->size(); ++i) {
        const auto& entry = (*entries)[i];
        EXPECT_EQ(entry.position.partition, rolePartition(role, 16));
        EXPECT_TRUE(i == 0 || entry.position.offset > (*entries)[i - 1].position.offset);
        EXPECT_NE(entry.position.timestampType, TimestampType::unknown);
    }
    EXPECT_EQ(std::get<Registration>((*entries)[0].record.value), (Registration{node1, wallTime(5)}));
    EXPECT_EQ(std::get<Lease>((*entries)[3].record.value), leaseOf(node1, *token, 2'000));
    EXPECT_TRUE((*entries)[4].record.isTombstone());
    EXPECT_TRUE((*entries)[5].record.isTombstone());
    EXPECT_EQ((*entries)[5].record.key.member, node2);
}

TEST_F(Transport, TwoMembersFenceEachOtherBothWays) {
    const auto one = openTransport(cluster.config());
    const auto two = openTransport(cluster.config());
    auto tokenOne = one->acquireEpoch(role);
    ASSERT_TRUE(succeeded(tokenOne));
    ASSERT_TRUE(succeeded(one->writeLease(role, *tokenOne, leaseOf(node1, *tokenOne))));
    for (int round = 0; round < 3; ++round) {
        const auto tokenTwo = two->acquireEpoch(role);
        ASSERT_TRUE(succeeded(tokenTwo));
        EXPECT_LT(*tokenOne, *tokenTwo);
        const auto lost = one->writeLease(role, *tokenOne, leaseOf(node1, *tokenOne));
        ASSERT_FALSE(lost);
        EXPECT_EQ(lost.error().code, ErrorCode::fenced) << lost.error().text();
        EXPECT_TRUE(lost.error().fenced);
        EXPECT_EQ(lost.error().kafkaCode, 47) << lost.error().text();
        EXPECT_EQ(one->clearLease(role, *tokenOne).error().code, ErrorCode::fenced);
        EXPECT_EQ(two->writeLease(role, *tokenOne, leaseOf(node2, *tokenOne)).error().code,
                  ErrorCode::notMinted);
        ASSERT_TRUE(succeeded(two->writeLease(role, *tokenTwo, leaseOf(node2, *tokenTwo))));

        tokenOne = one->acquireEpoch(role);
        ASSERT_TRUE(succeeded(tokenOne));
        const auto lostToo = two->clearLease(role, *tokenTwo);
        ASSERT_FALSE(lostToo);
        EXPECT_EQ(lostToo.error().code, ErrorCode::fenced) << lostToo.error().text();
    }
    const auto entries = readAtLeast(*one, role, 4);
    ASSERT_TRUE(succeeded(entries));
    // What a fenced member tried to write is not there.
    EXPECT_EQ(entries->size(), 4U);
}

TEST_F(Transport, AMemberOfAnotherClientAndThisOneFenceEachOther) {
    const auto transport = openTransport(cluster.config());
    Process java(cluster.java("JavaMember", {role.str(), "node-j", "--renewals", "-1", "--interval", "100"}));
    ASSERT_TRUE(java.lineWith("\"event\":\"lease\""));
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    const auto end = java.lineWith("\"event\":\"fenced\"");
    ASSERT_TRUE(end) << "the Java member was not fenced";
    EXPECT_EQ(java.wait(), 3);
    // 90 PRODUCER_FENCED or 47 INVALID_PRODUCER_EPOCH, as its own exceptions name them.
    const auto by = nlohmann::json::parse(*end).at("by").get<std::string>();
    RecordProperty("java_fenced_by", by);
    EXPECT_TRUE(by == "ProducerFencedException" || by == "InvalidProducerEpochException") << by;

    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token))));
    const auto entries = readUntilLease(*transport, role, leaseOf(node1, *token));
    ASSERT_TRUE(succeeded(entries));
    EXPECT_GE(entries->size(), 3U);
    EXPECT_EQ(std::get<Lease>(entries->back().record.value), leaseOf(node1, *token));

    const auto fenced = nlohmann::json::parse(run(cluster.java("FenceProducer", {role.str()})));
    EXPECT_EQ(fenced.at("producerId").get<std::int64_t>(), token->producerId);
    const auto lost = transport->writeLease(role, *token, leaseOf(node1, *token));
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::fenced) << lost.error().text();
}

TEST_F(Transport, ATakeoverGetsPastAnOpenTransactionOfTheHolder) {
    Process java(cluster.java("JavaMember", {role.str(), "node-j", "--hold-open"}));
    const auto opened = java.lineWith("\"event\":\"lease\"");
    ASSERT_TRUE(opened);
    const auto transport = openTransport(cluster.config());
    const auto begin = std::chrono::steady_clock::now();
    const auto token = transport->acquireEpoch(role);
    RecordProperty("takeover_over_open_transaction_ms",
                   std::to_string(std::chrono::duration_cast<std::chrono::milliseconds>(
                                      std::chrono::steady_clock::now() - begin)
                                      .count()));
    ASSERT_TRUE(succeeded(token));
    EXPECT_EQ(transport->describe(role)->value_or(FencingToken::none()), *token);
    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token))));
    const auto entries = readUntilLease(*transport, role, leaseOf(node1, *token));
    ASSERT_TRUE(succeeded(entries));
    // The registration and our lease; the holder's open lease was aborted by the takeover.
    ASSERT_EQ(entries->size(), 2U);
    EXPECT_EQ(std::get<Lease>(entries->back().record.value), leaseOf(node1, *token));
}

TEST_F(Transport, RenewalsGoOnUnderOneToken) {
    const auto transport = openTransport(cluster.config());
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    // Long enough for several statistics, which watch over the producer's own pair.
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds{4};
    std::int64_t count = 0;
    while (std::chrono::steady_clock::now() < end) {
        ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token, ++count))));
    }
    EXPECT_EQ(transport->describe(role)->value_or(FencingToken::none()), *token);
    const auto entries = readUntilLease(*transport, role, leaseOf(node1, *token, count));
    ASSERT_TRUE(succeeded(entries));
    EXPECT_EQ(std::get<Lease>(entries->back().record.value), leaseOf(node1, *token, count));
}

TEST_F(Transport, OneTransportServesSeveralRoles) {
    const auto transport = openTransport(cluster.config());
    const auto other = freshRole();
    const auto token = transport->acquireEpoch(role);
    const auto otherToken = transport->acquireEpoch(other);
    ASSERT_TRUE(succeeded(token));
    ASSERT_TRUE(succeeded(otherToken));
    EXPECT_NE(*token, *otherToken);
    EXPECT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token))));
    EXPECT_TRUE(succeeded(transport->writeLease(other, *otherToken, leaseOf(node1, *otherToken))));
    EXPECT_EQ(transport->writeLease(role, *otherToken, leaseOf(node1, *otherToken)).error().code,
              ErrorCode::notMinted);
}

TEST_F(Transport, NamesWithAnyLegalBytesAreCarried) {
    const auto strange = *Role::of("\xe2\x80\xaerole\n\t\"\\{}%s" + freshRole().str() + " \xf0\x9f\x90\x91");
    const auto who = *MemberId::of("=cmd|'/C calc'!A0\r\n\xe2\x80\x8b");
    const auto transport = openTransport(cluster.config());
    ASSERT_TRUE(succeeded(transport->registerMember(strange, {who, wallTime(1)})));
    const auto token = transport->acquireEpoch(strange);
    ASSERT_TRUE(succeeded(token));
    EXPECT_EQ(transport->describe(strange)->value_or(FencingToken::none()), *token);
    ASSERT_TRUE(succeeded(transport->writeLease(strange, *token, leaseOf(who, *token))));
    const auto entries = readAtLeast(*transport, strange, 2);
    ASSERT_TRUE(succeeded(entries));
    ASSERT_EQ(entries->size(), 2U);
    EXPECT_EQ(entries->back().record.key.role, strange);
    EXPECT_EQ(std::get<Lease>(entries->back().record.value).member, who);
}

TEST_F(Transport, TheRealPartitionCountIsUsed) {
    for (const std::int32_t partitions : {3, 5}) {
        auto config = cluster.config();
        config.topic = "state-" + std::to_string(partitions);
        const auto transport = openTransport(config);
        std::set<std::int32_t> used;
        for (int i = 0; i < 4; ++i) {
            const auto one = freshRole();
            ASSERT_TRUE(succeeded(transport->registerMember(one, {node1, wallTime(1)})));
            const auto token = transport->acquireEpoch(one);
            ASSERT_TRUE(succeeded(token));
            ASSERT_TRUE(succeeded(transport->writeLease(one, *token, leaseOf(node1, *token))));
            const auto entries = readAtLeast(*transport, one, 2);
            ASSERT_TRUE(succeeded(entries));
            ASSERT_EQ(entries->size(), 2U);
            for (const auto& entry : *entries) {
                EXPECT_EQ(entry.position.partition, rolePartition(one, partitions));
                used.insert(entry.position.partition);
            }
        }
        EXPECT_GT(used.size(), 1U) << "the roles should not all fall into one partition";
    }
}

TEST_F(Transport, AMissingTopicIsSaidWithTheCommandThatCreatesIt) {
    auto config = cluster.config();
    config.topic = "no-such-topic";
    const auto transport = openTransport(config);
    const auto token = transport->acquireEpoch(role); // minting needs no topic
    ASSERT_TRUE(succeeded(token));
    const std::vector<Error> errors{transport->readRoleRecords(role).error(),
                                    transport->registerMember(role, {node1, wallTime(1)}).error(),
                                    transport->deregisterMember(role, node1).error(),
                                    transport->writeLease(role, *token, leaseOf(node1, *token)).error(),
                                    transport->clearLease(role, *token).error()};
    for (const auto& error : errors) {
        EXPECT_EQ(error.code, ErrorCode::topicMissing) << error.text();
        EXPECT_NE(error.hint.find("kafka-topics.sh --create --topic no-such-topic"), std::string::npos);
        EXPECT_NE(error.where.find(cluster.bootstrap()), std::string::npos);
    }
    // The question did not create it.
    EXPECT_EQ(transport->readRoleRecords(role).error().code, ErrorCode::topicMissing);
}

TEST_F(Transport, ATransactionTimeoutAboveTheBrokersLimitIsSaid) {
    auto config = cluster.config();
    config.transactionTimeout = Millis{1'000'000'000};
    const auto transport = openTransport(config);
    const auto token = transport->acquireEpoch(role);
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().code, ErrorCode::invalidArgument) << token.error().text();
    EXPECT_NE(token.error().hint.find("transaction.max.timeout.ms"), std::string::npos);
}

} // namespace
} // namespace bellwether::brokertest
