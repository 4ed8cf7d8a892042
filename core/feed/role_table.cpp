// SPDX-License-Identifier: Apache-2.0
#include "feed/role_table.h"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "coordination/role_partition.h"

namespace bellwether::feed {

RoleTable::RoleTable(std::int32_t partitions)
    : committed_(static_cast<std::size_t>(partitions), 0)
    , uncommitted_(static_cast<std::size_t>(partitions), 0)
    , liveFrom_(static_cast<std::size_t>(partitions), std::numeric_limits<std::int64_t>::max())
    , waiting_(static_cast<std::size_t>(partitions)) {}

void RoleTable::take(Isolation isolation, const PollBatch& batch, WallTime wall, SteadyTime now) {
    auto& positions = isolation == Isolation::readCommitted ? committed_ : uncommitted_;
    const auto advance = [&](std::int32_t partition, std::int64_t next) {
        const auto index = static_cast<std::size_t>(partition);
        if (partition >= 0 && index < positions.size()) {
            positions[index] = std::max(positions[index], next);
            auto& waiting = waiting_[index];
            waiting.erase(waiting.begin(), waiting.lower_bound(committed_[index]));
        }
    };
    for (const auto& record : batch.records) {
        takeOne(isolation, record, wall, now);
        if (isolation == Isolation::readUncommitted) {
            await(record);
        }
        advance(record.position.partition, record.position.offset + 1);
    }
    for (const auto& end : batch.reachedEnd) {
        advance(end.partition, end.offset);
    }
}

void RoleTable::takeOne(Isolation isolation, const ConsumedRecord& raw, WallTime wall, SteadyTime now) {
    const auto view = [](const std::optional<std::string>& bytes) {
        return bytes ? std::optional<std::string_view>(*bytes) : std::nullopt;
    };
    const auto& position = raw.position;
    const bool isCommitted = isolation == Isolation::readCommitted;
    const auto record = decodeRecord(view(raw.key), view(raw.value));
    if (!record) {
        if (isCommitted) {
            find(position, record.error().part, record.error().what);
        }
        const auto key = decodeKey(view(raw.key));
        if (key && key->kind == RecordKind::lease) {
            const auto home = rolePartition(key->role, partitions());
            entryOf(key->role).distrust({position, std::nullopt,
                                         record.error().part + ": " + record.error().what,
                                         position.partition != home},
                                        now);
        }
        return;
    }
    const auto& role = record->key.role;
    const auto ruled = rolePartition(role, partitions());
    if (ruled != position.partition) {
        if (isCommitted) {
            find(position, "partition",
                 fmt::format("misplaced record of role {}: the rule says partition {} of {}",
                             displayText(role.str()), ruled, partitions()));
        }
        if (const auto* lease = std::get_if<Lease>(&record->value)) {
            auto why = fmt::format("misplaced, the rule says partition {}", ruled);
            entryOf(role).distrust({position, lease->token, std::move(why), true}, now);
        }
        return;
    }
    if (isCommitted) {
        for (const auto& remark : record->remarks) {
            find(position, remark.part, remark.what);
        }
    }
    auto& entry = entryOf(role);
    if (isCommitted) {
        const bool live = position.offset >= liveFrom_[static_cast<std::size_t>(position.partition)];
        entry.committed(*record, position, wall, now, live);
    } else {
        entry.uncommitted(*record, position, now);
    }
}

void RoleTable::await(const ConsumedRecord& raw) {
    const auto partition = static_cast<std::size_t>(raw.position.partition);
    if (partition >= waiting_.size() || raw.position.offset < committed_[partition] ||
        waiting_[partition].size() >= kMostWaiting) {
        return;
    }
    const auto view = [](const std::optional<std::string>& bytes) {
        return bytes ? std::optional<std::string_view>(*bytes) : std::nullopt;
    };
    Waiting record;
    if (raw.position.timestampType != TimestampType::unknown) {
        record.timestamp = raw.position.timestamp;
    }
    if (const auto key = decodeKey(view(raw.key));
        key && rolePartition(key->role, partitions()) == raw.position.partition) {
        record.role = key->role;
        record.member = key->member;
        const auto whole = decodeRecord(view(raw.key), view(raw.value));
        if (const auto* lease = whole ? std::get_if<Lease>(&whole->value) : nullptr) {
            record.member = lease->member;
        }
    }
    waiting_[partition].emplace(raw.position.offset, std::move(record));
}

RoleEntry& RoleTable::entryOf(const Role& role) {
    return roles_.try_emplace(role.str(), role, rolePartition(role, partitions())).first->second;
}

std::int64_t RoleTable::next(Isolation isolation, std::int32_t partition) const {
    const auto& positions = isolation == Isolation::readCommitted ? committed_ : uncommitted_;
    return positions.at(static_cast<std::size_t>(partition));
}

void RoleTable::liveFrom(std::int32_t partition, std::int64_t offset) {
    liveFrom_.at(static_cast<std::size_t>(partition)) = offset;
}

std::int64_t RoleTable::readSince(const std::map<std::int32_t, std::int64_t>& beginnings) const {
    std::int64_t sum = 0;
    for (const auto& [partition, beginning] : beginnings) {
        sum += std::max<std::int64_t>(0, next(Isolation::readCommitted, partition) - beginning);
    }
    return sum;
}

void RoleTable::find(const RecordPosition& position, std::string part, std::string what) {
    findings_.push_back({position, std::move(part), std::move(what)});
    if (findings_.size() > kMostFindings) {
        findings_.pop_front();
    }
    ++findingsTotal_;
}

} // namespace bellwether::feed
