// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_config.h"

#include <gtest/gtest.h>

#include "kafka/kafka_log_consumer.h"
#include "kafka/kafka_transport.h"

namespace bellwether::kafka {
namespace {

class SilentAuthority final : public Authority {
public:
    void describeRoles(std::vector<Role> roles, Millis timeout, RolesHandler handler) override {
        static_cast<void>(roles), static_cast<void>(timeout), static_cast<void>(handler);
    }

    void describeProducers(std::string topic, std::vector<std::int32_t> partitions, Millis timeout,
                           ProducersHandler handler) override {
        static_cast<void>(topic), static_cast<void>(partitions), static_cast<void>(timeout),
            static_cast<void>(handler);
    }

    void listTransactions(std::vector<std::int64_t> ids, Millis timeout, ListingHandler handler) override {
        static_cast<void>(ids), static_cast<void>(timeout), static_cast<void>(handler);
    }

    void describeCluster(Millis timeout, ClusterHandler handler) override {
        static_cast<void>(timeout), static_cast<void>(handler);
    }

    void close() override {}
};

KafkaConfig legal() {
    KafkaConfig config;
    config.bootstrap = "127.0.0.1:9092";
    return config;
}

/// The error of both doors, which must agree; nothing when both open.
std::optional<Error> refusal(const KafkaConfig& config) {
    const auto transport = makeKafkaTransport(config, std::make_shared<SilentAuthority>());
    const auto consumer = makeKafkaLogConsumers(config)(Isolation::readCommitted);
    EXPECT_EQ(transport.has_value(), consumer.has_value());
    if (transport) {
        return std::nullopt;
    }
    if (!consumer) {
        EXPECT_EQ(transport.error(), consumer.error());
    }
    return transport.error();
}

TEST(ParseBootstrap, TakesNamesAddressesAndBrackets) {
    const auto parsed =
        parseBootstrap(" broker-1.example:9092, 10.0.0.1:65535 ,[::1]:1,[fe80::1%eth0]:19092");
    ASSERT_TRUE(parsed) << parsed.error().text();
    EXPECT_EQ(*parsed,
              (std::vector<HostPort>{
                  {"broker-1.example", 9092}, {"10.0.0.1", 65535}, {"::1", 1}, {"fe80::1%eth0", 19092}}));
}

TEST(ParseBootstrap, NamesTheBadEntry) {
    for (const auto* bad :
         {"host", "host:", ":9092", "host:0", "host:65536", "host:9092x", "host:-1", "host: 9092", "::1:9092",
          "[::1]", "[::1]9092", "[::1:9092", "[]:9092", "[host]:9092", "a b:9092", "ssl://host:9093",
          "user@host:9092", "host/path:9092", "[127.0.0.1]:9092"}) {
        const auto parsed = parseBootstrap(std::string("good:9092,") + bad);
        ASSERT_FALSE(parsed) << bad;
        EXPECT_EQ(parsed.error().code, ErrorCode::invalidArgument);
        const std::string entry = bad;
        const auto at = entry.rfind('@'); // what stands before it may be a password
        const auto shown = at == std::string::npos ? entry : "..." + entry.substr(at);
        EXPECT_NE(parsed.error().what.find("\"" + shown + "\""), std::string::npos) << parsed.error().what;
        EXPECT_FALSE(parsed.error().hint.empty());
    }
    for (const auto* empty : {"", " ", "a:1,", ",a:1", "a:1,,b:2"}) {
        EXPECT_FALSE(parseBootstrap(empty)) << empty;
    }
}

TEST(KafkaConfig, TheVersionInUseIsNewEnough) {
    const auto version = librdkafkaVersion();
    const auto dot = version.find('.');
    ASSERT_NE(dot, std::string::npos);
    EXPECT_TRUE(std::stoi(version) > 2 || std::stoi(version.substr(dot + 1)) >= 14) << version;
}

TEST(KafkaConfig, ALegalOneOpensWithoutABroker) {
    EXPECT_FALSE(refusal(legal()));
}

TEST(KafkaConfig, AnUnknownPropertyIsNamed) {
    auto config = legal();
    config.properties["ssl.truststore.location"] = "x";
    const auto error = refusal(config);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::invalidArgument);
    EXPECT_NE(error->what.find("\"ssl.truststore.location\""), std::string::npos) << error->what;
    EXPECT_NE(error->hint.find("librdkafka"), std::string::npos);
}

TEST(KafkaConfig, AnIllegalValueIsNamedWithItsProperty) {
    auto config = legal();
    config.properties["security.protocol"] = "tls";
    const auto error = refusal(config);
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code, ErrorCode::invalidArgument);
    EXPECT_NE(error->what.find("security.protocol"), std::string::npos) << error->what;
}

