// SPDX-License-Identifier: Apache-2.0
// Coordinators by the partition of the transaction log, through the public interface.
#include <atomic>

#include <gtest/gtest.h>

#include "kafka/wire/transaction_partition.h"
#include "sample_messages.h"
#include "scripted_authority.h"

namespace bellwether::kafka::wire {
namespace {

TEST(WireRoles, OneLookupForEachPartitionOfTheTransactionLogIsEnough) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    std::atomic<std::size_t> keys{0};
    for (auto* each : {&first, &second}) {
        each->cluster({&first, &second});
        each->topic("__transaction_state", {1, 2, 1, 2, 1, 2, 1, 2});
        each->on(ApiKey::findCoordinator, coordinators([&](const std::string& key) -> const auto& {
                     ++keys;
                     return transactionPartition(key, 8) % 2 == 0 ? first : second;
                 }));
        each->on(ApiKey::describeTransactions, describing(each->nodeId()));
    }
    std::vector<Role> roles;
    for (int i = 0; i < 3000; ++i) {
        roles.push_back(role("r\u00f4le-" + std::to_string(i)));
    }
    const auto authority = authorityOver({&first});
    for (const auto& each : describeRolesAndWait(*authority, roles, kLong)) {
        ASSERT_EQ(each.answer.kind, Kind::described) << each.answer.error->text();
        ASSERT_EQ(each.answer.token.producerId, transactionPartition(each.role.str(), 8) % 2 == 0 ? 1 : 2);
    }
    EXPECT_EQ(keys, 8U);
    EXPECT_EQ(first.count(ApiKey::findCoordinator) + second.count(ApiKey::findCoordinator), 1U);

    (void)describeRolesAndWait(*authority, roles, kLong);
    EXPECT_EQ(keys, 8U) << "coordinators are remembered";
    const auto neverAskedFor = role("late-role");
    EXPECT_EQ(describeRolesAndWait(*authority, {neverAskedFor}, kLong)[0].answer.token.producerId,
              transactionPartition(neverAskedFor.str(), 8) % 2 == 0 ? 1 : 2);
    EXPECT_EQ(keys, 8U) << "its partition's coordinator is known";
}

TEST(WireRoles, APartitionThatMovedIsLookedUpForAllItsRoles) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    std::atomic<bool> moved{false};
    std::atomic<std::size_t> keys{0};
    const auto isAtSecond = [&](const std::string& id) { return moved && transactionPartition(id, 4) == 3; };
    for (auto* each : {&first, &second}) {
        each->cluster({&first, &second});
        each->topic("__transaction_state", {1, 1, 1, 1});
        each->on(ApiKey::findCoordinator, coordinators([&](const std::string& key) -> const auto& {
                     ++keys;
                     return isAtSecond(key) ? second : first;
                 }));
        each->on(ApiKey::describeTransactions, [&, each](const SeenRequest& request) {
            DescribeTransactionsResponse response;
            for (const auto& id : request.as<DescribeTransactionsRequest>().transactionalIds) {
                const bool here = isAtSecond(id) == (each == &second);
                response.states.push_back(
                    {static_cast<std::int16_t>(here ? 0 : 16), id, "Empty", 1, -1, each->nodeId(), 6, {}});
            }
            return Reaction::answer(request, response);
        });
    }
    std::vector<Role> roles;
    for (int i = 0; i < 2000; ++i) {
        roles.push_back(role("role-" + std::to_string(i)));
    }
    const auto authority = authorityOver({&first});
    (void)describeRolesAndWait(*authority, roles, kLong);
    moved = true;
    keys = 0;
    for (const auto& each : describeRolesAndWait(*authority, roles, kLong)) {
        ASSERT_EQ(each.answer.kind, Kind::described) << each.answer.error->text();
        ASSERT_EQ(each.answer.token.producerId, isAtSecond(each.role.str()) ? 2 : 1);
    }
    const auto again = keys.exchange(0);
    EXPECT_GT(again, 0U);
    (void)describeRolesAndWait(*authority, roles, kLong);
    EXPECT_EQ(keys, 0U) << "what was found is remembered";
}

