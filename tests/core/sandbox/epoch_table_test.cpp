// SPDX-License-Identifier: Apache-2.0
// Every row of the measured table of epochs and states, in both of its columns.
#include <ostream>

#include <gtest/gtest.h>

#include "manual_clock.h"
#include "ports/authority.h"
#include "sandbox/producer_session.h"

namespace bellwether::sandbox {
namespace {

using State = TransactionState;

struct Column {
    std::string name;
    std::int16_t transactionVersion;
    ClientKind kind;
    bool moves; ///< commits and aborts of the client move the epoch
};

std::ostream& operator<<(std::ostream& out, const Column& column) {
    return out << column.name;
}

const std::string kId = "controller";
constexpr WallTime kNow = wallTime(1'700'000'000'000);
constexpr Millis kTimeout{60'000};
constexpr std::int32_t kPartition = 0;

class EpochTable : public testing::TestWithParam<Column> {
protected:
    static SandboxOptions options() {
        SandboxOptions o;
        o.partitions = 1;
        o.transactionVersion = GetParam().transactionVersion;
        return o;
    }

    const TransactionalId& described() { return *state.coordinator().find(kId); }

    void expectDescribed(FencingToken token, State expected) {
        ASSERT_NE(state.coordinator().find(kId), nullptr);
        EXPECT_EQ(described().token, token) << described().token.text() << " instead of " << token.text();
        EXPECT_EQ(described().state, expected) << toString(described().state);
    }

    void settle() {
        while (state.advance(kId, kNow)) {
        }
    }

    /// Mints as a client does: again while the coordinator is busy.
    FencingToken mint(ProducerSession& session) {
        auto minted = session.mint(state, kTimeout);
        while (!minted) {
            EXPECT_EQ(minted.error().code, ErrorCode::busy) << minted.error().text();
            settle();
            minted = session.mint(state, kTimeout);
        }
        return session.minted();
    }

    void open(ProducerSession& session) {
        ASSERT_TRUE(session.begin(state, kPartition, kNow));
        ASSERT_TRUE(session.write(state, kPartition, "key", "value", kNow));
    }

    void end(ProducerSession& session, bool commit) {
        const auto ended = session.end(state, commit);
        ASSERT_TRUE(ended) << ended.error().text();
        settle();
    }

    std::optional<PartitionProducer> row(std::int64_t producerId) {
        for (const PartitionProducer& producer : state.log(kPartition).producers()) {
            if (producer.producer.producerId == producerId) {
                return producer;
            }
        }
        return std::nullopt;
    }

    static FencingToken plus(FencingToken token, int steps) {
        token.producerEpoch = static_cast<std::int16_t>(token.producerEpoch + steps);
        return token;
    }

    int moved() const { return GetParam().moves ? 1 : 0; }

    ProducerSession session() const { return {kId, GetParam().kind}; }

    ClusterState state{options()};
    ProducerSession member = session();
};

TEST_P(EpochTable, NeverUsed) {
    EXPECT_EQ(state.coordinator().find(kId), nullptr);
}

TEST_P(EpochTable, MintIsPlusOneAndEmpty) {
    const FencingToken first = mint(member);
    EXPECT_EQ(first.producerEpoch, 0);
    expectDescribed(first, State::empty);
    EXPECT_EQ(mint(member), plus(first, 1));
    expectDescribed(plus(first, 1), State::empty);
    EXPECT_EQ(row(first.producerId), std::nullopt) << "the partition does not learn of a mint";
}

TEST_P(EpochTable, MintAfterACommitIsPlusOneAndEmpty) {
    const FencingToken first = mint(member);
    open(member);
    end(member, true);
    ProducerSession other = session();
    EXPECT_EQ(mint(other), plus(first, 1 + moved()));
    expectDescribed(plus(first, 1 + moved()), State::empty);
    EXPECT_EQ(described().start, kNow) << "the start of the transaction before is left behind";
    EXPECT_EQ(row(first.producerId)->producer, plus(first, moved()));
}

TEST_P(EpochTable, MintOverAnOpenTransactionIsPlusTwo) {
    const FencingToken first = mint(member);
    open(member);
    ProducerSession other = session();
    const auto busy = other.mint(state, kTimeout);
    ASSERT_FALSE(busy);
    EXPECT_EQ(busy.error().kafkaCode, 51);
    EXPECT_TRUE(busy.error().retriable);
    expectDescribed(plus(first, 1), State::prepareEpochFence);
    EXPECT_EQ(other.mint(state, kTimeout).error().kafkaCode, 51);
    expectDescribed(plus(first, 1), State::prepareEpochFence);
    ASSERT_TRUE(state.advance(kId, kNow));
    expectDescribed(plus(first, 1), State::prepareAbort);
    EXPECT_EQ(other.mint(state, kTimeout).error().kafkaCode, 51);
    settle();
    expectDescribed(plus(first, 1), State::completeAbort);
    EXPECT_EQ(row(first.producerId)->producer, plus(first, 1));
    EXPECT_EQ(row(first.producerId)->openSince, std::nullopt);
    EXPECT_EQ(mint(other), plus(first, 2));
    expectDescribed(plus(first, 2), State::empty);

    const auto late = member.write(state, kPartition, "key", "late", kNow);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kafkaCode, 47) << "fenced at the partition";
    const auto ended = member.end(state, true);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().kafkaCode, 90) << "fenced at the coordinator";
}

TEST_P(EpochTable, TheFirstWriteIsOngoingAtTheSameEpoch) {
    const FencingToken token = mint(member);
    open(member);
    expectDescribed(token, State::ongoing);
    EXPECT_EQ(described().start, kNow);
    EXPECT_EQ(row(token.producerId)->producer, token);
    EXPECT_EQ(row(token.producerId)->openSince, 0);
    end(member, true);
    open(member);
    expectDescribed(plus(token, moved()), State::ongoing);
    EXPECT_EQ(row(token.producerId)->openSince, 2) << "behind the marker";
}

TEST_P(EpochTable, Commit) {
    const FencingToken token = mint(member);
    for (int commits = 1; commits <= 3; ++commits) {
        open(member);
        end(member, true);
        expectDescribed(plus(token, commits * moved()), State::completeCommit);
        EXPECT_EQ(member.current(), plus(token, commits * moved()))
            << "the client goes on with the pair it was told";
        EXPECT_EQ(member.minted(), token);
        EXPECT_EQ(row(token.producerId)->producer, plus(token, commits * moved()));
    }
}

TEST_P(EpochTable, MarkersReachThePartitionBeforeTheCommitIsComplete) {
    const FencingToken token = mint(member);
    open(member);
    ASSERT_TRUE(member.end(state, true));
    expectDescribed(plus(token, moved()), State::prepareCommit);
    EXPECT_EQ(state.log(kPartition).lastStableOffset(), 0);
    ASSERT_TRUE(state.advance(kId, kNow));
    expectDescribed(plus(token, moved()), State::prepareCommit);
    EXPECT_EQ(state.log(kPartition).lastStableOffset(), 2);
    ASSERT_TRUE(state.advance(kId, kNow));
    expectDescribed(plus(token, moved()), State::completeCommit);
    EXPECT_FALSE(state.advance(kId, kNow));
}

TEST_P(EpochTable, AbortByTheClient) {
    const FencingToken token = mint(member);
    open(member);
    end(member, false);
    expectDescribed(plus(token, moved()), State::completeAbort);
    EXPECT_EQ(row(token.producerId)->producer, plus(token, moved()));
    open(member);
    end(member, true);
    expectDescribed(plus(token, 2 * moved()), State::completeCommit);
}

TEST_P(EpochTable, AbortByTheCoordinatorFencesTheWriter) {
    const FencingToken token = mint(member);
    open(member);
    EXPECT_TRUE(state.coordinator().timedOut(kNow + kTimeout - Millis{1}).empty());
    ASSERT_EQ(state.coordinator().timedOut(kNow + kTimeout), std::vector<std::string>{kId});
    ASSERT_TRUE(state.coordinator().fenceOpenTransaction(kId));
    settle();
    expectDescribed(plus(token, 1), State::completeAbort);
    EXPECT_TRUE(state.coordinator().timedOut(kNow + kTimeout).empty());
    const auto ended = member.end(state, true);
    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::fenced);
    EXPECT_EQ(ended.error().kafkaCode, 90);
    const auto begun = member.begin(state, kPartition, kNow);
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().kafkaCode, GetParam().moves ? 47 : 90);
}

