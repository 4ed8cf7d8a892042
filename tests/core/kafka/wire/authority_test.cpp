// SPDX-License-Identifier: Apache-2.0
// Cluster, producers, closing and misconfiguration against scripted brokers, through the public interface.
#include <condition_variable>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_messages.h"
#include "scripted_authority.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;

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
                    {index,
                     0,
                     std::nullopt,
                     {{each->nodeId(), 4, 0, 1'700'000'000'000, 0, 42}, {9, 1, 0, -1, 0, -1}}});
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
        metadata.brokers = {{1, "127.0.0.1", first.port(), std::nullopt},
                            {2, "127.0.0.1", second.port(), std::nullopt}};
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

TEST(WireAuthority, TransactionsAreListedByEveryBroker) {
    ScriptedBroker first(1);
    ScriptedBroker second(2);
    ScriptedBroker silent(3);
    std::atomic<int> loading{2};
    for (auto* each : {&first, &second, &silent}) {
        each->cluster({&first, &second, &silent});
    }
    const auto listing = [](std::string id, std::int64_t producerId) {
        return [=](const SeenRequest& request) {
            EXPECT_EQ(request.as<ListTransactionsRequest>().producerIds, (std::vector<std::int64_t>{7, 8}));
            ListTransactionsResponse response;
            response.states = {{id, producerId, "Ongoing"}};
            return Reaction::answer(request, response);
        };
    };
    first.on(ApiKey::listTransactions, listing("a", 7));
    second.on(ApiKey::listTransactions, [&](const SeenRequest& request) {
        if (loading-- > 0) {
            ListTransactionsResponse response;
            response.errorCode = 14;
            return Reaction::answer(request, response);
        }
        return listing("b", 8)(request);
    });
    silent.on(ApiKey::listTransactions, [](const SeenRequest&) { return Reaction::silence(); });
    const auto authority = authorityOver({&first});
    const auto got = listTransactionsAndWait(*authority, {7, 8}, Millis{700});
    ASSERT_EQ(got.found.size(), 2U);
    EXPECT_TRUE(std::any_of(got.found.begin(), got.found.end(), [](const auto& each) {
        return each == ListedTransaction{"b", 8, TransactionState::ongoing};
    })) << "asked again once its coordinators are loaded";
    ASSERT_EQ(got.silent.size(), 1U);
    EXPECT_EQ(got.silent[0].code, ErrorCode::timeout);
    EXPECT_EQ(got.silent[0].where, silent.bootstrap());
}

TEST(WireAuthority, WhoeverCannotListIsNamed) {
    ScriptedBroker broker(1);
    auto old = ScriptedBroker::modern();
    std::erase_if(old.apis, [](const auto& each) {
        return each.key == static_cast<std::int16_t>(ApiKey::listTransactions);
    });
    broker.advertise(old);
    const auto authority = authorityOver({&broker});
    const auto got = listTransactionsAndWait(*authority, {7}, kLong);
    ASSERT_EQ(got.silent.size(), 1U);
    EXPECT_EQ(got.silent[0].code, ErrorCode::unsupported);
    KafkaConfig config;
    config.bootstrap = "127.0.0.1:1";
    const auto nobody = makeWireAuthority(config).value();
    EXPECT_EQ(listTransactionsAndWait(*nobody, {7}, Millis{300}).silent.size(), 1U);
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
    authority->describeProducers("t", {0, 1}, kLong,
                                 [&](std::vector<ProducersAnswer> a) { producers = std::move(a); });
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

TEST(WireAuthority, WrongSecuritySettingsAreRefusedBeforeAnythingIsAsked) {
    KafkaConfig config;
    config.bootstrap = "127.0.0.1:1";
    config.properties = {{"security.protocol", "SASL_PLAINTEXT"}, {"sasl.mechanism", "PLAIN"}};
    const auto refused = makeWireAuthority(config);
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::invalidArgument);
    EXPECT_THAT(refused.error().text(), HasSubstr("sasl.username"));
}

TEST(WireAuthority, AListenerThatClosesAtEveryRequestSeemsToWantSasl) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::metadata, [](const SeenRequest&) { return Reaction::close(); });
    const auto authority = authorityOver({&broker});
    const auto cluster = describeClusterAndWait(*authority, kLong);
    ASSERT_FALSE(cluster.has_value());
    EXPECT_EQ(cluster.error().code, ErrorCode::refused);
    EXPECT_THAT(cluster.error().hint, HasSubstr("security.protocol=SASL_PLAINTEXT"));
    EXPECT_EQ(broker.connections(), 3);
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
    broker.on(ApiKey::apiVersions,
              [](const SeenRequest&) { return Reaction::raw(samples::fromHex("15030300020246")); });
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
