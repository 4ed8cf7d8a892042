// SPDX-License-Identifier: Apache-2.0
#include "feed/pinned_partitions.h"

#include <algorithm>
#include <set>

namespace bellwether::feed {

namespace {

std::vector<PartitionProducer> openOf(const PartitionRound& round) {
    std::vector<PartitionProducer> open;
    if (round.producers) {
        std::copy_if(round.producers->begin(), round.producers->end(), std::back_inserter(open),
                     [](const auto& row) { return row.openSince.has_value(); });
        std::sort(open.begin(), open.end(),
                  [](const auto& a, const auto& b) { return *a.openSince < *b.openSince; });
    }
    return open;
}

} // namespace

/// The oldest open transaction; without one the offset that is stood at.
PinnedPartitions::Key PinnedPartitions::keyOf(const PartitionRound& round) {
    const auto open = openOf(round);
    return open.empty() ? Key{-1, round.lastStableOffset}
                        : Key{open.front().producer.producerId, *open.front().openSince};
}

void PinnedPartitions::note(PartitionRound round, SteadyTime now, WallTime wall) {
    if (round.lastStableOffset >= round.highWatermark) {
        partitions_.erase(round.partition);
        return;
    }
    const auto [at, fresh] = partitions_.try_emplace(round.partition);
    auto& kept = at->second;
    if (!round.producers && !fresh && kept.round.lastStableOffset == round.lastStableOffset) {
        round.producers = kept.round.producers; // who holds it has not changed
    }
    if (fresh || keyOf(round) != keyOf(kept.round)) {
        kept.since = now;
        kept.sinceWall = wall;
    }
    std::map<Key, SteadyTime> seen;
    for (const auto& row : openOf(round)) {
        const Key key{row.producer.producerId, *row.openSince};
        const auto before = kept.firstSeen.find(key);
        seen.emplace(key, before == kept.firstSeen.end() ? now : before->second);
    }
    kept.firstSeen = std::move(seen);
    kept.round = std::move(round);
}

std::vector<std::int64_t> PinnedPartitions::toBeListed(SteadyTime now, const KnownIds& known) {
    std::set<std::int64_t> open;
    for (const auto& [number, partition] : partitions_) {
        for (const auto& [key, since] : partition.firstSeen) {
            if (now - since >= kPatience) {
                open.insert(key.first);
            }
        }
    }
    std::erase_if(listings_, [&](const auto& each) { return !open.contains(each.first); });
    std::vector<std::int64_t> asked;
    for (const auto id : open) {
        const auto before = listings_.find(id);
        const bool due = before == listings_.end() || now - before->second.askedAt >= kListAgain;
        if (due && !known(id)) {
            listings_[id].askedAt = now;
            asked.push_back(id);
        }
    }
    return asked;
}

void PinnedPartitions::listed(const TransactionListing& listing) {
    for (const auto& each : listing.found) {
        if (const auto found = listings_.find(each.producerId); found != listings_.end()) {
            found->second.found = each;
        }
    }
}

OpenTransaction PinnedPartitions::describe(const Partition& partition, const PartitionProducer& row,
                                           const KnownIds& known, const RoleTable& table) const {
    OpenTransaction open;
    open.producer = row.producer;
    open.startOffset = *row.openSince;
    const auto& waiting = table.waiting(partition.round.partition);
    if (const auto first = waiting.find(open.startOffset); first != waiting.end()) {
        open.role = first->second.role;
        open.member = first->second.member;
        open.firstRecordAt = first->second.timestamp;
    }
    const auto id = row.producer.producerId;
    const auto seen = partition.firstSeen.find({id, open.startOffset});
    if (const auto told = known(id)) {
        open.transactionalId = told->transactionalId;
        const auto& answer = told->answer;
        const bool same = answer.token == row.producer;
        if (answer.state == TransactionState::ongoing && same) {
            open.startedAt = answer.transactionStart;
            open.timeout = answer.transactionTimeout;
        }
        // Only an answer to a question that was asked after the transaction had been seen can say that.
        const bool after = seen != partition.firstSeen.end() && answer.askedAt > seen->second;
        open.hanging =
            after && (!isInFlight(answer.state) || (answer.state == TransactionState::ongoing && !same));
    } else if (const auto listing = listings_.find(id); listing != listings_.end() && listing->second.found) {
        open.transactionalId = listing->second.found->transactionalId;
        open.hanging = !isInFlight(listing->second.found->state);
    }
    return open;
}

std::int32_t PinnedPartitions::lately(SteadyTime now) const {
    return static_cast<std::int32_t>(
        std::count_if(partitions_.begin(), partitions_.end(),
                      [&](const auto& each) { return now - each.second.since < kPatience; }));
}

std::vector<PinnedLog> PinnedPartitions::view(SteadyTime now, const KnownIds& known,
                                              const RoleTable& table) const {
    std::vector<PinnedLog> logs;
    for (const auto& [number, partition] : partitions_) {
        if (now - partition.since < kPatience) {
            continue;
        }
        PinnedLog log;
        log.partition = number;
        log.lastStableOffset = partition.round.lastStableOffset;
        log.highWatermark = partition.round.highWatermark;
        log.seenSince = partition.sinceWall;
        for (const auto& row : openOf(partition.round)) {
            log.open.push_back(describe(partition, row, known, table));
        }
        std::set<std::string> names;
        const auto& waiting = table.waiting(number);
        for (auto each = waiting.lower_bound(log.lastStableOffset);
             each != waiting.end() && each->first < log.highWatermark; ++each) {
            ++log.records;
            if (each->second.role && names.insert(each->second.role->str()).second) {
                log.hidden.push_back(*each->second.role);
            }
        }
        log.recordsExact = table.next(Isolation::readUncommitted, number) >= log.highWatermark &&
                           waiting.size() < RoleTable::kMostWaiting;
        std::sort(log.hidden.begin(), log.hidden.end(),
                  [](const auto& a, const auto& b) { return compareNatural(a.str(), b.str()) < 0; });
        logs.push_back(std::move(log));
    }
    return logs;
}

} // namespace bellwether::feed
