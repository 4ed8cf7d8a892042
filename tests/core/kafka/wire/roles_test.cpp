// SPDX-License-Identifier: Apache-2.0
// describeRoles against scripted brokers, through the public interface.
#include <condition_variable>

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_messages.h"
#include "scripted_authority.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;

TEST(WireRoles, ARoleIsDescribed) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return broker; }));
    broker.on(ApiKey::describeTransactions, describing(77));
    const auto before = std::chrono::floor<Millis>(std::chrono::steady_clock::now());
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, {role("a")}, kLong);
    ASSERT_EQ(answers.size(), 1U);
    const auto& answer = answers[0].answer;
    ASSERT_EQ(answer.kind, Kind::described) << answer.error->text();
    EXPECT_EQ(answer.token, (FencingToken{77, 3}));
    EXPECT_EQ(answer.state, TransactionState::ongoing);
    EXPECT_EQ(answer.transactionTimeout, Millis{10'000});
    EXPECT_EQ(answer.transactionStart, wallTime(1'700'000'000'000));
    EXPECT_GE(answer.askedAt, before);
    EXPECT_LE(answer.askedAt, answer.answeredAt);
    EXPECT_GT(toMillis(answer.asOf), 0);
    EXPECT_FALSE(answer.error.has_value());
}

TEST(WireRoles, StatesAndStartTimesAreReadWithCare) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return broker; }));
    broker.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
        DescribeTransactionsResponse response;
        response.states = {{0, "a", "CompleteCommit", 1, -1, 5, 6, {}},
                           {0, "b", "FromTheFuture", 1, 9, 5, 6, {}}};
        return Reaction::answer(request, response);
    });
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, {role("a"), role("b"), role("c")}, kLong);
    EXPECT_EQ(answers[0].answer.state, TransactionState::completeCommit);
    EXPECT_FALSE(answers[0].answer.transactionStart.has_value());
    EXPECT_EQ(answers[1].answer.kind, Kind::described);
    EXPECT_EQ(answers[1].answer.state, TransactionState::unknown);
    ASSERT_EQ(answers[2].answer.kind, Kind::failed) << "the broker left it out";
    EXPECT_EQ(answers[2].answer.error->code, ErrorCode::protocol);
}

TEST(WireRoles, OneFailureDoesNotTouchTheOthers) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return broker; }));
    broker.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
        DescribeTransactionsResponse response;
        response.states = {{0, "fine", "Empty", 1, -1, 5, 6, {}},
                           {105, "unknown", "", 0, -1, -1, -1, {}},
                           {53, "denied", "", 0, -1, -1, -1, {}},
                           {31, "cluster", "", 0, -1, -1, -1, {}},
                           {-1, "broken", "", 0, -1, -1, -1, {}}};
        return Reaction::answer(request, response);
    });
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(
        *authority, {role("broken"), role("cluster"), role("denied"), role("unknown"), role("fine")}, kLong);
    EXPECT_EQ(answers[4].answer.kind, Kind::described);
    EXPECT_EQ(answers[3].answer.kind, Kind::unknownId);
    EXPECT_FALSE(answers[3].answer.error.has_value());
    for (const std::size_t refused : {1U, 2U}) {
        ASSERT_EQ(answers[refused].answer.kind, Kind::failed);
        EXPECT_EQ(answers[refused].answer.error->code, ErrorCode::refused);
    }
    EXPECT_THAT(answers[2].answer.error->hint,
                HasSubstr("--operation Describe --transactional-id 'denied' --allow-principal"));
    ASSERT_EQ(answers[0].answer.kind, Kind::failed);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::broker);
    EXPECT_EQ(answers[0].answer.error->kafkaCode, -1);
    EXPECT_EQ(broker.count(ApiKey::describeTransactions), 1U);
}

