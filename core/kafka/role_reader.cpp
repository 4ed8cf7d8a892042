// SPDX-License-Identifier: Apache-2.0
#include "kafka/role_reader.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "coordination/role_partition.h"

namespace bellwether::kafka {
namespace {

constexpr std::size_t kBatch = 10'000;
constexpr Millis kSlice{100};

/// Records of the role that do not decode, by key. A newer record of the same key takes their place, as it
/// will in the compacted topic.
using Refused = std::map<std::string, Error>;

void take(const ConsumedRecord& record, const Role& role, Place place,
          std::vector<CoordinationEntry>& entries, Refused& refused) {
    const auto key = decodeKey(record.key);
    if (!key || key->role != role) {
        return;
    }
    auto decoded = decodeRecord(record.key, record.value);
    if (!decoded) {
        place.offset = record.position.offset;
        Error error;
        error.code = ErrorCode::undecodable;
        error.what = fmt::format("{}: {}", decoded.error().part, decoded.error().what);
        error.where = place.text();
        error.hint = "find out who wrote it; a newer record of the same key "
                     "heals the role";
        refused.insert_or_assign(*record.key, std::move(error));
        return;
    }
    refused.erase(*record.key);
    entries.push_back({std::move(*decoded), record.position});
}

Error incomplete(std::int64_t reached, const PartitionBounds& bounds, const Place& place,
                 const Error* trouble) {
    Error error;
    error.code = ErrorCode::incompleteRead;
    error.what =
        fmt::format("incomplete read, {} of {}", reached - bounds.beginning, bounds.end - bounds.beginning);
    if (trouble != nullptr) {
        error.what += fmt::format(": {}", trouble->what);
        error.hint = trouble->hint;
        error.kafkaCode = trouble->kafkaCode;
    }
    if (error.hint.empty()) {
        error.hint = "read again; check that the partition's leader is up";
    }
    error.where = place.text();
    error.retriable = true;
    return error;
}

} // namespace

Result<std::vector<CoordinationEntry>> readRole(LogConsumer& consumer, const Role& role,
                                                const std::string& bootstrap, const std::string& topic,
                                                const std::function<Millis()>& remaining) {
    Place place{bootstrap, topic, {}, {}, role.str()};
    const auto count = consumer.partitionCount(remaining());
    if (!count) {
        return fail(count.error());
    }
    const auto partition = rolePartition(role, *count);
    place.partition = partition;
    const auto asked = consumer.bounds({partition}, remaining());
    if (!asked) {
        return fail(asked.error());
    }
    if (asked->size() != 1 || asked->front().partition != partition) {
        return fail(ErrorCode::protocol, "the brokers gave no offsets for the partition", place.text(),
                    "read again");
    }
    const auto bounds = asked->front();
    std::vector<CoordinationEntry> entries;
    if (bounds.beginning >= bounds.end) {
        return entries;
    }
    if (auto done = consumer.assign({{partition, bounds.beginning}}); !done) {
        return fail(std::move(done.error()));
    }
    auto reached = bounds.beginning;
    Refused refused;
    std::optional<Error> trouble;
    const auto finish = [&](Result<std::vector<CoordinationEntry>> result) {
        // Stop fetching until the next read; a failure to stop changes nothing of what was read.
        static_cast<void>(consumer.assign({}));
        return result;
    };
    while (reached < bounds.end) {
        const auto left = remaining();
        if (left <= Millis{0}) {
            return finish(fail(incomplete(reached, bounds, place, trouble ? &*trouble : nullptr)));
        }
        auto batch = consumer.poll(std::min(left, kSlice), kBatch);
        if (!batch) {
            return finish(fail(std::move(batch.error())));
        }
        for (const auto& record : batch->records) {
            // What was appended after the call began is left for the next read.
            if (record.position.partition != partition || record.position.offset >= bounds.end) {
                reached = record.position.partition == partition ? bounds.end : reached;
                continue;
            }
            take(record, role, place, entries, refused);
            reached = record.position.offset + 1;
        }
        for (const auto& end : batch->reachedEnd) {
            if (end.partition == partition) {
                reached = std::max(reached, end.offset);
            }
        }
        if (!batch->troubles.empty()) {
            trouble = batch->troubles.back();
        }
    }
    if (!refused.empty()) {
        return finish(fail(std::move(refused.begin()->second)));
    }
    return finish(std::move(entries));
}

} // namespace bellwether::kafka
