// SPDX-License-Identifier: Apache-2.0
// Sessions that the broker ends unless the client logs in again (KIP-368): nobody notices.
#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include <gtest/gtest.h>

#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"
#include "secure_cluster.h"

namespace bellwether::brokertest {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kEvery{300};
constexpr std::chrono::seconds kFor{3 * SecureCluster::kSession};

/// The local ports of established connections to a port of 127.0.0.1.
std::set<int> connectionsTo(int port) {
    constexpr int kEstablished = 1;
    std::set<int> out;
    std::ifstream table("/proc/self/net/tcp");
    std::string line;
    std::getline(table, line);
    while (std::getline(table, line)) {
        std::istringstream fields(line);
        std::string slot, local, remote, state;
        fields >> slot >> local >> remote >> state;
        const auto number = [](const std::string& hex) { return std::stoi(hex, nullptr, 16); };
        if (number(remote.substr(remote.find(':') + 1)) == port && number(state) == kEstablished) {
            out.insert(number(local.substr(local.find(':') + 1)));
        }
    }
    return out;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
        ++found;
    }
    return found;
}

TEST(SessionRenewal, TheAuthorityKeepsItsConnectionsAndNeverFails) {
    auto& secure = SecureCluster::get();
    const std::vector<std::string> names{"sasl_ssl-plain", "sasl_ssl-scram-sha-512", "sasl_ssl-oauthbearer"};
    const auto bootstrap = secure.bootstrap("sasl_ssl");
    const int port = std::stoi(bootstrap.substr(bootstrap.find(':') + 1));

    // A member that renews its lease over such a session, too: its token outlives the sessions.
    const auto role = freshRole();
    const auto plain = kafka::makeWireAuthority(secure.cluster().config());
    ASSERT_TRUE(plain.has_value());
    const auto opened = kafka::makeKafkaTransport(secure.client("sasl_ssl-scram-sha-256"), *plain);
    ASSERT_TRUE(opened.has_value());
    const auto& transport = *opened;
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(token.has_value()) << token.error().text();
    const auto membersOwn = connectionsTo(port);

    std::vector<std::shared_ptr<Authority>> authorities;
    for (const auto& name : names) {
        auto made = kafka::makeWireAuthority(secure.client(name));
        ASSERT_TRUE(made.has_value()) << made.error().text();
        authorities.push_back(std::move(*made));
    }
    const auto expectAnswers = [&] {
        for (std::size_t i = 0; i < names.size(); ++i) {
            const auto answer = describeRolesAndWait(*authorities[i], {role}, Millis{5'000}).at(0).answer;
            ASSERT_EQ(answer.kind, CoordinatorAnswer::Kind::described)
                << names[i] << ": " << answer.error->text();
            ASSERT_EQ(answer.token, *token);
        }
    };
    ASSERT_NO_FATAL_FAILURE(expectAnswers());
    auto before = connectionsTo(port);
    for (const auto each : membersOwn) {
        before.erase(each);
    }
    ASSERT_GE(before.size(), names.size());
    const std::string again = "Set SASL server state to COMPLETE during re-authentication";
    const auto loginsBefore = count(secure.log(), again);

    const auto end = steady_clock::now() + kFor;
    std::int64_t grantedAt = 1'000;
    for (int round = 0; steady_clock::now() < end; ++round) {
        std::this_thread::sleep_for(kEvery);
        ASSERT_NO_FATAL_FAILURE(expectAnswers()) << "round " << round;
        if (round % 4 == 0) {
            const auto written =
                transport->writeLease(role, *token, leaseOf(member("node-1"), *token, ++grantedAt));
            ASSERT_TRUE(written.has_value()) << written.error().text();
        }
    }

    const auto after = connectionsTo(port);
    EXPECT_TRUE(std::includes(after.begin(), after.end(), before.begin(), before.end()))
        << "a connection was opened anew instead of renewed";
    // Twice in three session times for each of the three, at the least.
    EXPECT_GE(count(secure.log(), again) - loginsBefore, 2 * names.size());
    for (const auto& authority : authorities) {
        authority->close();
    }
}

} // namespace
} // namespace bellwether::brokertest
