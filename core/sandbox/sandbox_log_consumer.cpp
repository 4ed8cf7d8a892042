// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox_log_consumer.h"

#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace bellwether::sandbox {

Result<std::int32_t> SandboxLogConsumer::partitionCount(Millis timeout) {
    auto lock = core_->lock();
    if (auto admitted = core_->admitMetadata(lock, realDeadline(timeout), [this] { return closed_.load(); });
        !admitted) {
        return fail(admitted.error());
    }
    if (core_->state().partitionCount() < 1) {
        return fail(brokerError(BrokerCode::unknownTopicOrPartition, core_->options().topic));
    }
    return core_->state().partitionCount();
}

Result<void> SandboxLogConsumer::assign(const std::vector<PartitionOffset>& start) {
    const auto lock = core_->lock();
    if (closed_) {
        return fail(closedError("the consumer was closed"));
    }
    std::map<std::int32_t, Position> positions;
    for (const PartitionOffset& place : start) {
        if (!core_->state().hasPartition(place.partition)) {
            return fail(brokerError(BrokerCode::unknownTopicOrPartition,
                                    fmt::format("{}[{}]", core_->options().topic, place.partition)));
        }
        // An offset out of range starts at the earliest, as auto.offset.reset=earliest does.
        const PartitionLog& log = core_->state().log(place.partition);
        const bool inRange = place.offset >= log.beginning() && place.offset <= log.highWatermark();
        positions[place.partition].next = inRange ? place.offset : log.beginning();
    }
    positions_ = std::move(positions);
    return {};
}

PollBatch SandboxLogConsumer::collect(std::size_t maxRecords) {
    PollBatch batch;
    if (positions_.empty()) {
        return batch;
    }
    auto turn = positions_.lower_bound(firstServed_);
    for (std::size_t served = 0; served < positions_.size(); ++served, ++turn) {
        if (turn == positions_.end()) {
            turn = positions_.begin();
        }
        auto& [partition, position] = *turn;
        const PartitionLog& log = core_->state().log(partition);
        auto records = log.read(isolation_, position.next, maxRecords - batch.records.size());
        std::move(records.begin(), records.end(), std::back_inserter(batch.records));
        const std::int64_t end = log.end(isolation_);
        if (position.next >= end && position.reportedEnd != end) {
            position.reportedEnd = end;
            batch.reachedEnd.push_back({partition, end});
        }
        if (batch.records.size() >= maxRecords) {
            firstServed_ = partition + 1;
            break;
        }
    }
    return batch;
}

Result<PollBatch> SandboxLogConsumer::poll(Millis timeout, std::size_t maxRecords) {
    const RealTime deadline = realDeadline(timeout);
    const auto cancelled = [this] { return closed_ || wakeUp_; };
    auto lock = core_->lock();
    while (true) {
        auto admitted = core_->admit(lock, SandboxCluster::Request::fetch, deadline, cancelled);
        if (closed_) {
            return fail(closedError("the consumer was closed"));
        }
        if (wakeUp_.exchange(false)) {
            return PollBatch{};
        }
        if (admitted) {
            PollBatch batch = collect(maxRecords);
            if (!batch.records.empty() || !batch.reachedEnd.empty()) {
                return batch;
            }
        } else if (admitted.error().code == ErrorCode::timeout) {
            return PollBatch{}; // silent brokers look like brokers without news
        } else if (admitted.error().code != ErrorCode::unreachable) {
            return fail(admitted.error());
        }
        if (!core_->waitForChange(lock, deadline) && std::chrono::steady_clock::now() >= deadline) {
            // The whole timeout without a broker is worth an error; a shorter gap is not.
            return admitted ? Result<PollBatch>(PollBatch{}) : fail(admitted.error());
        }
    }
}

Result<std::vector<PartitionBounds>> SandboxLogConsumer::bounds(const std::vector<std::int32_t>& partitions,
                                                                Millis timeout) {
    auto lock = core_->lock();
    if (auto admitted = core_->admitMetadata(lock, realDeadline(timeout), [this] { return closed_.load(); });
        !admitted) {
        return fail(admitted.error());
    }
    std::vector<PartitionBounds> bounds;
    for (const std::int32_t partition : partitions) {
        if (core_->state().hasPartition(partition)) {
            const PartitionLog& log = core_->state().log(partition);
            bounds.push_back({partition, log.beginning(), log.end(isolation_)});
        }
    }
    if (bounds.empty() && !partitions.empty()) {
        return fail(brokerError(BrokerCode::unknownTopicOrPartition, core_->options().topic));
    }
    return bounds;
}

void SandboxLogConsumer::wakeUp() {
    {
        const auto lock = core_->lock();
        wakeUp_ = true;
    }
    core_->notify();
}

void SandboxLogConsumer::close() {
    {
        const auto lock = core_->lock();
        closed_ = true;
    }
    core_->notify();
}

} // namespace bellwether::sandbox