TEST_P(EpochTable, ExhaustedByAMint) {
    const FencingToken first = mint(member);
    state.coordinator().setEpoch(kId, {first.producerId, 32765}, kTimeout);
    EXPECT_EQ(mint(member), (FencingToken{first.producerId, 32766}));
    const FencingToken rolled = mint(member);
    EXPECT_GT(rolled.producerId, first.producerId);
    EXPECT_EQ(rolled.producerEpoch, 0);
    expectDescribed(rolled, State::empty);
}

TEST_P(EpochTable, ACommitAtTheLastEpoch) {
    const FencingToken first = mint(member);
    state.coordinator().setEpoch(kId, {first.producerId, 32765}, kTimeout);
    const FencingToken last = mint(member);
    open(member);
    ASSERT_TRUE(member.end(state, true));
    EXPECT_EQ(described().state, State::prepareCommit);
    EXPECT_EQ(described().token.producerId, first.producerId);
    settle();
    if (GetParam().moves) {
        EXPECT_GT(described().token.producerId, first.producerId);
        EXPECT_EQ(described().token.producerEpoch, 0);
        EXPECT_EQ(described().state, State::completeCommit);
        EXPECT_EQ(row(first.producerId)->producer.producerEpoch, 32767) << "only a marker ever carries it";
        EXPECT_EQ(row(described().token.producerId), std::nullopt);
    } else {
        expectDescribed(last, State::completeCommit);
    }
    EXPECT_EQ(member.current(), described().token) << "the same leader goes on";
    EXPECT_EQ(member.minted(), last);
    open(member);
    end(member, true);
    EXPECT_EQ(described().state, State::completeCommit);
}

