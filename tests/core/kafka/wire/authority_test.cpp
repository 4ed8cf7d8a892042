// SPDX-License-Identifier: Apache-2.0
// The whole authority against scripted brokers, through its public interface.
#include <condition_variable>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire_authority.h"
#include "sample_messages.h"
#include "scripted_broker.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;
using Kind = CoordinatorAnswer::Kind;

constexpr Millis kLong{20'000};
constexpr Millis kShort{400};

Role role(const std::string& name) { return Role::of(name).value(); }

std::shared_ptr<Authority> authorityOver(std::initializer_list<const ScriptedBroker*> brokers,
                                         std::map<std::string, std::string> properties = {}) {
    KafkaConfig config;
    for (const auto* each : brokers) {
        config.bootstrap += (config.bootstrap.empty() ? "" : ",") + each->bootstrap();
    }
    config.properties = std::move(properties);
    return makeWireAuthority(std::move(config)).value();
}

/// Every key has its coordinator at the broker that `choose` names.
ScriptedBroker::Script coordinators(std::function<const ScriptedBroker&(const std::string&)> choose) {
    return [choose = std::move(choose)](const SeenRequest& request) {
        FindCoordinatorResponse response;
        for (const auto& key : request.as<FindCoordinatorRequest>().keys) {
            const auto& at = choose(key);
            response.coordinators.push_back({key, at.nodeId(), "127.0.0.1", at.port(), 0, std::nullopt});
        }
        return Reaction::answer(request, response);
    };
}

ScriptedBroker::Script describing(std::int64_t producerId, std::int16_t code = 0) {
    return [=](const SeenRequest& request) {
        DescribeTransactionsResponse response;
        for (const auto& id : request.as<DescribeTransactionsRequest>().transactionalIds) {
            response.states.push_back({code, id, "Ongoing", 10'000, 1'700'000'000'000, producerId, 3, {}});
        }
        return Reaction::answer(request, response);
    };
}

ScriptedBroker::Script silent() {
    return [](const SeenRequest&) { return Reaction::silence(); };
}

TEST(WireAuthority, ARoleIsDescribed) {
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

TEST(WireAuthority, StatesAndStartTimesAreReadWithCare) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return broker; }));
    broker.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
        DescribeTransactionsResponse response;
        response.states = {{0, "a", "CompleteCommit", 1, -1, 5, 6, {}}, {0, "b", "FromTheFuture", 1, 9, 5, 6, {}}};
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

TEST(WireAuthority, OneFailureDoesNotTouchTheOthers) {
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
    EXPECT_THAT(answers[2].answer.error->hint, HasSubstr("DESCRIBE"));
    ASSERT_EQ(answers[0].answer.kind, Kind::failed);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::broker);
    EXPECT_EQ(answers[0].answer.error->kafkaCode, -1);
    EXPECT_EQ(broker.count(ApiKey::describeTransactions), 1U);
}

