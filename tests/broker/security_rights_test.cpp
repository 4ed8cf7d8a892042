// SPDX-License-Identifier: Apache-2.0
// What each right is needed for: the lists in docs/troubleshooting.md, "Rights", are these.
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordination/role_partition.h"
#include "kafka/kafka_log_consumer.h"
#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"
#include "secure_cluster.h"

namespace bellwether::brokertest {
namespace {

using testing::HasSubstr;
using Kind = CoordinatorAnswer::Kind;

constexpr Millis kLong{20'000};
const std::string kTopic(kDefaultTopic);

template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

struct Said {
    int code = -1;
    nlohmann::json json;
};

class Rights : public testing::Test {
protected:
    SecureCluster& secure = SecureCluster::get();

    /// A role that `user` leads.
    std::pair<Role, FencingToken> lead(const std::string& user, const std::string& prefix) {
        const auto role = freshRoleNamed(prefix);
        const auto transport = openTransport(secure.as(user));
        EXPECT_TRUE(succeeded(transport->registerMember(role, {member("node-1"), wallTime(1)})));
        const auto token = transport->acquireEpoch(role);
        EXPECT_TRUE(succeeded(token));
        if (!token) {
            return {role, FencingToken::none()};
        }
        const auto now =
            std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch());
        EXPECT_TRUE(
            succeeded(transport->writeLease(role, *token, leaseOf(member("node-1"), *token, now.count()))));
        EXPECT_TRUE(succeeded(readAtLeast(*transport, role, 2)));
        return {role, *token};
    }

    std::shared_ptr<Authority> authority(const std::string& user) {
        return kafka::makeWireAuthority(secure.as(user)).value();
    }

    /// bellwetherctl as this user.
    Said ctl(const std::string& user, const std::vector<std::string>& arguments) {
        const auto file = secure.cluster().facts().at("folder").get<std::string>() + "/" + user + ".conf";
        const auto config = secure.as(user);
        std::ofstream out(file);
        out << "bootstrap.servers=" << config.bootstrap << "\n";
        for (const auto& [name, value] : config.properties) {
            out << name << "=" << value << "\n";
        }
        out.close();
        std::vector<std::string> command{BELLWETHERCTL, "-F", file};
        command.insert(command.end(), arguments.begin(), arguments.end());
        command.insert(command.end(), {"-o", "json"});
        Process process(command);
        process.endInput();
        std::string text;
        while (auto line = process.line()) {
            text += *line + "\n";
        }
        return {process.wait(), nlohmann::json::parse(text, nullptr, false)};
    }

    static nlohmann::json roleOf(const Said& said, const Role& role) {
        for (const auto& each : said.json.at("roles")) {
            if (each.at("role") == role.str()) {
                return each;
            }
        }
        return nullptr;
    }
};

TEST_F(Rights, WatchingNeedsReadOnTheTopicAndDescribeOnTheIdsAndNoMore) {
    const auto [role, token] = lead("member", SecureCluster::kWatched);
    const auto watcher = authority("watcher");
    const auto answer = describeRolesAndWait(*watcher, {role}, kLong).at(0).answer;
    ASSERT_EQ(answer.kind, Kind::described) << answer.error->text();
    EXPECT_EQ(answer.token, token);
    const auto producers =
        describeProducersAndWait(*watcher, kTopic, {rolePartition(role, 16)}, kLong).at(0).producers;
    ASSERT_TRUE(succeeded(producers));
    EXPECT_THAT(*producers, testing::Contains(testing::Field(&PartitionProducer::producer, token)));
    EXPECT_TRUE(succeeded(describeClusterAndWait(*watcher, kLong)));

    const auto said = ctl("watcher", {"describe", role.str()});
    ASSERT_EQ(said.code, 0) << said.json.dump(1);
    EXPECT_EQ(roleOf(said, role).at("verdict"), "authoritative") << said.json.dump(1);
    EXPECT_EQ(roleOf(said, role).at("holder"), "node-1");
}

TEST_F(Rights, ARoleThatMayNotBeDescribedIsUnknownAndTheOthersAreNot) {
    const auto [watched, token] = lead("member", SecureCluster::kWatched);
    const auto [hidden, otherToken] = lead("ops", "hidden-");
    const auto answers = describeRolesAndWait(*authority("watcher"), {hidden, watched}, kLong);
    ASSERT_EQ(answers[0].answer.kind, Kind::failed);
    EXPECT_EQ(answers[0].answer.error->kafkaCode, 53);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::refused);
    EXPECT_THAT(answers[0].answer.error->hint,
                HasSubstr("kafka-acls.sh --add --operation Describe --transactional-id"));
    ASSERT_EQ(answers[1].answer.kind, Kind::described) << answers[1].answer.error->text();
    EXPECT_EQ(answers[1].answer.token, token);