TEST_P(EpochTable, ATimeoutAtTheLastEpochThenAMint) {
    const FencingToken first = mint(member);
    state.coordinator().setEpoch(kId, {first.producerId, 32765}, kTimeout);
    (void)mint(member);
    open(member);
    ASSERT_TRUE(state.coordinator().fenceOpenTransaction(kId));
    settle();
    expectDescribed({first.producerId, 32767}, State::completeAbort);
    const FencingToken next = mint(member);
    EXPECT_GT(next.producerId, first.producerId);
    EXPECT_EQ(next.producerEpoch, 0);
}

TEST_P(EpochTable, AnExpiredId) {
    const FencingToken token = mint(member);
    open(member);
    end(member, true);
    state.coordinator().expire(kId);
    EXPECT_EQ(state.coordinator().find(kId), nullptr);
    const auto late = member.begin(state, kPartition, kNow);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().kafkaCode, 49);
    EXPECT_EQ(late.error().code, ErrorCode::idExpired);
    EXPECT_FALSE(late.error().fenced);
    EXPECT_EQ(row(token.producerId)->producer, plus(token, moved())) << "the partition remembers";
    ProducerSession other = session();
    const FencingToken next = mint(other);
    EXPECT_GT(next.producerId, token.producerId);
    EXPECT_EQ(next.producerEpoch, 0);
    EXPECT_EQ(member.begin(state, kPartition, kNow).error().kafkaCode, 49);
}

INSTANTIATE_TEST_SUITE_P(Columns, EpochTable,
                         testing::Values(Column{"Tv0", 0, ClientKind::endTxnV5, false},
                                         Column{"Tv1", 1, ClientKind::endTxnV5, false},
                                         Column{"Tv2Older", 2, ClientKind::older, false},
                                         Column{"Tv1Older", 1, ClientKind::older, false},
                                         Column{"Tv2V5", 2, ClientKind::endTxnV5, true}),
                         [](const auto& param) { return param.param.name; });

} // namespace
} // namespace bellwether::sandbox