TEST(WireAuthority, ManyRolesInFewRequestsEachAnsweredOnce) {
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

TEST(WireAuthority, ACoordinatorThatMovedIsLookedUpAgain) {
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

TEST(WireAuthority, ALookupThatIsNotReadyIsRepeated) {
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

TEST(WireAuthority, WhatStaysUnreadyTimesOutWithTheLastReason) {
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

TEST(WireAuthority, ASilentCoordinatorDelaysOnlyItsOwnRoles) {
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

TEST(WireAuthority, ASilentBrokerIsPassedOverForWhatAnyBrokerKnows) {
    ScriptedBroker mute(1);
    ScriptedBroker lively(2);
    mute.on(ApiKey::apiVersions, silent());
    lively.cluster({&mute, &lively});
    lively.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return lively; }));
    lively.on(ApiKey::describeTransactions, describing(1));
    const auto authority = authorityOver({&mute, &lively});
    EXPECT_EQ(describeRolesAndWait(*authority, {role("a")}, kLong)[0].answer.kind, Kind::described);
}

TEST(WireAuthority, ADeadCoordinatorIsReplacedWithinTheCall) {
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

TEST(WireAuthority, BrokersWithoutBatchedLookupsAreAskedKeyByKey) {
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

TEST(WireAuthority, AClusterBefore30CannotBeAsked) {
    ScriptedBroker broker(1);
    ApiVersionsResponse old;
    old.apis = {{3, {0, 9}}, {10, {0, 3}}, {18, {0, 3}}};
    broker.advertise(old);
    broker.on(ApiKey::findCoordinator, [&](const SeenRequest& request) {
        FindCoordinatorResponse response;
        response.coordinators = {{"", 1, "127.0.0.1", broker.port(), 0, std::nullopt}};
        return Reaction::answer(request, response);
    });
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, {role("a")}, kLong);
    ASSERT_EQ(answers[0].answer.kind, Kind::failed);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::unsupported);
    EXPECT_THAT(answers[0].answer.error->text(), HasSubstr("this cluster cannot be asked"));
    EXPECT_THAT(answers[0].answer.error->text(), HasSubstr("Kafka 3.0 or later"));
    const auto cluster = describeClusterAndWait(*authority, kLong);
    ASSERT_TRUE(cluster.has_value()) << cluster.error().text();
    EXPECT_FALSE(cluster->canDescribe);
    EXPECT_FALSE(cluster->transactionVersion.has_value());
}

TEST(WireAuthority, TheClusterIsDescribed) {
    ScriptedBroker first(1);
    ScriptedBroker mute(2);
    for (auto* each : {&first, &mute}) {
        each->cluster({&first, &mute});
    }
    mute.on(ApiKey::apiVersions, silent());
    const auto authority = authorityOver({&first});
    const auto cluster = describeClusterAndWait(*authority, Millis{1'000});
    ASSERT_TRUE(cluster.has_value()) << cluster.error().text();
    EXPECT_EQ(cluster->clusterId, "scripted");
    EXPECT_EQ(cluster->controllerId, 1);
    ASSERT_EQ(cluster->brokers.size(), 2U);
    EXPECT_EQ(cluster->brokers[0].port, first.port());
    EXPECT_TRUE(cluster->brokers[0].reachable);
    EXPECT_FALSE(cluster->brokers[1].reachable);
    EXPECT_EQ(cluster->transactionVersion, 2);
    EXPECT_TRUE(cluster->canDescribe);
}

TEST(WireAuthority, ATransactionVersionOfZeroIsNotNothing) {
    ScriptedBroker broker(1);
    auto versions = ScriptedBroker::modern();
    versions.finalizedFeatures.clear();
    versions.supportedFeatures = {{"transaction.version", 0, 2}};
    broker.advertise(versions);
    const auto authority = authorityOver({&broker});
    const auto cluster = describeClusterAndWait(*authority, kLong);
    ASSERT_TRUE(cluster.has_value()) << cluster.error().text();
    EXPECT_EQ(cluster->transactionVersion, 0);
}

TEST(WireAuthority, ProducersAreAskedOfEachLeader) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    for (auto* each : {&first, &second}) {
        each->cluster({&first, &second});
        each->topic("t", {1, 2, 1});
        each->on(ApiKey::describeProducers, [each](const SeenRequest& request) {
            DescribeProducersResponse response;
            response.topics = {{"t", {}}};
            const auto asked = request.as<DescribeProducersRequest>();
            for (const auto index : asked.topics.at(0).partitions) {
                response.topics[0].partitions.push_back(
                    {index, 0, std::nullopt, {{each->nodeId(), 4, 0, 1'700'000'000'000, 0, 42}, {9, 1, 0, -1, 0, -1}}});
            }
            return Reaction::answer(request, response);
        });
    }
    const auto authority = authorityOver({&first});
    const auto answers = describeProducersAndWait(*authority, "t", {0, 1, 2}, kLong);
    ASSERT_EQ(answers.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(answers[i].partition, static_cast<int>(i));
        ASSERT_TRUE(answers[i].producers.has_value()) << answers[i].producers.error().text();
        const auto& producers = *answers[i].producers;
        ASSERT_EQ(producers.size(), 2U);
        EXPECT_EQ(producers[0].producer, (FencingToken{i == 1 ? 2 : 1, 4}));
        EXPECT_EQ(producers[0].openSince, 42);
        EXPECT_EQ(producers[0].lastTimestamp, wallTime(1'700'000'000'000));
        EXPECT_FALSE(producers[1].openSince.has_value());
        EXPECT_FALSE(producers[1].lastTimestamp.has_value());
    }
    EXPECT_EQ(first.count(ApiKey::describeProducers), 1U);
}

TEST(WireAuthority, ALeaderThatMovedIsFetchedAgain) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    for (auto* each : {&first, &second}) {
        each->cluster({&first, &second});
        each->topic("t", {1});
    }
    first.on(ApiKey::describeProducers, [&](const SeenRequest& request) {
        second.topic("t", {2});
        DescribeProducersResponse response;
        response.topics = {{"t", {{0, 6, std::nullopt, {}}}}};
        return Reaction::answer(request, response);
    });
    first.on(ApiKey::metadata, [&, asked = 0](const SeenRequest& request) mutable {
        MetadataResponse metadata;
        metadata.brokers = {{1, "127.0.0.1", first.port(), std::nullopt}, {2, "127.0.0.1", second.port(), std::nullopt}};
        MetadataResponse::Topic topic;
        topic.name = "t";
        topic.partitions = {{0, 0, ++asked == 1 ? 1 : 2, 0, {}, {}, {}}};
        metadata.topics = {topic};
        return Reaction::answer(request, metadata);
    });
    second.on(ApiKey::describeProducers, [](const SeenRequest& request) {
        DescribeProducersResponse response;
        response.topics = {{"t", {{0, 0, std::nullopt, {{5, 1, 0, -1, 0, -1}}}}}};
        return Reaction::answer(request, response);
    });
    const auto authority = authorityOver({&first});
    const auto answers = describeProducersAndWait(*authority, "t", {0}, kLong);
    ASSERT_TRUE(answers.at(0).producers.has_value()) << answers[0].producers.error().text();
    EXPECT_EQ(answers[0].producers->at(0).producer, (FencingToken{5, 1}));
}

TEST(WireAuthority, AMissingTopicAndADeniedOneAreToldApart) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::metadata, [&](const SeenRequest& request) {
        const auto asked = request.as<MetadataRequest>();
        EXPECT_FALSE(asked.allowAutoTopicCreation);
        MetadataResponse metadata;
        metadata.brokers = {{1, "127.0.0.1", broker.port(), std::nullopt}};
        MetadataResponse::Topic topic;
        topic.name = asked.topics->at(0);
        topic.errorCode = *topic.name == "denied" ? 29 : 3;
        metadata.topics = {topic};
        return Reaction::answer(request, metadata);
    });
    const auto authority = authorityOver({&broker});
    const auto denied = describeProducersAndWait(*authority, "denied", {0}, kLong);
    EXPECT_EQ(denied.at(0).producers.error().code, ErrorCode::refused);
    const auto missing = describeProducersAndWait(*authority, "missing", {0, 1}, kShort);
    ASSERT_EQ(missing.size(), 2U);
    for (const auto& each : missing) {
        EXPECT_THAT(each.producers.error().text(), HasSubstr("UNKNOWN_TOPIC_OR_PARTITION"));
    }
}

