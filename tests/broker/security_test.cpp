// SPDX-License-Identifier: Apache-2.0
// Every security protocol and mechanism, every kind of key, passwords that break careless quoting: with both
// clients.
#include <algorithm>
#include <cctype>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordination/role_partition.h"
#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"
#include "secure_cluster.h"

namespace bellwether::brokertest {
namespace {

constexpr Millis kLong{20'000};

template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

std::string testName(std::string name) {
    std::replace_if(
        name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
    return name;
}

class Security : public testing::Test {
protected:
    SecureCluster& secure = SecureCluster::get();

    /// A member of librdkafka's takes a fresh role and renews; the wire client reads its epoch from the
    /// coordinator and its write from the partition's leader, over the same settings.
    void expectBothClientsWork(const kafka::KafkaConfig& config) {
        const auto role = freshRole();
        auto made = kafka::makeWireAuthority(config);
        ASSERT_TRUE(succeeded(made));
        const auto& authority = *made;
        auto opened = kafka::makeKafkaTransport(config, authority);
        ASSERT_TRUE(succeeded(opened));
        const auto& transport = *opened;
        ASSERT_TRUE(succeeded(transport->registerMember(role, {member("node-1"), wallTime(1)})));
        const auto token = transport->acquireEpoch(role);
        ASSERT_TRUE(succeeded(token));
        const auto lease = leaseOf(member("node-1"), *token);
        ASSERT_TRUE(succeeded(transport->writeLease(role, *token, lease)));
        const auto entries = readUntilLease(*transport, role, lease);
        ASSERT_TRUE(succeeded(entries));

        const auto answer = describeRolesAndWait(*authority, {role}, kLong).at(0).answer;
        ASSERT_EQ(answer.kind, CoordinatorAnswer::Kind::described) << answer.error->text();
        EXPECT_EQ(answer.token, *token);
        EXPECT_EQ(answer.state, TransactionState::completeCommit);

        const auto partition = rolePartition(role, 16);
        const auto producers =
            describeProducersAndWait(*authority, std::string(kDefaultTopic), {partition}, kLong).at(0);
        ASSERT_TRUE(succeeded(producers.producers));
        EXPECT_THAT(*producers.producers,
                    testing::Contains(testing::Field(&PartitionProducer::producer, *token)));

        const auto info = describeClusterAndWait(*authority, kLong);
        ASSERT_TRUE(succeeded(info));
        ASSERT_EQ(info->brokers.size(), 1U);
        EXPECT_TRUE(info->brokers[0].reachable);
        // The broker advertises the listener that was asked, so every later connection is a secure one, too.
        EXPECT_EQ("127.0.0.1:" + std::to_string(info->brokers[0].port), config.bootstrap);
        authority->close();
    }
};

class EveryClientFile : public Security, public testing::WithParamInterface<std::string> {};

TEST_P(EveryClientFile, WorksInBothClients) {
    expectBothClientsWork(secure.client(GetParam()));
}

TEST_P(EveryClientFile, WorksInJavasWordsToo) {
    const auto java = secure.javaClient(GetParam());
    expectBothClientsWork(java);
    const auto ours = secure.client(GetParam());
    EXPECT_EQ(java.bootstrap, ours.bootstrap);
    for (const auto* name : {"security.protocol", "sasl.mechanism", "sasl.username", "sasl.password"}) {
        const auto valueIn = [&](const kafka::KafkaConfig& config) {
            const auto at = config.properties.find(name);
            return at == config.properties.end() ? std::string() : at->second;
        };
        EXPECT_EQ(valueIn(java), valueIn(ours)) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Listeners, EveryClientFile,
                         testing::Values("ssl", "mtls", "mtls-pkcs12", "sasl_ssl-plain",
                                         "sasl_ssl-scram-sha-256", "sasl_ssl-scram-sha-512",
                                         "sasl_ssl-oauthbearer", "sasl_plaintext-plain",
                                         "sasl_plaintext-scram-sha-256", "sasl_plaintext-scram-sha-512",
                                         "sasl_plaintext-oauthbearer"),
                         [](const auto& file) { return testName(file.param); });

TEST_F(Security, JavasAdminSaysTheSameOverEveryListener) {
    const auto role = freshRole();
    const auto transport = openTransport(secure.cluster().config());
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    std::string files;
    for (const auto& name : secure.clients()) {
        files += (files.empty() ? "" : ",") + secure.javaFile(name);
    }
    // One JVM asks through all files, one after the other.
    auto command = secure.cluster().java("DescribeTransactions", {role.str()});
    command.at(3) = files;
    std::istringstream lines(run(command));
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line); ++count) {
        const auto told = nlohmann::json::parse(line);
        ASSERT_TRUE(told.contains("producerId")) << line;
        EXPECT_EQ(told.at("producerId"), token->producerId) << line;
        EXPECT_EQ(told.at("producerEpoch"), token->producerEpoch) << line;
    }
    EXPECT_EQ(count, secure.clients().size());
}

struct Key {
    std::string certificate;
    std::string key;
    bool encrypted;
};

class EveryKey : public Security, public testing::WithParamInterface<Key> {};

TEST_P(EveryKey, OpensTheListenerThatWantsACertificate) {
    auto config = secure.client("mtls");
    config.properties["ssl.certificate.location"] = secure.certificate(GetParam().certificate);
    config.properties["ssl.key.location"] = secure.certificate(GetParam().key);
    if (!GetParam().encrypted) {
        config.properties.erase("ssl.key.password");
    }
    expectBothClientsWork(config);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryKey,
                         testing::Values(Key{"client.crt", "client.key", false},
                                         Key{"client.crt", "client-encrypted.key", true},
                                         Key{"client.crt", "client-encrypted-3des.key", true},
                                         Key{"client-rsa.crt", "client-rsa.key", false},
                                         Key{"client-rsa.crt", "client-rsa-old.key", true}),
                         [](const auto& key) { return testName(key.param.key); });

TEST_F(Security, ABundleOfSeveralCasIsReadToItsEnd) {
    auto config = secure.client("ssl");
    config.properties["ssl.ca.location"] = secure.certificate("ca-bundle.pem");
    expectBothClientsWork(config);
}

TEST_F(Security, TheHostCheckCanBeTurnedOffAndTheRestIsStillChecked) {
    auto config = secure.client("ssl");
    config.bootstrap = secure.bootstrap("elsewhere");
    config.properties["ssl.endpoint.identification.algorithm"] = "none";
    expectBothClientsWork(config);
    config.properties["ssl.ca.location"] = secure.certificate("other-ca.pem");
    const auto authority = kafka::makeWireAuthority(config);
    ASSERT_TRUE(succeeded(authority));
    EXPECT_FALSE(describeClusterAndWait(**authority, kLong).has_value());
    EXPECT_FALSE(openTransport(config)->acquireEpoch(freshRole()).has_value());
}

TEST_F(Security, AllChecksCanBeTurnedOff) {
    auto config = secure.client("ssl");
    config.bootstrap = secure.bootstrap("expired");
    config.properties["ssl.ca.location"] = secure.certificate("other-ca.pem");
    config.properties["enable.ssl.certificate.verification"] = "false";
    expectBothClientsWork(config);
}

struct Login {
    std::string user;
    std::string mechanism;
};

class EveryPassword : public Security, public testing::WithParamInterface<Login> {};

TEST_P(EveryPassword, LogsInWithBothClients) {
    auto config = secure.as(GetParam().user);
    config.properties["sasl.mechanism"] = GetParam().mechanism;
    // Not every user may do anything here: what each client says of the cluster needs the login alone.
    const auto authority = kafka::makeWireAuthority(config);
    ASSERT_TRUE(succeeded(authority));
    EXPECT_TRUE(succeeded(describeClusterAndWait(**authority, kLong)));
    const auto token = openTransport(config)->acquireEpoch(freshRole());
    EXPECT_TRUE(token.has_value() || token.error().kafkaCode == 53) << token.error().text();
}

INSTANTIATE_TEST_SUITE_P(Users, EveryPassword,
                         testing::Values(Login{"ops", "PLAIN"}, Login{"ops", "SCRAM-SHA-256"},
                                         Login{"member", "PLAIN"}, Login{"member", "SCRAM-SHA-256"},
                                         Login{"watcher", "PLAIN"}, Login{"watcher", "SCRAM-SHA-512"},
                                         Login{"o'brien,dc=example", "SCRAM-SHA-256"},
                                         Login{"o'brien,dc=example", "SCRAM-SHA-512"}),
                         [](const auto& login) {
                             return testName(login.param.user + "_" + login.param.mechanism);
                         });

} // namespace
} // namespace bellwether::brokertest