TEST(KafkaConfig, WhatSafetyRestsOnIsNotTheUsersToChange) {
    auto config = legal();
    config.properties = {{"isolation.level", "read_uncommitted"},
                         {"enable.idempotence", "false"},
                         {"acks", "0"},
                         {"transactional.id", "another"},
                         {"enable.auto.commit", "true"},
                         {"bootstrap.servers", "elsewhere:1"}};
    EXPECT_FALSE(refusal(config));
}

/// A producer is opened by the first mint; nobody listens, so that it can only fail.
Error mintingFailure(const std::string& name, const std::string& value) {
    auto config = legal();
    config.bootstrap = "127.0.0.1:1";
    config.timeout = Millis{50};
    config.properties[name] = value;
    const auto transport = makeKafkaTransport(config, std::make_shared<SilentAuthority>());
    EXPECT_TRUE(transport) << name;
    const auto token = (*transport)->acquireEpoch(*Role::of("lead"));
    EXPECT_FALSE(token) << name;
    return token ? Error{} : token.error();
}

TEST(KafkaConfig, TimingsThatReadersTakeDoNotKeepMembersOut) {
    // Longer than the transaction's timeout: librdkafka makes no transactional producer of that.
    for (const auto* timeout : {"10", "10000", "30000", "300000"}) {
        const auto error = mintingFailure("socket.timeout.ms", timeout);
        EXPECT_NE(error.code, ErrorCode::invalidArgument) << timeout << ": " << error.text();
    }
    // Above this library's own reconnect.backoff.max.ms.
    const auto error = mintingFailure("reconnect.backoff.ms", "5000");
    EXPECT_NE(error.code, ErrorCode::invalidArgument) << error.text();
    auto config = legal();
    config.properties = {{"reconnect.backoff.ms", "5000"}};
    EXPECT_FALSE(refusal(config));
    config.properties["reconnect.backoff.max.ms"] = "100"; // the user's own contradiction is told
    EXPECT_FALSE(makeKafkaLogConsumers(config)(Isolation::readCommitted));
}

TEST(KafkaConfig, AliasesHaveTheNameBehindThem) {
    for (const auto& [alias, name] :
         {std::pair{"sasl.mechanism", "sasl.mechanisms"},
          {"bootstrap.servers", "metadata.broker.list"},
          {"acks", "request.required.acks"},
          {"sasl.oauthbearer.client.credentials.client.id", "sasl.oauthbearer.client.id"},
          {"linger.ms", "queue.buffering.max.ms"}}) {
        EXPECT_EQ(propertyBehind(alias), name);
        EXPECT_EQ(propertyBehind(name), name);
        EXPECT_TRUE(isProperty(alias) && isProperty(name)) << alias;
    }
    EXPECT_EQ(propertyBehind("no.such.name"), "no.such.name");
}

TEST(KafkaConfig, TopicAndTimeoutsAreChecked) {
    for (const auto* topic : {"", ".", "..", "a b", "caf\xc3\xa9", "a/b"}) {
        auto config = legal();
        config.topic = topic;
        ASSERT_TRUE(refusal(config)) << topic;
    }
    auto config = legal();
    config.timeout = Millis{0};
    EXPECT_TRUE(refusal(config));
    config = legal();
    config.transactionTimeout = Millis{0};
    EXPECT_TRUE(refusal(config));
    config = legal();
    config.bootstrap = "nowhere";
    EXPECT_TRUE(refusal(config));
}

