// SPDX-License-Identifier: Apache-2.0
// Faults, chores and what can be seen between the steps of a member's call.
#include <future>
#include <set>

#include <gtest/gtest.h>

#include "coordination/role_partition.h"
#include "manual_clock.h"
#include "sandbox/sandbox_cluster.h"
#include "sandbox/transaction_states.h"

namespace bellwether::sandbox {
namespace {

using Request = SandboxCluster::Request;
using testing_support::ManualClock;

const Role kRole = *Role::of("controller");

Lease leaseOf(std::string_view name, FencingToken token) {
    return {*MemberId::of(name), token, wallTime(1'000), wallTime(31'000)};
}

Error brokerSays(ErrorCode code) {
    Error error;
    error.code = code;
    error.what = "injected";
    return error;
}

class Faults : public testing::Test {
protected:
    static SandboxOptions options() {
        SandboxOptions o;
        o.partitions = 4;
        o.requestLatency = Millis{5};
        return o;
    }

    CoordinatorAnswer ask(Millis timeout = Millis{20'000}) {
        const auto authority = cluster.authority();
        std::promise<CoordinatorAnswer> promise;
        authority->describeRoles({kRole}, timeout, [&](std::vector<RoleAnswer> answers, bool) {
            promise.set_value(answers.at(0).answer);
        });
        return promise.get_future().get();
    }

    std::unique_ptr<LogConsumer> reader(Isolation isolation = Isolation::readCommitted) {
        auto consumer = cluster.logConsumers()(isolation).value();
        EXPECT_TRUE(consumer->assign({{partition, 0}}));
        return consumer;
    }

    std::vector<ConsumedRecord> readAll(Isolation isolation) {
        return reader(isolation)->poll(Millis{0}, 1'000).value().records;
    }

    std::int64_t endOf(Isolation isolation) {
        return reader(isolation)->bounds({partition}, Millis{0}).value().at(0).end;
    }

    std::shared_ptr<ManualClock> clock = std::make_shared<ManualClock>();
    SandboxCluster cluster{clock, options()};
    std::int32_t partition = rolePartition(kRole, 4);
    std::unique_ptr<CoordinationTransport> member = cluster.makeTransport(ClientKind::endTxnV5);
};

TEST_F(Faults, OthersSeeAClaimAndAnOpenTransactionWhileAMemberWrites) {
    std::vector<std::pair<TransactionState, std::int64_t>> seen; // state, records an uncommitted reader has
    clock->onSleep = [&] {
        const CoordinatorAnswer answer = ask();
        seen.emplace_back(answer.state, endOf(Isolation::readUncommitted));
        EXPECT_EQ(endOf(Isolation::readCommitted), 0);
    };
    const FencingToken token = member->acquireEpoch(kRole).value();
    ASSERT_TRUE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    using enum TransactionState;
    EXPECT_EQ(seen, (std::vector<std::pair<TransactionState, std::int64_t>>{
                        {unknown, 0}, {empty, 0}, {ongoing, 0}, {ongoing, 1}}))
        << "before the mint, claimed, begun, written";
    clock->onSleep = nullptr;
    EXPECT_EQ(ask().state, completeCommit);
    EXPECT_EQ(endOf(Isolation::readCommitted), 2);
}

TEST_F(Faults, AnAnswerIsTimedAroundTheReadOfTheState) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    const CoordinatorAnswer answer = ask();
    EXPECT_EQ(answer.token, token);
    EXPECT_EQ(answer.askedAt, clock->steady());
    EXPECT_EQ(answer.answeredAt, clock->steady());
    EXPECT_EQ(answer.asOf, clock->wall());
    EXPECT_EQ(answer.transactionTimeout, Millis{60'000});
}

TEST_F(Faults, UnreachableBrokersFailEveryCallAndReadingResumes) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    ASSERT_TRUE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    const auto consumer = reader();
    EXPECT_EQ(consumer->poll(Millis{0}, 10).value().records.size(), 1U);

    cluster.setReachable(false);
    EXPECT_EQ(member->acquireEpoch(kRole).error().code, ErrorCode::unreachable);
    EXPECT_EQ(member->readRoleRecords(kRole).error().code, ErrorCode::unreachable);
    EXPECT_EQ(member->registerMember(kRole, {*MemberId::of("node-1"), wallTime(1)}).error().code,
              ErrorCode::unreachable);
    EXPECT_EQ(member->writeLease(kRole, token, leaseOf("node-1", token)).error().code,
              ErrorCode::unreachable);
    EXPECT_TRUE(member->describe(kRole).error().retriable);
    EXPECT_EQ(consumer->poll(Millis{0}, 10).error().code, ErrorCode::unreachable);
    EXPECT_EQ(consumer->bounds({partition}, Millis{0}).error().code, ErrorCode::unreachable);
    EXPECT_EQ(consumer->partitionCount(Millis{0}).error().code, ErrorCode::unreachable);
    EXPECT_EQ(ask().error->code, ErrorCode::unreachable);

    cluster.setReachable(true);
    EXPECT_TRUE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    const auto batch = consumer->poll(Millis{0}, 10).value();
    ASSERT_EQ(batch.records.size(), 1U);
    EXPECT_EQ(batch.records[0].position.offset, 2);
    EXPECT_EQ(batch.reachedEnd, (std::vector<PartitionOffset>{{partition, 4}}));
}

TEST_F(Faults, SilentBrokersEndInTimeouts) {
    (void)member->acquireEpoch(kRole);
    cluster.setSilent(true);
    const CoordinatorAnswer answer = ask(Millis{10});
    EXPECT_EQ(answer.kind, CoordinatorAnswer::Kind::failed);
    EXPECT_EQ(answer.error->code, ErrorCode::timeout);
    EXPECT_EQ(reader()->bounds({partition}, Millis{10}).error().code, ErrorCode::timeout);
    cluster.setSilent(false);
    EXPECT_EQ(ask().kind, CoordinatorAnswer::Kind::described);
}

TEST_F(Faults, AClosedAuthorityAnswersASilentRequest) {
    cluster.setSilent(true);
    const auto authority = cluster.authority();
    std::promise<RoleAnswer> promise;
    authority->describeRoles({kRole}, Millis{3'600'000}, [&](std::vector<RoleAnswer> answers, bool) {
        promise.set_value(answers.at(0));
    });
    authority->close();
    EXPECT_EQ(promise.get_future().get().answer.error->code, ErrorCode::closed);
}

TEST_F(Faults, AClosedTransportLeavesSilentBrokers) {
    cluster.setSilent(true);
    auto call = std::async(std::launch::async, [&] { return member->describe(kRole); });
    member->close();
    EXPECT_EQ(call.get().error().code, ErrorCode::closed);
}

TEST_F(Faults, AnInjectedFailureIsTakenOnceByItsRequest) {
    cluster.failNext(Request::initProducerId, brokerSays(ErrorCode::refused));
    EXPECT_EQ(member->acquireEpoch(kRole).error(), brokerSays(ErrorCode::refused));
    const FencingToken token = member->acquireEpoch(kRole).value();

    cluster.failNext(Request::fetch, brokerSays(ErrorCode::incompleteRead), 2);
    EXPECT_EQ(member->readRoleRecords(kRole).error().code, ErrorCode::incompleteRead);
    EXPECT_EQ(reader()->poll(Millis{0}, 1).error().code, ErrorCode::incompleteRead);
    EXPECT_TRUE(member->readRoleRecords(kRole));

    cluster.failNext(Request::describeTransactions, brokerSays(ErrorCode::busy));
    EXPECT_EQ(ask().error->code, ErrorCode::busy);
    EXPECT_EQ(ask().token, token);
}

TEST_F(Faults, AFailedWriteIsAbortedAndTheNextOneGoesThrough) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    cluster.failNext(Request::addPartitions, brokerSays(ErrorCode::broker));
    EXPECT_FALSE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    EXPECT_EQ(ask().state, TransactionState::empty) << "not even begun";
    cluster.failNext(Request::produce, brokerSays(ErrorCode::broker));
    EXPECT_FALSE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    EXPECT_EQ(ask().state, TransactionState::completeAbort);
    EXPECT_TRUE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    EXPECT_EQ(readAll(Isolation::readCommitted).size(), 1U);
}

TEST_F(Faults, AnUnendedTransactionStaysOpenUntilTheNextWriteAbortsIt) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    cluster.failNext(Request::endTransaction, brokerSays(ErrorCode::timeout));
    EXPECT_EQ(member->writeLease(kRole, token, leaseOf("node-1", token)).error().code, ErrorCode::timeout);
    EXPECT_EQ(ask().state, TransactionState::ongoing);
    EXPECT_TRUE(readAll(Isolation::readCommitted).empty());