TEST(WireAuthority, ClosingAnswersWhatIsOpen) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::findCoordinator, coordinators([&](const auto&) -> const auto& { return broker; }));
    broker.on(ApiKey::describeTransactions, silent());
    const auto authority = authorityOver({&broker});
    std::vector<RoleAnswer> roles;
    std::vector<Result<ClusterInfo>> clusters;
    std::vector<ProducersAnswer> producers;
    int lasts = 0;
    authority->describeRoles({role("a"), role("b")}, kLong, [&](std::vector<RoleAnswer> answers, bool last) {
        roles.insert(roles.end(), answers.begin(), answers.end());
        lasts += last ? 1 : 0;
    });
    authority->describeProducers("t", {0, 1}, kLong, [&](std::vector<ProducersAnswer> a) { producers = std::move(a); });
    authority->close();
    authority->close();
    ASSERT_EQ(roles.size(), 2U);
    EXPECT_EQ(lasts, 1);
    EXPECT_EQ(roles[0].answer.error->code, ErrorCode::closed);
    ASSERT_EQ(producers.size(), 2U);
    EXPECT_EQ(producers[0].producers.error().code, ErrorCode::closed);

    authority->describeCluster(kLong, [&](Result<ClusterInfo> info) { clusters.push_back(std::move(info)); });
    ASSERT_EQ(clusters.size(), 1U) << "after close() a call is answered at once";
    EXPECT_EQ(clusters[0].error().code, ErrorCode::closed);
}

