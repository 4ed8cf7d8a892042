// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "coordination/evidence.h"
#include "sandbox/broker_errors.h"

namespace bellwether::sandbox {

/// What the coordinator keeps of one transactional id.
struct TransactionalId {
    FencingToken token;
    TransactionState state = TransactionState::empty;
    Millis timeout{0};
    std::optional<WallTime> start; ///< left behind after the transaction, as brokers before 4.4 do
    std::set<std::int32_t> partitions;
    /// Set while a v5 commit or abort at the last epoch completes: the pair that follows.
    std::optional<FencingToken> rollover;

    bool operator==(const TransactionalId&) const = default;
};

/// The markers a prepared transaction still has to write.
struct PendingMarkers {
    FencingToken token; ///< the epoch the markers carry
    bool commit = false;
    std::set<std::int32_t> partitions;
};

/// The transaction coordinator's table: epochs, states, fences. A value without threads or clocks, so that a
/// test can copy a world and walk on from it. Source: KIP-98, KIP-360, KIP-890, and measurements on Kafka 3.9
/// to 4.4.
class TransactionCoordinator {
public:
    explicit TransactionCoordinator(std::int16_t lastEpoch = 32766)
        : lastEpoch_(lastEpoch) {}

    /// InitProducerId. Over an open transaction it moves the epoch, starts the abort and answers busy (51);
    /// so it does while a transaction is ending.
    [[nodiscard]] Result<FencingToken> initProducerId(const std::string& id, Millis timeout);
    /// AddPartitionsToTxn, by the client or on its behalf at the first write (KIP-890). `fence` is the code
    /// an old epoch meets: 90 at the coordinator, 47 when a partition leader asks.
    [[nodiscard]] Result<void> addPartition(const std::string& id, FencingToken token, std::int32_t partition,
                                            WallTime now, BrokerCode fence);
    /// What a partition leader verifies before it appends a transactional record.
    [[nodiscard]] Result<void> verify(const std::string& id, FencingToken token,
                                      std::int32_t partition) const;
    /// EndTxn up to PrepareCommit or PrepareAbort. Returns the pair the client goes on with. `movesEpoch`:
    /// EndTxn v5 on transaction.version 2.
    [[nodiscard]] Result<FencingToken> prepareEnd(const std::string& id, FencingToken token, bool commit,
                                                  bool movesEpoch);
    /// The coordinator's own abort: epoch + 1, so that the writer is fenced. False when nothing is open.
    bool fenceOpenTransaction(const std::string& id);

    /// Completion in three steps: leave PrepareEpochFence, write the markers (pendingMarkers,
    /// markersWritten), complete.
    [[nodiscard]] bool leaveEpochFence(const std::string& id);
    [[nodiscard]] std::optional<PendingMarkers> pendingMarkers(const std::string& id) const;
    void markersWritten(const std::string& id);
    [[nodiscard]] bool complete(const std::string& id);

    /// Nothing: error 105.
    [[nodiscard]] const TransactionalId* find(const std::string& id) const;

    [[nodiscard]] const std::map<std::string, TransactionalId>& ids() const noexcept { return ids_; }

    /// Open transactions whose timeout has passed.
    [[nodiscard]] std::vector<std::string> timedOut(WallTime now) const;
    /// Forgets an id at rest.
    void expire(const std::string& id);
    void setEpoch(const std::string& id, FencingToken token, Millis timeout);

    /// A producerId for a producer without a transactional id.
    [[nodiscard]] FencingToken allocateProducer() { return {nextProducerId_++, 0}; }

    bool operator==(const TransactionCoordinator&) const = default;

private:
    void enter(TransactionalId& entry, TransactionState to) const;
    [[nodiscard]] Result<TransactionalId*> owned(const std::string& id, FencingToken token, BrokerCode fence);

    std::int16_t lastEpoch_;
    std::int64_t nextProducerId_ = 1000;
    std::map<std::string, TransactionalId> ids_;
};

} // namespace bellwether::sandbox
