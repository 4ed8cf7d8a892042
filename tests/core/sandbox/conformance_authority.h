// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <condition_variable>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "conformance_world.h"

namespace bellwether::conformance {

/// Gathers the batches of describeRoles.
class RoleAnswers {
public:
    Authority::RolesHandler handler() {
        return [this](std::vector<RoleAnswer> batch, bool last) {
            const std::lock_guard lock(mutex_);
            EXPECT_FALSE(last_) << "a batch after the last";
            thread_ = std::this_thread::get_id();
            for (RoleAnswer& answer : batch) {
                answers_[answer.role].push_back(std::move(answer.answer));
            }
            last_ = last;
            changed_.notify_all();
        };
    }

    [[nodiscard]] bool waitForLast(Millis patience) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, patience, [this] { return last_; });
    }

    [[nodiscard]] std::map<Role, std::vector<CoordinatorAnswer>> answers() {
        const std::lock_guard lock(mutex_);
        return answers_;
    }

    [[nodiscard]] std::thread::id thread() {
        const std::lock_guard lock(mutex_);
        return thread_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::map<Role, std::vector<CoordinatorAnswer>> answers_;
    std::thread::id thread_;
    bool last_ = false;
};

inline CoordinatorAnswer askOne(Authority& authority, const Role& role, Millis patience) {
    RoleAnswers answers;
    authority.describeRoles({role}, patience, answers.handler());
    // The handler refers to `answers`: it must have run before they go.
    if (!answers.waitForLast(2 * patience)) {
        authority.close();
    }
    const auto got = answers.answers();
    const auto found = got.find(role);
    if (found == got.end() || found->second.size() != 1) {
        ADD_FAILURE() << "role " << role.str() << " got no single answer";
        return {};
    }
    return found->second.front();
}

inline std::vector<ProducersAnswer> askProducers(Authority& authority, const std::string& topic,
                                                 std::vector<std::int32_t> partitions, Millis patience) {
    std::promise<std::vector<ProducersAnswer>> promise;
    auto future = promise.get_future();
    authority.describeProducers(
        topic, std::move(partitions), patience,
        [&](std::vector<ProducersAnswer> answers) { promise.set_value(std::move(answers)); });
    if (future.wait_for(2 * patience) != std::future_status::ready) {
        authority.close();
        ADD_FAILURE() << "no answer of the partition leaders";
        return {};
    }
    return future.get();
}

inline std::optional<PartitionProducer> rowOf(const std::vector<ProducersAnswer>& answers,
                                              std::int64_t producerId) {
    for (const ProducersAnswer& answer : answers) {
        EXPECT_TRUE(answer.producers) << (answer.producers ? "" : answer.producers.error().text());
        for (const PartitionProducer& row : answer.producers.value_or(std::vector<PartitionProducer>{})) {
            if (row.producer.producerId == producerId) {
                return row;
            }
        }
    }
    return std::nullopt;
}

TEST_P(AuthorityConformance, StatesFollowTheTransaction) {
    const Role role = world->freshRole();
    const auto transport = world->transport();
    const auto authority = world->authority();
    EXPECT_EQ(askOne(*authority, role, world->patience()).kind, CoordinatorAnswer::Kind::unknownId);

    const FencingToken token = mint(*transport, role);
    const CoordinatorAnswer minted = askOne(*authority, role, world->patience());
    ASSERT_EQ(minted.kind, CoordinatorAnswer::Kind::described);
    EXPECT_EQ(minted.token, token);
    EXPECT_EQ(minted.state, TransactionState::empty);
    EXPECT_GT(minted.transactionTimeout, Millis{0});
    EXPECT_LE(minted.askedAt, minted.answeredAt);

    ASSERT_TRUE(transport->writeLease(role, token, leaseOf("node-1", token)));
    CoordinatorAnswer committed = askOne(*authority, role, world->patience());
    const auto deadline = std::chrono::steady_clock::now() + world->patience();
    while (committed.state == TransactionState::prepareCommit &&
           std::chrono::steady_clock::now() < deadline) {
        committed = askOne(*authority, role, world->patience());
    }
    EXPECT_EQ(committed.state, TransactionState::completeCommit);
    EXPECT_EQ(committed.token.producerEpoch, token.producerEpoch + (world->commitsMoveEpoch() ? 1 : 0));
    EXPECT_LE(minted.answeredAt, committed.askedAt);
}

