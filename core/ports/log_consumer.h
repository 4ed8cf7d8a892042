// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordination/result.h"
#include "coordination/role_state.h"

namespace bellwether {

enum class Isolation { readCommitted, readUncommitted };

/// A raw record; nullopt is Kafka's null.
struct ConsumedRecord {
    RecordPosition position;
    std::optional<std::string> key;
    std::optional<std::string> value;
};

struct PartitionOffset {
    std::int32_t partition = 0;
    std::int64_t offset = 0;

    bool operator==(const PartitionOffset&) const = default;
};

/// First and next-to-be-written offsets of a partition at one isolation level: `end` is the last stable
/// offset for readCommitted, the high watermark for readUncommitted.
struct PartitionBounds {
    std::int32_t partition = 0;
    std::int64_t beginning = 0;
    std::int64_t end = 0;
};

struct PollBatch {
    std::vector<ConsumedRecord> records; ///< in offset order per partition
    /// Partitions whose end (at the consumer's isolation level) was reached, with the offset where the next
    /// record will stand. Reported also when only control records or compacted holes lie before it.
    std::vector<PartitionOffset> reachedEnd;
    /// Troubles that do not end the consumer (a broker away, an authorization failure on one partition).
    std::vector<Error> troubles;
};

/// Reads one topic, neutral of any client library, without a consumer group. Calls come from one thread at a
/// time; wakeUp() from any.
class LogConsumer {
public:
    virtual ~LogConsumer() = default;

    /// Partitions of the topic as the cluster says now. topicMissing when there is no such topic.
    [[nodiscard]] virtual Result<std::int32_t> partitionCount(Millis timeout) = 0;
    /// Replaces the assignment; reading starts at the given offsets.
    [[nodiscard]] virtual Result<void> assign(const std::vector<PartitionOffset>& start) = 0;
    /// Up to `maxRecords`; returns at once with what is there, or after `timeout` with nothing.
    [[nodiscard]] virtual Result<PollBatch> poll(Millis timeout, std::size_t maxRecords) = 0;
    /// Bounds at this consumer's isolation level, asked of the brokers now. A partition whose leader does not
    /// answer is missing from the result; an error only when none answers.
    [[nodiscard]] virtual Result<std::vector<PartitionBounds>>
    bounds(const std::vector<std::int32_t>& partitions, Millis timeout) = 0;
    /// Makes a poll() in progress return early.
    virtual void wakeUp() = 0;
    /// Never blocks for long, also with the brokers gone. Idempotent.
    virtual void close() = 0;
};

/// Opens consumers of the coordination topic at one isolation level.
using LogConsumerFactory = std::function<Result<std::unique_ptr<LogConsumer>>(Isolation)>;

} // namespace bellwether