TEST(WireRoles, WhereThePartitionDoesNotTellEachIdIsLookedUp) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    const auto isAtFirst = [](const std::string& key) { return key.back() % 2 == 0; };
    for (auto* each : {&first, &second}) {
        each->cluster({&first, &second});
        each->topic("__transaction_state", {1, 2, 1, 2, 1, 2, 1, 2});
        each->on(ApiKey::findCoordinator, coordinators([&](const std::string& key) -> const auto& {
                     return isAtFirst(key) ? first : second;
                 }));
        each->on(ApiKey::describeTransactions, [&, each](const SeenRequest& request) {
            DescribeTransactionsResponse response;
            for (const auto& id : request.as<DescribeTransactionsRequest>().transactionalIds) {
                const bool mine = isAtFirst(id) == (each == &first);
                const std::int16_t code = mine ? 0 : 16;
                response.states.push_back({code, id, "Empty", 10'000, -1, mine ? each->nodeId() : -1, 0, {}});
            }
            return Reaction::answer(request, response);
        });
    }
    std::vector<Role> roles;
    for (int i = 0; i < 500; ++i) {
        roles.push_back(role("role-" + std::to_string(i)));
    }
    const auto authority = authorityOver({&first});
    for (const auto& each : describeRolesAndWait(*authority, roles, kLong)) {
        ASSERT_EQ(each.answer.kind, Kind::described) << each.answer.error->text();
        ASSERT_EQ(each.answer.token.producerId, isAtFirst(each.role.str()) ? 1 : 2);
    }
}

TEST(WireRoles, ARefusedIdDoesNotSpeakForItsPartition) {
    ScriptedBroker broker(1);
    broker.cluster({&broker});
    broker.topic("__transaction_state", {1});
    broker.on(ApiKey::findCoordinator, [&](const SeenRequest& request) {
        FindCoordinatorResponse response;
        for (const auto& key : request.as<FindCoordinatorRequest>().keys) {
            const bool refused = key == "role-0";
            response.coordinators.push_back({key, refused ? -1 : 1, refused ? "" : "127.0.0.1",
                                             refused ? 0 : broker.port(),
                                             static_cast<std::int16_t>(refused ? 53 : 0), std::nullopt});
        }
        return Reaction::answer(request, response);
    });
    broker.on(ApiKey::describeTransactions, describing(1));
    std::vector<Role> roles;
    for (int i = 0; i < 300; ++i) {
        roles.push_back(role("role-" + std::to_string(i)));
    }
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, roles, kLong);
    ASSERT_EQ(answers.front().answer.kind, Kind::failed);
    EXPECT_EQ(answers.front().answer.error->kafkaCode, 53);
    for (std::size_t i = 1; i < answers.size(); ++i) {
        ASSERT_EQ(answers[i].answer.kind, Kind::described) << i;
    }
}

/// Values of Java's String.hashCode(), the negative and the least one among them.
TEST(WireRoles, TheTransactionLogsPartitionIsJavas) {
    constexpr std::size_t kMany = 0x7fffffff;
    EXPECT_EQ(transactionPartition("", kMany), 0U);
    EXPECT_EQ(transactionPartition("hello", kMany), 99'162'322U);
    EXPECT_EQ(transactionPartition("polygenelubricants", kMany), 0U) << "the hash is the least integer";
    EXPECT_EQ(transactionPartition("\u00e9", kMany), 233U);
    EXPECT_EQ(transactionPartition("\U0001F600", kMany), 1'772'899U) << "a surrogate pair";
    EXPECT_EQ(transactionPartition("hello", 50), 22U);
    EXPECT_EQ(transactionPartition("\xff", kMany), 0xFFFDU);
    EXPECT_EQ(transactionPartition("\xe2\x82", kMany), 0xFFFDU * 31 + 0xFFFDU) << "cut short";
}

} // namespace
} // namespace bellwether::kafka::wire