TEST(WireAuthority, TheLastOwnerMayLetGoInsideAHandler) {
    ScriptedBroker broker(1);
    auto authority = authorityOver({&broker});
    std::mutex mutex;
    std::condition_variable called;
    bool done = false;
    // The handler may run before this thread lets go: it waits for its turn.
    std::unique_lock lock(mutex);
    auto* raw = authority.get();
    auto owner = std::make_shared<std::shared_ptr<Authority>>(std::move(authority));
    raw->describeCluster(kLong, [&, owner](const Result<ClusterInfo>& info) mutable {
        const std::lock_guard inner(mutex);
        EXPECT_TRUE(info.has_value());
        owner->reset();
        done = true;
        called.notify_all();
    });
    called.wait(lock, [&] { return done; });
    EXPECT_EQ(*owner, nullptr);
}

TEST(WireAuthority, OtherSecurityProtocolsSaySo) {
    ScriptedBroker broker(1);
    const auto authority = authorityOver({&broker}, {{"security.protocol", "SASL_SSL"}});
    const auto answers = describeRolesAndWait(*authority, {role("a"), role("a")}, kLong);
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::unsupported);
    EXPECT_THAT(answers[0].answer.error->text(), HasSubstr("security.protocol=SASL_SSL"));
    EXPECT_EQ(describeClusterAndWait(*authority, kLong).error().code, ErrorCode::unsupported);
    EXPECT_EQ(describeProducersAndWait(*authority, "t", {0}, kLong).at(0).producers.error().code,
              ErrorCode::unsupported);
    EXPECT_EQ(broker.connections(), 0);
}

TEST(WireAuthority, NobodyThere) {
    std::string gone;
    {
        ScriptedBroker broker(1);
        gone = broker.bootstrap();
    }
    KafkaConfig config;
    config.bootstrap = gone;
    const auto authority = makeWireAuthority(config).value();
    const auto cluster = describeClusterAndWait(*authority, kShort);
    ASSERT_FALSE(cluster.has_value());
    EXPECT_EQ(cluster.error().code, ErrorCode::unreachable);
    EXPECT_EQ(cluster.error().where, gone);
    const auto answers = describeRolesAndWait(*authority, {role("a")}, kShort);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::timeout);
    EXPECT_THAT(answers[0].answer.error->what, HasSubstr("cannot connect"));
}

TEST(WireAuthority, ATlsPortEndsTheCallAtOnce) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::apiVersions, [](const SeenRequest&) { return Reaction::raw(samples::fromHex("15030300020246")); });
    const auto authority = authorityOver({&broker});
    const auto answers = describeRolesAndWait(*authority, {role("a")}, kLong);
    ASSERT_EQ(answers[0].answer.kind, Kind::failed);
    EXPECT_EQ(answers[0].answer.error->code, ErrorCode::protocol);
    EXPECT_THAT(answers[0].answer.error->hint, HasSubstr("security.protocol=SSL"));
}

TEST(WireAuthority, NothingToAsk) {
    ScriptedBroker broker(1);
    const auto authority = authorityOver({&broker});
    EXPECT_TRUE(describeRolesAndWait(*authority, {}, kLong).empty());
    EXPECT_TRUE(describeProducersAndWait(*authority, "t", {}, kLong).empty());
    const auto none = describeRolesAndWait(*authority, {role("a")}, Millis{0});
    ASSERT_EQ(none.size(), 1U);
    EXPECT_EQ(none[0].answer.error->code, ErrorCode::timeout);
}

TEST(WireAuthority, ABadBootstrapIsRefused) {
    KafkaConfig config;
    config.bootstrap = "nowhere";
    EXPECT_FALSE(makeWireAuthority(config).has_value());
}

} // namespace
} // namespace bellwether::kafka::wire
