// SPDX-License-Identifier: Apache-2.0
#include "sandbox/partition_log.h"

#include <algorithm>
#include <map>
#include <utility>

namespace bellwether::sandbox {

std::int64_t PartitionLog::push(Entry entry) {
    entry.offset = next_++;
    entries_.push_back(std::move(entry));
    return next_ - 1;
}

std::int64_t PartitionLog::append(std::optional<FencingToken> producer, std::optional<std::string> key,
                                  std::optional<std::string> value, WallTime now) {
    if (producer) {
        ProducerEntry& state = producers_[producer->producerId];
        state.epoch = producer->producerEpoch;
        state.lastTimestamp = now;
    }
    Entry entry;
    entry.producer = producer;
    entry.key = std::move(key);
    entry.value = std::move(value);
    entry.timestamp = now;
    return push(std::move(entry));
}

std::optional<std::int64_t> PartitionLog::appendTransactional(FencingToken producer,
                                                              std::optional<std::string> key,
                                                              std::optional<std::string> value,
                                                              WallTime now) {
    ProducerEntry& state = producers_[producer.producerId];
    if (producer.producerEpoch < state.epoch) {
        return std::nullopt;
    }
    state.epoch = producer.producerEpoch;
    state.lastTimestamp = now;
    if (!state.openSince) {
        state.openSince = next_;
    }
    Entry entry;
    entry.producer = producer;
    entry.transactional = true;
    entry.key = std::move(key);
    entry.value = std::move(value);
    entry.timestamp = now;
    return push(std::move(entry));
}

void PartitionLog::appendMarker(FencingToken producer, bool commit, WallTime now) {
    ProducerEntry& state = producers_[producer.producerId];
    if (!commit && state.openSince) {
        for (auto entry = entries_.rbegin(); entry != entries_.rend() && entry->offset >= *state.openSince;
             ++entry) {
            entry->aborted = entry->aborted || (entry->transactional && !entry->marker &&
                                                entry->producer->producerId == producer.producerId);
        }
    }
    state.epoch = producer.producerEpoch;
    state.openSince.reset();
    state.lastTimestamp = now;
    Entry marker;
    marker.producer = producer;
    marker.transactional = true;
    marker.marker = true;
    marker.timestamp = now;
    push(std::move(marker));
}

std::int64_t PartitionLog::lastStableOffset() const noexcept {
    std::int64_t stable = next_;
    for (const auto& [id, state] : producers_) {
        stable = std::min(stable, state.openSince.value_or(next_));
    }
    return stable;
}

std::int64_t PartitionLog::end(Isolation isolation) const noexcept {
    return isolation == Isolation::readCommitted ? lastStableOffset() : highWatermark();
}

std::vector<ConsumedRecord> PartitionLog::read(Isolation isolation, std::int64_t& from,
                                               std::size_t maxRecords) const {
    std::vector<ConsumedRecord> records;
    const std::int64_t limit = end(isolation);
    auto entry = std::lower_bound(entries_.begin(), entries_.end(), from,
                                  [](const Entry& e, std::int64_t offset) { return e.offset < offset; });
    for (; entry != entries_.end() && entry->offset < limit; ++entry) {
        if (records.size() == maxRecords) {
            from = entry->offset;
            return records;
        }
        if (entry->marker || (entry->aborted && isolation == Isolation::readCommitted)) {
            continue;
        }
        records.push_back({{partition_, entry->offset, entry->timestamp, TimestampType::logAppendTime},
                           entry->key,
                           entry->value});
    }
    from = std::max(from, limit);
    return records;
}

std::vector<PartitionProducer> PartitionLog::producers() const {
    std::vector<PartitionProducer> rows;
    rows.reserve(producers_.size());
    for (const auto& [id, state] : producers_) {
        if (state.epoch >= 0) {
            rows.push_back({{id, state.epoch}, state.openSince, state.lastTimestamp});
        }
    }
    return rows;
}

void PartitionLog::compact() {
    const std::int64_t limit = lastStableOffset();
    std::map<std::string, std::int64_t> newest;
    for (const Entry& entry : entries_) {
        if (entry.offset < limit && !entry.marker && !entry.aborted && entry.key) {
            newest[*entry.key] = entry.offset;
        }
    }
    // The newest entry stays whatever it is, as the cleaner never touches the active segment's end; a marker
    // before it goes with the records it decided, whose fate is kept in the records themselves.
    std::erase_if(entries_, [&](const Entry& entry) {
        if (entry.offset >= limit || entry.offset == next_ - 1) {
            return false;
        }
        return entry.marker || entry.aborted || !entry.key || newest.at(*entry.key) != entry.offset;
    });
}

} // namespace bellwether::sandbox
