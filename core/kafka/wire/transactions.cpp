// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/message_codec.h"

namespace bellwether::kafka::wire {
namespace {

template<typename Io>
void partitionIndex(Io& io, std::int32_t& index) {
    io.i32("Partitions", index);
}

template<typename Io>
void text(Io& io, std::string& value) {
    io.string("(element)", value);
}

template<typename Io>
void fields(Io& io, DescribeTransactionsRequest& m, std::int16_t) {
    io.array("TransactionalIds", m.transactionalIds, text<Io>);
    io.tagged();
}

template<typename Io>
void fields(Io& io, DescribeTransactionsResponse& m, std::int16_t) {
    io.i32("ThrottleTimeMs", m.throttleTimeMs);
    io.array("TransactionStates", m.states, [](Io& each, DescribeTransactionsResponse::State& s) {
        each.i16("TransactionStates.ErrorCode", s.errorCode);
        each.string("TransactionStates.TransactionalId", s.transactionalId);
        each.string("TransactionStates.TransactionState", s.state);
        each.i32("TransactionStates.TransactionTimeoutMs", s.timeoutMs);
        each.i64("TransactionStates.TransactionStartTimeMs", s.startTimeMs);
        each.i64("TransactionStates.ProducerId", s.producerId);
        each.i16("TransactionStates.ProducerEpoch", s.producerEpoch);
        each.array("TransactionStates.Topics", s.topics, [](Io& io2, DescribeTransactionsResponse::Topic& t) {
            io2.string("TransactionStates.Topics.Topic", t.name);
            io2.array("TransactionStates.Topics.Partitions", t.partitions, partitionIndex<Io>);
            io2.tagged();
        });
        each.tagged();
    });
    io.tagged();
}

template<typename Io>
void fields(Io& io, DescribeProducersRequest& m, std::int16_t) {
    io.array("Topics", m.topics, [](Io& each, DescribeProducersRequest::Topic& t) {
        each.string("Topics.Name", t.name);
        each.array("Topics.PartitionIndexes", t.partitions, partitionIndex<Io>);
        each.tagged();
    });
    io.tagged();
}

template<typename Io>
void producer(Io& io, DescribeProducersResponse::Producer& p) {
    io.i64("ActiveProducers.ProducerId", p.producerId);
    io.i32("ActiveProducers.ProducerEpoch", p.producerEpoch);
    io.i32("ActiveProducers.LastSequence", p.lastSequence);
    io.i64("ActiveProducers.LastTimestamp", p.lastTimestamp);
    io.i32("ActiveProducers.CoordinatorEpoch", p.coordinatorEpoch);
    io.i64("ActiveProducers.CurrentTxnStartOffset", p.transactionStartOffset);
    io.tagged();
}

template<typename Io>
void producersOfPartition(Io& io, DescribeProducersResponse::Partition& p) {
    io.i32("Topics.Partitions.PartitionIndex", p.index);
    io.i16("Topics.Partitions.ErrorCode", p.errorCode);
    io.nullableString("Topics.Partitions.ErrorMessage", p.errorMessage);
    io.array("Topics.Partitions.ActiveProducers", p.producers, producer<Io>);
    io.tagged();
}

template<typename Io>
void fields(Io& io, DescribeProducersResponse& m, std::int16_t) {
    io.i32("ThrottleTimeMs", m.throttleTimeMs);
    io.array("Topics", m.topics, [](Io& each, DescribeProducersResponse::Topic& t) {
        each.string("Topics.Name", t.name);
        each.array("Topics.Partitions", t.partitions, producersOfPartition<Io>);
        each.tagged();
    });
    io.tagged();
}

template<typename Io>
void fields(Io& io, ListTransactionsRequest& m, std::int16_t version) {
    io.array("StateFilters", m.states, text<Io>);
    io.array("ProducerIdFilters", m.producerIds,
             [](Io& each, std::int64_t& id) { each.i64("ProducerIdFilters", id); });
    if (version >= 1) {
        io.i64("DurationFilter", m.durationMs);
    }
    io.tagged();
}

template<typename Io>
void fields(Io& io, ListTransactionsResponse& m, std::int16_t) {
    io.i32("ThrottleTimeMs", m.throttleTimeMs);
    io.i16("ErrorCode", m.errorCode);
    io.array("UnknownStateFilters", m.unknownStateFilters, text<Io>);
    io.array("TransactionStates", m.states, [](Io& each, ListTransactionsResponse::State& s) {
        each.string("TransactionStates.TransactionalId", s.transactionalId);
        each.i64("TransactionStates.ProducerId", s.producerId);
        each.string("TransactionStates.TransactionState", s.state);
        each.tagged();
    });
    io.tagged();
}

} // namespace

BELLWETHER_WIRE_MESSAGE(DescribeTransactionsRequest)
BELLWETHER_WIRE_MESSAGE(DescribeTransactionsResponse)
BELLWETHER_WIRE_MESSAGE(DescribeProducersRequest)
BELLWETHER_WIRE_MESSAGE(DescribeProducersResponse)
BELLWETHER_WIRE_MESSAGE(ListTransactionsRequest)
BELLWETHER_WIRE_MESSAGE(ListTransactionsResponse)

} // namespace bellwether::kafka::wire