TEST_P(AuthorityConformance, AProducerIdLeadsToItsTransactionalId) {
    const Role role = world->freshRole();
    const Role other = world->freshRole();
    const auto transport = world->transport();
    const auto authority = world->authority();
    const FencingToken token = mint(*transport, role);
    (void)mint(*transport, other);
    const auto listing =
        listTransactionsAndWait(*authority, {token.producerId, 987'654'321}, world->patience());
    EXPECT_TRUE(listing.silent.empty()) << listing.silent.front().text();
    EXPECT_EQ(listing.found,
              (std::vector<ListedTransaction>{{role.str(), token.producerId, TransactionState::empty}}));
    EXPECT_TRUE(listTransactionsAndWait(*authority, {}, world->patience()).found.empty())
        << "nobody was asked for";
    authority->close();
    EXPECT_EQ(listTransactionsAndWait(*authority, {token.producerId}, world->patience()).silent.size(), 1U);
}

TEST_P(AuthorityConformance, EveryRoleGetsExactlyOneAnswer) {
    std::vector<Role> roles;
    const auto transport = world->transport();
    for (int i = 0; i < 12; ++i) {
        roles.push_back(world->freshRole());
        if (i % 2 == 0) {
            (void)mint(*transport, roles.back());
        }
    }
    const auto authority = world->authority();
    RoleAnswers answers;
    authority->describeRoles(roles, world->patience(), answers.handler());
    ASSERT_TRUE(answers.waitForLast(2 * world->patience()));
    EXPECT_NE(answers.thread(), std::this_thread::get_id());
    const auto got = answers.answers();
    ASSERT_EQ(got.size(), roles.size());
    for (std::size_t i = 0; i < roles.size(); ++i) {
        ASSERT_EQ(got.at(roles[i]).size(), 1U);
        EXPECT_EQ(got.at(roles[i])[0].kind,
                  i % 2 == 0 ? CoordinatorAnswer::Kind::described : CoordinatorAnswer::Kind::unknownId);
    }
}

TEST_P(AuthorityConformance, NoRolesGetOneLastEmptyBatch) {
    const auto authority = world->authority();
    RoleAnswers answers;
    authority->describeRoles({}, world->patience(), answers.handler());
    EXPECT_TRUE(answers.waitForLast(2 * world->patience()));
    EXPECT_TRUE(answers.answers().empty());
}

TEST_P(AuthorityConformance, AnOpenTransactionIsOngoingAndNamesItsFirstOffset) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const std::int64_t before = boundsOf(partition, Isolation::readUncommitted).end;
    const auto authority = world->authority();
    const auto open = world->openTransaction(role, "key", "value");
    const CoordinatorAnswer answer = askOne(*authority, open->transactionalId(), world->patience());
    EXPECT_EQ(answer.state, TransactionState::ongoing);
    EXPECT_TRUE(answer.transactionStart);
    const auto during = rowOf(askProducers(*authority, world->topic(), {partition}, world->patience()),
                              answer.token.producerId);
    ASSERT_TRUE(during);
    EXPECT_EQ(during->producer, answer.token);
    EXPECT_EQ(during->openSince, before);
    open->end(false);
    const auto after = rowOf(askProducers(*authority, world->topic(), {partition}, world->patience()),
                             answer.token.producerId);
    ASSERT_TRUE(after);
    EXPECT_EQ(after->openSince, std::nullopt);
}

