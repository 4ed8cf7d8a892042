// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/partition_log.h"
#include "sandbox/sandbox_cluster.h"
#include "sandbox/transaction_coordinator.h"

namespace bellwether::sandbox {

/// Everything the brokers hold: the coordinator's table and the topic's partitions. A value; each call is one
/// step that is atomic in a real cluster too. What a real cluster does in several steps is several calls
/// here.
class ClusterState {
public:
    explicit ClusterState(const SandboxOptions& options);

    [[nodiscard]] std::int32_t partitionCount() const noexcept {
        return static_cast<std::int32_t>(logs_.size());
    }

    [[nodiscard]] bool hasPartition(std::int32_t partition) const noexcept {
        return partition >= 0 && partition < partitionCount();
    }

    [[nodiscard]] PartitionLog& log(std::int32_t partition) { return logs_.at(index(partition)); }

    [[nodiscard]] const PartitionLog& log(std::int32_t partition) const { return logs_.at(index(partition)); }

    [[nodiscard]] TransactionCoordinator& coordinator() noexcept { return coordinator_; }

    [[nodiscard]] const TransactionCoordinator& coordinator() const noexcept { return coordinator_; }

    /// Whether a client of this kind moves the epoch by its commits and aborts on this cluster.
    [[nodiscard]] bool movesEpoch(ClientKind kind) const noexcept {
        return kind == ClientKind::endTxnV5 && transactionVersion_ >= 2;
    }

    /// A transactional Produce: the leader verifies the transaction with the coordinator, then appends.
    [[nodiscard]] Result<std::int64_t> produce(const std::string& id, FencingToken token,
                                               std::int32_t partition, std::optional<std::string> key,
                                               std::optional<std::string> value, WallTime now);
    /// One step of the completion of a prepared transaction, which the coordinator does by itself; false when
    /// there is none to do. Markers reach the partitions in a step before the one that says CompleteCommit or
    /// CompleteAbort.
    bool advance(const std::string& id, WallTime now);
    /// The coordinator aborts an open transaction and completes whatever is pending.
    void settle(const std::string& id, WallTime now);

    bool operator==(const ClusterState&) const = default;

private:
    static std::size_t index(std::int32_t partition) { return static_cast<std::size_t>(partition); }

    std::int16_t transactionVersion_;
    TransactionCoordinator coordinator_;
    std::vector<PartitionLog> logs_;
};

} // namespace bellwether::sandbox
