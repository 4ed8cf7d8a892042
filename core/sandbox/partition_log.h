// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordination/evidence.h"
#include "ports/log_consumer.h"

namespace bellwether::sandbox {

/// One partition: records, control markers, open transactions. Every replica is in sync at once, so the high
/// watermark is the end. A value without threads or clocks. Source: KIP-98 (markers, last stable offset),
/// KIP-664 (producers).
class PartitionLog {
public:
    explicit PartitionLog(std::int32_t partition = 0)
        : partition_(partition) {}

    /// A plain record; `producer` is set for an idempotent one.
    std::int64_t append(std::optional<FencingToken> producer, std::optional<std::string> key,
                        std::optional<std::string> value, WallTime now);
    /// A record of a transaction; nothing when the partition has seen a newer epoch of the producer (error
    /// 47).
    [[nodiscard]] std::optional<std::int64_t> appendTransactional(FencingToken producer,
                                                                  std::optional<std::string> key,
                                                                  std::optional<std::string> value,
                                                                  WallTime now);
    /// A control marker: takes an offset, ends the producer's open transaction here, moves its epoch.
    void appendMarker(FencingToken producer, bool commit, WallTime now);

    [[nodiscard]] std::int64_t beginning() const noexcept { return 0; }

    [[nodiscard]] std::int64_t highWatermark() const noexcept { return next_; }

    /// First offset of the oldest open transaction, else the high watermark.
    [[nodiscard]] std::int64_t lastStableOffset() const noexcept;
    [[nodiscard]] std::int64_t end(Isolation isolation) const noexcept;

    /// Up to `maxRecords` records from `from` on, as that reader sees them; `from` moves behind what was read
    /// or skipped (markers, aborted records, holes), at most to end(isolation).
    [[nodiscard]] std::vector<ConsumedRecord> read(Isolation isolation, std::int64_t& from,
                                                   std::size_t maxRecords) const;
    /// DescribeProducers: one row per producerId seen.
    [[nodiscard]] std::vector<PartitionProducer> producers() const;
    /// See SandboxCluster::compact.
    void compact();

    bool operator==(const PartitionLog&) const = default;

private:
    struct Entry {
        std::int64_t offset = 0;
        std::optional<FencingToken> producer;
        bool transactional = false;
        bool marker = false;
        bool aborted = false;
        std::optional<std::string> key;
        std::optional<std::string> value;
        WallTime timestamp{};
        bool operator==(const Entry&) const = default;
    };

    struct ProducerEntry {
        std::int16_t epoch = -1;
        std::optional<std::int64_t> openSince;
        WallTime lastTimestamp{};
        bool operator==(const ProducerEntry&) const = default;
    };

    std::int64_t push(Entry entry);

    std::int32_t partition_;
    std::int64_t next_ = 0;
    std::vector<Entry> entries_; ///< by offset; compaction leaves holes
    std::map<std::int64_t, ProducerEntry> producers_;
};

} // namespace bellwether::sandbox