TEST(KafkaTransport, NeedsAnAuthority) {
    EXPECT_FALSE(makeKafkaTransport(legal(), nullptr));
}

TEST(KafkaTransport, WritesNothingUnderATokenThatIsNotItsOwn) {
    const auto transport = makeKafkaTransport(legal(), std::make_shared<SilentAuthority>());
    ASSERT_TRUE(transport);
    const auto role = *Role::of("lead");
    const auto member = *MemberId::of("node-1");
    const FencingToken token{7, 3};
    const auto written =
        (*transport)->writeLease(role, token, Lease{member, token, wallTime(1), wallTime(2)});
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().code, ErrorCode::notMinted);
    const auto cleared = (*transport)->clearLease(role, FencingToken::none());
    ASSERT_FALSE(cleared);
    EXPECT_EQ(cleared.error().code, ErrorCode::notMinted);
    const auto other =
        (*transport)->writeLease(role, token, Lease{member, FencingToken{7, 4}, wallTime(1), wallTime(2)});
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::invalidArgument);
}

TEST(KafkaTransport, AClosedOneSaysSo) {
    const auto transport = makeKafkaTransport(legal(), std::make_shared<SilentAuthority>());
    ASSERT_TRUE(transport);
    const auto role = *Role::of("lead");
    const auto member = *MemberId::of("node-1");
    (*transport)->close();
    (*transport)->close();
    EXPECT_EQ((*transport)->acquireEpoch(role).error().code, ErrorCode::closed);
    EXPECT_EQ((*transport)->readRoleRecords(role).error().code, ErrorCode::closed);
    EXPECT_EQ((*transport)->registerMember(role, {member, wallTime(1)}).error().code, ErrorCode::closed);
    EXPECT_EQ((*transport)->deregisterMember(role, member).error().code, ErrorCode::closed);
    EXPECT_EQ((*transport)->clearLease(role, FencingToken{7, 3}).error().code, ErrorCode::closed);
    EXPECT_EQ((*transport)->describe(role).error().code, ErrorCode::closed);
}

TEST(KafkaTransport, ARoleThatTheLibraryCannotCarryIsRefused) {
    const auto transport = makeKafkaTransport(legal(), std::make_shared<SilentAuthority>());
    ASSERT_TRUE(transport);
    const auto role = *Role::of(std::string_view("a\0b", 3));
    const auto token = (*transport)->acquireEpoch(role);
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().code, ErrorCode::unsupported);
}

TEST(KafkaLogConsumer, AClosedOneSaysSo) {
    const auto consumer = makeKafkaLogConsumers(legal())(Isolation::readUncommitted);
    ASSERT_TRUE(consumer);
    (*consumer)->wakeUp();
    (*consumer)->close();
    (*consumer)->close();
    (*consumer)->wakeUp();
    EXPECT_EQ((*consumer)->poll(Millis{0}, 1).error().code, ErrorCode::closed);
    EXPECT_EQ((*consumer)->assign({}).error().code, ErrorCode::closed);
    EXPECT_EQ((*consumer)->bounds({0}, Millis{1}).error().code, ErrorCode::closed);
    EXPECT_EQ((*consumer)->partitionCount(Millis{1}).error().code, ErrorCode::closed);
}

TEST(KafkaLogConsumer, RefusesNegativePlaces) {
    const auto consumer = makeKafkaLogConsumers(legal())(Isolation::readUncommitted);
    ASSERT_TRUE(consumer);
    EXPECT_EQ((*consumer)->assign({{-1, 0}}).error().code, ErrorCode::invalidArgument);
    EXPECT_EQ((*consumer)->assign({{0, -2}}).error().code, ErrorCode::invalidArgument);
}

} // namespace
} // namespace bellwether::kafka
