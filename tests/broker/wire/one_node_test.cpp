// SPDX-License-Identifier: Apache-2.0
// The wire client against one real broker of each release, beside what Java's Admin says of the same ids.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire_authority.h"
#include "real_cluster.h"

namespace bellwether::kafka::wire {
namespace {

using Kind = CoordinatorAnswer::Kind;
constexpr Millis kLong{60'000};
const std::string kTopic = "__coordination_state";

Role role(const std::string& name) {
    return Role::of(name).value();
}

class OneNode : public testing::TestWithParam<std::string> {
protected:
    static CoordinatorAnswer ask(Authority& authority, const std::string& name) {
        return describeRolesAndWait(authority, {role(name)}, kLong).at(0).answer;
    }

    static void expectLikeJava(const RealCluster& cluster, Authority& authority, const std::string& name) {
        SCOPED_TRACE(name);
        const auto told = cluster.runJava("DescribeTransactions", {name});
        ASSERT_EQ(told.size(), 1U);
        const auto ours = ask(authority, name);
        ASSERT_EQ(ours.kind, Kind::described) << ours.error->text();
        EXPECT_EQ(ours.token.producerId, told[0].at("producerId"));
        EXPECT_EQ(ours.token.producerEpoch, told[0].at("producerEpoch"));
        EXPECT_EQ(toString(ours.state), told[0].at("state").get<std::string>());
        EXPECT_EQ(ours.transactionTimeout.count(), told[0].at("timeoutMs"));
        const auto start = told[0].at("startTimeMs").get<std::int64_t>();
        EXPECT_EQ(ours.transactionStart, start < 0 ? std::nullopt : std::optional(wallTime(start)));
    }
};

TEST_P(OneNode, SaysWhatJavaSays) {
    const RealCluster cluster(GetParam(), 1);
    const auto authority = cluster.authority();

    const auto info = describeClusterAndWait(*authority, kLong);
    ASSERT_TRUE(info.has_value()) << info.error().text();
    EXPECT_FALSE(info->clusterId.empty());
    ASSERT_EQ(info->brokers.size(), 1U);
    EXPECT_TRUE(info->brokers[0].reachable);
    EXPECT_TRUE(info->canDescribe);
    const bool hasFeature = GetParam()[0] >= '4';
    EXPECT_EQ(info->transactionVersion, hasFeature ? std::optional<std::int16_t>(2) : std::nullopt);

    EXPECT_EQ(ask(*authority, "never-used").kind, Kind::unknownId);

    // A member that took the role and renewed twice.
    const auto events =
        cluster.runJava("JavaMember", {"renewed", "m1", "--renewals", "2", "--interval", "50"});
    const auto& lastLease = events.back();
    ASSERT_EQ(lastLease.at("event"), "lease");
    expectLikeJava(cluster, *authority, "renewed");
    const auto renewed = ask(*authority, "renewed");
    EXPECT_EQ(renewed.state, TransactionState::completeCommit);
    EXPECT_EQ(renewed.token.text(), lastLease.at("coordinator").get<std::string>());

    // A member in the middle of a transaction.
    const auto member = cluster.java("JavaMember", {"open", "m2", "--hold-open", "--timeout", "120000"});
    auto open = nlohmann::json::object();
    while (open.value("event", "") != "lease") {
        const auto line = member->line(std::chrono::seconds{120});
        ASSERT_TRUE(line.has_value()) << "the member ended";
        open = nlohmann::json::parse(*line);
    }
    expectLikeJava(cluster, *authority, "open");
    const auto ongoing = ask(*authority, "open");
    EXPECT_EQ(ongoing.state, TransactionState::ongoing);
    EXPECT_TRUE(ongoing.transactionStart.has_value());

    std::vector<std::int32_t> partitions(16);
    for (std::size_t i = 0; i < partitions.size(); ++i) {
        partitions[i] = static_cast<std::int32_t>(i);
    }
    const auto answers = describeProducersAndWait(*authority, kTopic, partitions, kLong);
    ASSERT_EQ(answers.size(), partitions.size());
    int found = 0;
    for (const auto& each : answers) {
        ASSERT_TRUE(each.producers.has_value()) << each.producers.error().text();
        for (const auto& producer : *each.producers) {
            if (producer.producer == ongoing.token) {
                ++found;
                EXPECT_EQ(producer.openSince, open.at("offset").get<std::int64_t>());
                EXPECT_TRUE(producer.lastTimestamp.has_value());
            } else {
                EXPECT_FALSE(producer.openSince.has_value());
            }
        }
    }
    EXPECT_EQ(found, 1);

    auto listing = listTransactionsAndWait(
        *authority, {ongoing.token.producerId, renewed.token.producerId, 999'999}, kLong);
    EXPECT_TRUE(listing.silent.empty());
    EXPECT_THAT(
        listing.found,
        testing::UnorderedElementsAre(
            ListedTransaction{"open", ongoing.token.producerId, TransactionState::ongoing},
            ListedTransaction{"renewed", renewed.token.producerId, TransactionState::completeCommit}));

    const auto missing = describeProducersAndWait(*authority, "no-such-topic", {0}, kLong);
    ASSERT_FALSE(missing.at(0).producers.has_value());
    EXPECT_EQ(missing[0].producers.error().code, ErrorCode::topicMissing);
    const auto beyond = describeProducersAndWait(*authority, kTopic, {15, 16}, kLong);
    EXPECT_TRUE(beyond.at(0).producers.has_value());
    EXPECT_FALSE(beyond.at(1).producers.has_value());
}

INSTANTIATE_TEST_SUITE_P(Releases, OneNode, testing::Values("3.9.1", "4.0.0", "4.4.0"),
                         [](const auto& release) {
                             auto name = "v" + release.param;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

TEST(TransactionVersion, IsShownAsFinalized) {
    for (const std::int16_t wanted : {std::int16_t{0}, std::int16_t{1}}) {
        const RealCluster cluster(
            "4.4.0", 1, {"--transaction-version", std::to_string(wanted), "--no-topic", "--no-warm-up"});
        const auto info = describeClusterAndWait(*cluster.authority(), kLong);
        ASSERT_TRUE(info.has_value()) << info.error().text();
        EXPECT_EQ(info->transactionVersion, wanted);
    }
}

TEST(TlsPort, SaysWhatToSet) {
    const RealCluster cluster("4.4.0", 1, {"--tls", "--no-topic", "--no-warm-up"});
    KafkaConfig config;
    config.bootstrap = cluster.tlsBootstrap();
    const auto authority = makeWireAuthority(config).value();
    const auto info = describeClusterAndWait(*authority, Millis{3'000});
    ASSERT_FALSE(info.has_value());
    EXPECT_THAT(info.error().text(), testing::HasSubstr("security.protocol"));
}

} // namespace
} // namespace bellwether::kafka::wire