    EXPECT_TRUE(member->writeLease(kRole, token, leaseOf("node-2", token)));
    EXPECT_EQ(readAll(Isolation::readUncommitted).size(), 2U);
    const auto committed = readAll(Isolation::readCommitted);
    ASSERT_EQ(committed.size(), 1U);
    EXPECT_EQ(committed[0].value, encodeLeaseValue(leaseOf("node-2", token)));
}

TEST_F(Faults, ATransactionCanBeLeftBegunWithNothingWritten) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    cluster.failNext(Request::produce, brokerSays(ErrorCode::broker));
    cluster.failNext(Request::endTransaction, brokerSays(ErrorCode::timeout));
    EXPECT_EQ(member->writeLease(kRole, token, leaseOf("node-1", token)).error().code, ErrorCode::broker);
    EXPECT_EQ(ask().state, TransactionState::ongoing);
    EXPECT_EQ(endOf(Isolation::readUncommitted), 0);
    EXPECT_TRUE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    EXPECT_EQ(readAll(Isolation::readUncommitted).size(), 1U);
}

TEST_F(Faults, ATimedOutTransactionIsSweptAndItsWriterFenced) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    cluster.failNext(Request::endTransaction, brokerSays(ErrorCode::timeout));
    EXPECT_FALSE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    clock->advance(Millis{59'000});
    cluster.sweepTimeouts();
    EXPECT_EQ(ask().state, TransactionState::ongoing);
    clock->advance(Millis{1'000});
    cluster.sweepTimeouts();
    const CoordinatorAnswer swept = ask();
    EXPECT_EQ(swept.state, TransactionState::completeAbort);
    EXPECT_EQ(swept.token, (FencingToken{token.producerId, 1}));
    EXPECT_TRUE(cluster.ableToCommit(kRole).empty());
    EXPECT_EQ(member->writeLease(kRole, token, leaseOf("node-1", token)).error().code, ErrorCode::fenced);
    EXPECT_EQ(endOf(Isolation::readCommitted), endOf(Isolation::readUncommitted));
}

TEST_F(Faults, ATakeoverOverAnOpenTransactionIsOneCall) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    cluster.failNext(Request::endTransaction, brokerSays(ErrorCode::timeout));
    EXPECT_FALSE(member->writeLease(kRole, token, leaseOf("node-1", token)));
    EXPECT_EQ(cluster.ableToCommit(kRole), std::vector<FencingToken>{token});
    const auto other = cluster.makeTransport(ClientKind::older);
    const FencingToken taken = other->acquireEpoch(kRole).value();
    EXPECT_EQ(taken, (FencingToken{token.producerId, 2}));
    EXPECT_EQ(cluster.ableToCommit(kRole), std::vector<FencingToken>{taken});
    EXPECT_EQ(ask().state, TransactionState::empty);
    EXPECT_TRUE(other->writeLease(kRole, taken, leaseOf("node-2", taken)));
    EXPECT_EQ(readAll(Isolation::readCommitted).size(), 1U);
}

TEST_F(Faults, AFenceNamesTheBrokersCode) {
    const auto older = cluster.makeTransport(ClientKind::older);
    const auto challenger = cluster.makeTransport(ClientKind::endTxnV5);
    const FencingToken first = member->acquireEpoch(kRole).value();
    (void)challenger->acquireEpoch(kRole);
    EXPECT_EQ(member->writeLease(kRole, first, leaseOf("node-1", first)).error().kafkaCode, 47);
    const FencingToken second = older->acquireEpoch(kRole).value();
    (void)challenger->acquireEpoch(kRole);
    EXPECT_EQ(older->writeLease(kRole, second, leaseOf("node-1", second)).error().kafkaCode, 90);
}

TEST_F(Faults, AnEpochCanBeSetNearItsEnd) {
    const FencingToken first = member->acquireEpoch(kRole).value();
    cluster.setEpoch(kRole, {first.producerId, 32'765});
    EXPECT_EQ(member->writeLease(kRole, first, leaseOf("node-1", first)).error().code, ErrorCode::fenced);
    const FencingToken last = member->acquireEpoch(kRole).value();
    EXPECT_EQ(last.producerEpoch, 32'766);
    ASSERT_TRUE(member->writeLease(kRole, last, leaseOf("node-1", last)));
    EXPECT_GT(ask().token.producerId, first.producerId);
    EXPECT_EQ(ask().token.producerEpoch, 0);
    EXPECT_TRUE(member->writeLease(kRole, last, leaseOf("node-1", last))) << "the same leader goes on";
    EXPECT_THROW(cluster.setEpoch(kRole, FencingToken::none()), std::invalid_argument);
}

TEST_F(Faults, CompactionKeepsOffsetsAndTheNewestOfEachKey) {
    const FencingToken token = member->acquireEpoch(kRole).value();
    for (int i = 0; i < 4; ++i) {
        ASSERT_TRUE(member->writeLease(kRole, token, leaseOf("node-" + std::to_string(i), token)));
    }
    const auto aborted = cluster.openForeignTransaction(kRole, "aborted", "value");
    cluster.endForeignTransaction(aborted, false);
    cluster.appendRaw(partition, std::nullopt, "no key");
    const auto before = readAll(Isolation::readCommitted);
    const auto pin = cluster.openForeignTransaction(kRole, "open", "value");
    ASSERT_TRUE(member->registerMember(kRole, {*MemberId::of("node-1"), wallTime(1)}));
    const std::int64_t stable = endOf(Isolation::readCommitted);

    cluster.compact(partition);
    EXPECT_EQ(endOf(Isolation::readCommitted), stable);
    const auto after = reader()->poll(Millis{0}, 100).value();
    ASSERT_EQ(after.records.size(), 1U);
    EXPECT_EQ(after.records[0].position, before[3].position);
    EXPECT_EQ(after.records[0].value, encodeLeaseValue(leaseOf("node-3", token)));
    EXPECT_EQ(after.reachedEnd, (std::vector<PartitionOffset>{{partition, stable}})) << "across the holes";
    EXPECT_EQ(readAll(Isolation::readUncommitted).size(), 3U) << "what is not stable is not compacted";
    cluster.endForeignTransaction(pin, true);
    EXPECT_EQ(readAll(Isolation::readCommitted).size(), 3U);
}

TEST_F(Faults, AForeignTransactionTimesOutLater) {
    (void)cluster.openForeignTransaction(kRole, "key", "value");
    clock->advance(Millis{899'000});
    cluster.sweepTimeouts();
    EXPECT_EQ(endOf(Isolation::readCommitted), 0);
    clock->advance(Millis{1'000});
    cluster.sweepTimeouts();
    EXPECT_EQ(endOf(Isolation::readCommitted), 2);
    EXPECT_TRUE(readAll(Isolation::readCommitted).empty());
    EXPECT_THROW(cluster.endForeignTransaction(99, true), std::invalid_argument);
}

TEST_F(Faults, ClientsOutliveTheirCluster) {
    auto owned = std::make_unique<SandboxCluster>(clock, options());
    const auto transport = owned->makeTransport(ClientKind::older);
    const auto consumer = owned->logConsumers()(Isolation::readCommitted).value();
    const auto authority = owned->authority();
    owned.reset();
    EXPECT_TRUE(transport->describe(kRole));
    EXPECT_TRUE(consumer->partitionCount(Millis{0}));
    authority->close();
}

TEST_F(Faults, PartitionsTakeTurnsWhenABatchIsFull) {
    for (int i = 0; i < 3; ++i) {
        (void)cluster.appendRaw(0, "a", "0");
        (void)cluster.appendRaw(1, "b", "1");
    }
    const auto consumer = cluster.logConsumers()(Isolation::readCommitted).value();
    ASSERT_TRUE(consumer->assign({{0, 0}, {1, 0}}));
    std::vector<std::int32_t> order;
    for (int i = 0; i < 6; ++i) {
        const auto batch = consumer->poll(Millis{0}, 1).value();
        ASSERT_EQ(batch.records.size(), 1U);
        order.push_back(batch.records[0].position.partition);
    }
    EXPECT_EQ(order, (std::vector<std::int32_t>{0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(consumer->assign({{4, 0}}).error().code, ErrorCode::topicMissing);
}

TEST(TransactionStates, OnlyTheListedTransitionsAreLegal) {
    using enum TransactionState;
    const std::set<std::pair<TransactionState, TransactionState>> legal{
        {empty, empty},
        {completeCommit, empty},
        {completeAbort, empty},
        {empty, ongoing},
        {completeCommit, ongoing},
        {completeAbort, ongoing},
        {ongoing, ongoing},
        {ongoing, prepareCommit},
        {ongoing, prepareAbort},
        {ongoing, prepareEpochFence},
        {prepareEpochFence, prepareAbort},
        {prepareCommit, completeCommit},
        {prepareAbort, completeAbort},
        {empty, dead},
        {completeCommit, dead},
        {completeAbort, dead},
    };
    const auto all = {unknown,        empty,         ongoing, prepareCommit,    prepareAbort,
                      completeCommit, completeAbort, dead,    prepareEpochFence};
    for (const TransactionState from : all) {
        for (const TransactionState to : all) {
            EXPECT_EQ(isLegalTransition(from, to), legal.contains({from, to}))
                << toString(from) << " to " << toString(to);
        }
    }
}

} // namespace
} // namespace bellwether::sandbox