    const auto said = ctl("watcher", {"roles"});
    EXPECT_NE(said.code, 0) << "a role that cannot be judged makes the answer incomplete";
    const auto unknown = roleOf(said, hidden);
    ASSERT_FALSE(unknown.is_null()) << said.json.dump(1);
    EXPECT_EQ(unknown.at("verdict"), "unknown");
    EXPECT_EQ(unknown.at("coordinator").at("error"), 53);
    EXPECT_THAT(unknown.at("reason").get<std::string>(),
                HasSubstr("--operation Describe --transactional-id"));
    EXPECT_EQ(roleOf(said, watched).at("verdict"), "authoritative") << roleOf(said, watched).dump(1);
}

TEST_F(Rights, ATopicThatMayNotBeReadSaysWhichRight) {
    const auto [role, token] = lead("ops", "lead-");
    const auto producers =
        describeProducersAndWait(*authority("stranger"), kTopic, {0}, kLong).at(0).producers;
    ASSERT_FALSE(producers.has_value());
    EXPECT_EQ(producers.error().kafkaCode, 29) << producers.error().text();
    EXPECT_THAT(producers.error().hint, HasSubstr("kafka-acls.sh --add --operation Read --topic"));

    // Nothing at all: not even the number of partitions.
    const auto consumers = kafka::makeKafkaLogConsumers(secure.as("stranger"));
    const auto blind = consumers(Isolation::readCommitted).value()->partitionCount(kLong);
    ASSERT_FALSE(blind.has_value());
    EXPECT_EQ(blind.error().code, ErrorCode::refused) << blind.error().text();
    EXPECT_EQ(blind.error().kafkaCode, 29);
    EXPECT_THAT(blind.error().hint, HasSubstr("--topic " + kTopic));
    EXPECT_THAT(blind.error().hint, HasSubstr("--operation Read"));

    // It may be seen and not read: the reader says so at its first fetch.
    const std::string right = "stranger:Describe:topic:" + kTopic;
    secure.cluster().acl("add", {right});
    auto consumer = consumers(Isolation::readCommitted).value();
    EXPECT_TRUE(succeeded(consumer->partitionCount(kLong)));
    EXPECT_TRUE(succeeded(consumer->assign({{0, 0}})));
    std::optional<Error> trouble;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{5};
    while (!trouble && std::chrono::steady_clock::now() < deadline) {
        const auto batch = consumer->poll(Millis{200}, 10);
        ASSERT_TRUE(succeeded(batch));
        if (!batch->troubles.empty()) {
            trouble = batch->troubles.front();
        }
    }
    ASSERT_TRUE(trouble.has_value());
    EXPECT_EQ(trouble->code, ErrorCode::refused) << trouble->text();
    EXPECT_THAT(trouble->hint, HasSubstr("--operation Read"));

    const auto said = ctl("stranger", {"roles"});
    EXPECT_NE(said.code, 0);
    secure.cluster().acl("remove", {right});
}

TEST_F(Rights, AMemberWithoutWriteOnItsIdIsToldSo) {
    const auto transport = openTransport(secure.as("member"));
    const auto role = freshRoleNamed("hidden-");
    const auto refused = transport->acquireEpoch(role);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::refused) << refused.error().text();
    EXPECT_EQ(refused.error().kafkaCode, 53);
    EXPECT_FALSE(refused.error().fenced);
    EXPECT_THAT(refused.error().hint, HasSubstr("--transactional-id '" + role.str() + "'"));
}

} // namespace
} // namespace bellwether::brokertest