TEST(WireRoles, ManyRolesInFewRequestsEachAnsweredOnce) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    for (auto* each : {&first, &second}) {
        each->cluster({&first, &second});
        each->on(ApiKey::findCoordinator, coordinators([&](const std::string& key) -> const auto& {
                     return (key.back() - '0') % 2 == 0 ? first : second;
                 }));
        each->on(ApiKey::describeTransactions, describing(each->nodeId()));
    }
    std::vector<Role> roles;
    for (int i = 0; i < 5000; ++i) {
        roles.push_back(role("role-" + std::to_string(i)));
    }
    roles.push_back(roles.front());
    const auto authority = authorityOver({&first});
    const auto answers = describeRolesAndWait(*authority, roles, kLong);
    ASSERT_EQ(answers.size(), roles.size());
    for (std::size_t i = 0; i < answers.size(); ++i) {
        ASSERT_EQ(answers[i].role, roles[i]);
        ASSERT_EQ(answers[i].answer.kind, Kind::described) << answers[i].answer.error->text();
        ASSERT_EQ(answers[i].answer.token.producerId, (roles[i].str().back() - '0') % 2 == 0 ? 1 : 2);
    }
    EXPECT_EQ(first.count(ApiKey::describeTransactions), 3U) << "2500 roles, at most 1000 a request";
    EXPECT_EQ(second.count(ApiKey::describeTransactions), 3U);

    const auto lookups = first.count(ApiKey::findCoordinator) + second.count(ApiKey::findCoordinator);
    EXPECT_EQ(lookups, 5U);
    (void)describeRolesAndWait(*authority, roles, kLong);
    EXPECT_EQ(first.count(ApiKey::findCoordinator) + second.count(ApiKey::findCoordinator), lookups)
        << "coordinators are remembered";
    EXPECT_EQ(first.connections() + second.connections(), 2);
}

TEST(WireRoles, ACoordinatorThatMovedIsLookedUpAgain) {
    for (const auto code : {std::int16_t{14}, std::int16_t{15}, std::int16_t{16}}) {
        ScriptedBroker oldHome(1);
        ScriptedBroker newHome(2);
        std::atomic<int> lookups{0};
        for (auto* each : {&oldHome, &newHome}) {
            each->cluster({&oldHome, &newHome});
            each->on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& {
                         return ++lookups == 1 ? oldHome : newHome;
                     }));
        }
        oldHome.on(ApiKey::describeTransactions, describing(1, code));
        newHome.on(ApiKey::describeTransactions, describing(2));
        const auto authority = authorityOver({&oldHome});
        const auto answers = describeRolesAndWait(*authority, {role("a")}, kLong);
        ASSERT_EQ(answers[0].answer.kind, Kind::described) << answers[0].answer.error->text();
        EXPECT_EQ(answers[0].answer.token.producerId, 2);
    }
}

TEST(WireRoles, ALookupThatIsNotReadyIsRepeated) {
    ScriptedBroker broker(1);
    int lookups = 0;
    broker.on(ApiKey::findCoordinator, [&](const SeenRequest& request) {
        if (++lookups < 3) {
            FindCoordinatorResponse response;
            response.coordinators = {{"a", -1, "", -1, 15, std::nullopt}};
            return Reaction::answer(request, response);
        }
        return coordinators([&](const auto&) -> const auto& { return broker; })(request);
    });
    broker.on(ApiKey::describeTransactions, describing(7));
    const auto authority = authorityOver({&broker});
    EXPECT_EQ(describeRolesAndWait(*authority, {role("a")}, kLong)[0].answer.kind, Kind::described);
    EXPECT_EQ(broker.count(ApiKey::findCoordinator), 3U);
}

TEST(WireRoles, WhatStaysUnreadyTimesOutWithTheLastReason) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return broker; }));
    broker.on(ApiKey::describeTransactions, describing(7, 14));
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, {role("a")}, kShort);
    ASSERT_EQ(answers[0].answer.kind, Kind::failed);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::timeout);
    EXPECT_THAT(answers[0].answer.error->what, HasSubstr("COORDINATOR_LOAD_IN_PROGRESS"));
    EXPECT_GT(broker.count(ApiKey::describeTransactions), 1U);
}

