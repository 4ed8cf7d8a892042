// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>
#include <memory>

#include <unistd.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace bellwether::ctl::test {

namespace {

using nlohmann::json;

/// One node of real Apache Kafka, stopped with this process at the latest.
class Broker final : public testing::Environment {
public:
    void SetUp() override {
        Program starter({kClusterScript, "start", "--version", "4.4.0", "--owner-pid",
                         std::to_string(getpid()), "--json"});
        ASSERT_EQ(starter.wait(std::chrono::seconds{150}), 0) << starter.err();
        const json cluster = json::parse(starter.out());
        name_ = cluster.at("name");
        bootstrap = cluster.at("bootstrap");
    }

    void TearDown() override {
        if (!name_.empty()) {
            Program stopper({kClusterScript, "stop", name_});
            EXPECT_EQ(stopper.wait(), 0) << stopper.err();
        }
    }

    static inline std::string bootstrap;

private:
    static constexpr const char* kClusterScript = BELLWETHER_SOURCE_DIR "/tests/support/kafka-cluster";
    std::string name_;
};

[[maybe_unused]] const auto* const broker = testing::AddGlobalTestEnvironment(new Broker);

std::vector<std::string> ctl(std::vector<std::string> arguments) {
    std::vector<std::string> command{BELLWETHERCTL, "-b", Broker::bootstrap};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

/// A member with a lease that a crash makes the others wait for.
std::unique_ptr<Program> join(const std::string& role, const std::string& member) {
    return std::make_unique<Program>(ctl({"join", role, "--member", member, "--lease", "10s", "--renew", "2s",
                                          "--stagger", "1s", "-o", "jsonl"}));
}

constexpr const char* kLeading = "\"event\":\"leading\"";
constexpr const char* kWaiting = "\"event\":\"waiting\"";

json lastEvent(const Program& member, const std::string& kind) {
    json last;
    std::size_t from = 0;
    for (std::size_t end = 0; (end = member.out().find('\n', from)) != std::string::npos; from = end + 1) {
        auto event = json::parse(member.out().substr(from, end - from));
        if (event.at("event") == kind) {
            last = std::move(event);
        }
    }
    return last;
}

/// Asks `describe` until the verdict is the one that is waited for; what it said last.
json describeUntil(const std::string& role, const std::string& verdict, const std::string& holder) {
    json answer;
    for (int i = 0; i < 20; ++i) {
        Program program(ctl({"describe", role, "-o", "json"}));
        if (program.wait() != 0) {
            ADD_FAILURE() << program.err();
            return {};
        }
        answer = json::parse(program.out()).at("roles").at(0);
        if (answer.at("verdict") == verdict && answer.at("holder") == holder) {
            break;
        }
    }
    return answer;
}

} // namespace

TEST(CtlOnABroker, AnInterruptHandsTheRoleOver) {
    auto first = join("handover", "node-1");
    ASSERT_TRUE(first->waitForOutput(kLeading)) << first->out() << first->err();
    auto second = join("handover", "node-2");
    ASSERT_TRUE(second->waitForOutput(kWaiting)) << second->out() << second->err();

    first->signal(SIGINT);
    EXPECT_EQ(first->wait(), 0) << first->err();
    EXPECT_EQ(lastEvent(*first, "resigned").at("member"), "node-1");
    ASSERT_TRUE(second->waitForOutput(kLeading)) << second->out() << second->err();

    const json leading = lastEvent(*second, "leading");
    const json role = describeUntil("handover", "authoritative", "node-2");
    EXPECT_EQ(role.at("verdict"), "authoritative") << role.dump(1);
    EXPECT_EQ(role.at("token"), leading.at("token"));
    ASSERT_EQ(role.at("roster").size(), 1U) << role.dump(1);
    EXPECT_EQ(role.at("roster").at(0).at("member"), "node-2");

    Program all(ctl({"roles", "-o", "json"}));
    ASSERT_EQ(all.wait(), 0) << all.err();
    const json roles = json::parse(all.out()).at("roles");
    const auto same = std::find_if(roles.begin(), roles.end(),
                                   [](const json& each) { return each.at("role") == "handover"; });
    ASSERT_NE(same, roles.end()) << all.out();
    EXPECT_EQ(same->at("holder"), "node-2");
    EXPECT_EQ(same->at("token"), leading.at("token"));

    second->signal(SIGTERM);
    EXPECT_EQ(second->wait(), 0) << second->err();
}

TEST(CtlOnABroker, ACrashHandsTheRoleOverWhenTheLeaseHasRunOut) {
    auto first = join("crash", "node-1");
    ASSERT_TRUE(first->waitForOutput(kLeading)) << first->out() << first->err();
    auto second = join("crash", "node-2");
    ASSERT_TRUE(second->waitForOutput(kWaiting)) << second->out() << second->err();
    const json healthy = describeUntil("crash", "authoritative", "node-1");
    EXPECT_EQ(healthy.at("holder"), "node-1") << healthy.dump(1);

    first->signal(SIGKILL);
    EXPECT_EQ(first->wait(), -SIGKILL);
    ASSERT_TRUE(second->waitForOutput(kLeading)) << second->out() << second->err();

    const json leading = lastEvent(*second, "leading");
    EXPECT_GE(leading.at("at").get<std::int64_t>(), healthy.at("lease").at("deadline").get<std::int64_t>());
    const json role = describeUntil("crash", "authoritative", "node-2");
    EXPECT_EQ(role.at("token"), leading.at("token")) << role.dump(1);
    EXPECT_EQ(role.at("roster").size(), 2U) << "a crash deregisters nobody";
}

TEST(CtlOnABroker, ASecondProcessOfOneNameFencesTheFirstAndSaysSo) {
    auto first = join("twin", "node-1");
    ASSERT_TRUE(first->waitForOutput(kLeading)) << first->out() << first->err();
    auto second = join("twin", "node-1");
    ASSERT_TRUE(second->waitForOutput(kLeading)) << second->out() << second->err();
    EXPECT_EQ(first->wait(), 4) << first->out() << first->err();
    EXPECT_NE(first->err().find("another process runs as member node-1"), std::string::npos) << first->err();
    const json role = describeUntil("twin", "authoritative", "node-1");
    EXPECT_EQ(role.at("token"), lastEvent(*second, "leading").at("token"));
}

TEST(CtlOnABroker, AMissingTopicIsCodeThreeAndSaysWhatToDo) {
    for (const char* verb : {"roles", "join"}) {
        std::vector<std::string> arguments{"--topic", "no-such-topic", verb};
        if (std::string(verb) == "join") {
            arguments.insert(arguments.end(), {"r", "--member", "m"});
        }
        Program program(ctl(arguments));
        EXPECT_EQ(program.wait(), 3) << verb << program.out() << program.err();
        EXPECT_NE(program.err().find("no-such-topic"), std::string::npos) << program.err();
    }
}

} // namespace bellwether::ctl::test