TEST_P(AuthorityConformance, ThePartitionLearnsOfMarkersNotOfMints) {
    const Role role = world->freshRole();
    const std::int32_t partition = partitionOf(role);
    const auto transport = world->transport();
    const auto authority = world->authority();
    const FencingToken token = mint(*transport, role);
    const auto row = [&] {
        return rowOf(askProducers(*authority, world->topic(), {partition}, world->patience()),
                     token.producerId);
    };
    EXPECT_EQ(row(), std::nullopt);
    ASSERT_TRUE(transport->writeLease(role, token, leaseOf("node-1", token)));
    const auto written = row();
    ASSERT_TRUE(written);
    EXPECT_EQ(written->producer.producerEpoch, token.producerEpoch + (world->commitsMoveEpoch() ? 1 : 0));
    EXPECT_EQ(written->openSince, std::nullopt);
    (void)mint(*transport, role);
    EXPECT_EQ(row()->producer, written->producer);
}

TEST_P(AuthorityConformance, EveryPartitionIsAnsweredOnce) {
    const auto authority = world->authority();
    const auto consumer = openConsumer(Isolation::readCommitted);
    const std::int32_t count = consumer->partitionCount(world->patience()).value();
    std::vector<std::int32_t> partitions;
    for (std::int32_t partition = 0; partition < count; ++partition) {
        partitions.push_back(partition);
    }
    const auto answers = askProducers(*authority, world->topic(), partitions, world->patience());
    std::vector<std::int32_t> answered;
    for (const ProducersAnswer& answer : answers) {
        EXPECT_TRUE(answer.producers);
        answered.push_back(answer.partition);
    }
    EXPECT_TRUE(std::is_permutation(answered.begin(), answered.end(), partitions.begin(), partitions.end()));

    const auto missing = askProducers(*authority, "no-such-topic", {0}, world->patience());
    ASSERT_EQ(missing.size(), 1U);
    EXPECT_FALSE(missing[0].producers);
}

TEST_P(AuthorityConformance, TheClusterDescribesItself) {
    const auto authority = world->authority();
    std::promise<Result<ClusterInfo>> promise;
    auto future = promise.get_future();
    authority->describeCluster(world->patience(),
                               [&](Result<ClusterInfo> info) { promise.set_value(std::move(info)); });
    ASSERT_EQ(future.wait_for(2 * world->patience()), std::future_status::ready);
    const auto info = future.get();
    ASSERT_TRUE(info) << info.error().text();
    EXPECT_FALSE(info->clusterId.empty());
    EXPECT_TRUE(info->canDescribe);
    ASSERT_FALSE(info->brokers.empty());
    EXPECT_TRUE(info->brokers.front().reachable);
}

TEST_P(AuthorityConformance, CloseAnswersWhatIsOutstanding) {
    std::vector<Role> roles;
    for (int i = 0; i < 4; ++i) {
        roles.push_back(world->freshRole());
    }
    const auto authority = world->authority();
    std::vector<std::unique_ptr<RoleAnswers>> rounds;
    for (int i = 0; i < 20; ++i) {
        rounds.push_back(std::make_unique<RoleAnswers>());
        authority->describeRoles(roles, world->patience(), rounds.back()->handler());
    }
    authority->close();
    authority->close();
    for (const auto& round : rounds) {
        EXPECT_TRUE(round->waitForLast(Millis{0})) << "close() left a handler uncalled";
        const auto got = round->answers();
        EXPECT_EQ(got.size(), roles.size());
        for (const auto& [role, answers] : got) {
            ASSERT_EQ(answers.size(), 1U);
            if (answers[0].kind == CoordinatorAnswer::Kind::failed) {
                EXPECT_EQ(answers[0].error->code, ErrorCode::closed);
            }
        }
    }
}

TEST_P(AuthorityConformance, ARequestAfterCloseIsAnsweredClosed) {
    const Role role = world->freshRole();
    const auto authority = world->authority();
    authority->close();
    RoleAnswers answers;
    authority->describeRoles({role}, world->patience(), answers.handler());
    ASSERT_TRUE(answers.waitForLast(world->patience()));
    const auto got = answers.answers();
    ASSERT_EQ(got.at(role).size(), 1U);
    EXPECT_EQ(got.at(role)[0].kind, CoordinatorAnswer::Kind::failed);
    EXPECT_EQ(got.at(role)[0].error->code, ErrorCode::closed);
}

} // namespace bellwether::conformance