TEST(WireRoles, ASilentCoordinatorDelaysOnlyItsOwnRoles) {
    ScriptedBroker lively(1);
    ScriptedBroker mute(2);
    lively.cluster({&lively, &mute});
    lively.on(ApiKey::findCoordinator, coordinators([&](const std::string& key) -> const auto& {
                  return key == "mute" ? mute : lively;
              }));
    lively.on(ApiKey::describeTransactions, describing(1));
    mute.on(ApiKey::describeTransactions, silent());
    const auto authority = authorityOver({&lively});

    std::mutex mutex;
    std::condition_variable arrived;
    std::vector<std::pair<RoleAnswer, bool>> seen;
    bool complete = false;
    authority->describeRoles({role("mute"), role("a"), role("b")}, kShort,
                             [&](std::vector<RoleAnswer> answers, bool last) {
                                 const std::lock_guard lock(mutex);
                                 for (auto& each : answers) {
                                     seen.emplace_back(std::move(each), last);
                                 }
                                 complete = last;
                                 arrived.notify_all();
                             });
    std::unique_lock lock(mutex);
    arrived.wait(lock, [&] { return complete; });
    ASSERT_EQ(seen.size(), 3U);
    for (const std::size_t i : {0U, 1U}) {
        EXPECT_EQ(seen[i].first.answer.kind, Kind::described);
        EXPECT_FALSE(seen[i].second) << "delivered before the call was over";
    }
    EXPECT_EQ(seen[2].first.role.str(), "mute");
    EXPECT_TRUE(seen[2].second);
    ASSERT_EQ(seen[2].first.answer.kind, Kind::failed);
    EXPECT_EQ(seen[2].first.answer.error->code, ErrorCode::timeout);
    EXPECT_EQ(seen[2].first.answer.error->where, mute.bootstrap());
}

TEST(WireRoles, ASilentBrokerIsPassedOverForWhatAnyBrokerKnows) {
    ScriptedBroker mute(1);
    ScriptedBroker lively(2);
    mute.on(ApiKey::apiVersions, silent());
    lively.cluster({&mute, &lively});
    lively.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return lively; }));
    lively.on(ApiKey::describeTransactions, describing(1));
    const auto authority = authorityOver({&mute, &lively});
    EXPECT_EQ(describeRolesAndWait(*authority, {role("a")}, kLong)[0].answer.kind, Kind::described);
}

TEST(WireRoles, ADeadCoordinatorIsReplacedWithinTheCall) {
    auto dying = std::make_unique<ScriptedBroker>(1);
    ScriptedBroker heir(2);
    std::atomic<bool> moved{false};
    const auto* gone = dying.get();
    for (auto* each : {dying.get(), &heir}) {
        each->cluster({dying.get(), &heir});
        each->on(ApiKey::findCoordinator,
                 coordinators([&](const auto&) -> const auto& { return moved ? heir : *gone; }));
    }
    dying->on(ApiKey::describeTransactions, [&](const SeenRequest&) {
        moved = true;
        return Reaction::close();
    });
    heir.on(ApiKey::describeTransactions, describing(2));
    const auto authority = authorityOver({dying.get()});
    const auto answers = describeRolesAndWait(*authority, {role("a")}, kLong);
    ASSERT_EQ(answers[0].answer.kind, Kind::described) << answers[0].answer.error->text();
    EXPECT_EQ(answers[0].answer.token.producerId, 2);
}

TEST(WireRoles, BrokersWithoutBatchedLookupsAreAskedKeyByKey) {
    ScriptedBroker broker(1);
    auto versions = ScriptedBroker::modern();
    versions.apis[1].versions = {0, 3};
    broker.advertise(versions);
    broker.on(ApiKey::findCoordinator, [&](const SeenRequest& request) {
        EXPECT_EQ(request.version, 3);
        FindCoordinatorResponse response;
        response.coordinators = {{"", 1, "127.0.0.1", broker.port(), 0, std::nullopt}};
        return Reaction::answer(request, response);
    });
    broker.on(ApiKey::describeTransactions, describing(9));
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, {role("a"), role("b"), role("c")}, kLong);
    for (const auto& each : answers) {
        EXPECT_EQ(each.answer.kind, Kind::described) << each.answer.error->text();
    }
    EXPECT_EQ(broker.count(ApiKey::findCoordinator), 3U);
}

} // namespace
} // namespace bellwether::kafka::wire
