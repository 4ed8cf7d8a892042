// SPDX-License-Identifier: Apache-2.0
#include "sandbox/transaction_coordinator.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "sandbox/transaction_states.h"

namespace bellwether::sandbox {
namespace {

/// The next epoch. The one beyond lastEpoch exists only inside the coordinator, as Kafka's 32767 does.
FencingToken bumped(FencingToken token) {
    if (token.producerEpoch < std::numeric_limits<std::int16_t>::max()) {
        token.producerEpoch = static_cast<std::int16_t>(token.producerEpoch + 1);
    }
    return token;
}

std::string place(const std::string& id) {
    return fmt::format("transactional.id {}", id);
}

} // namespace

void TransactionCoordinator::enter(TransactionalId& entry, TransactionState to) const {
    if (!isLegalTransition(entry.state, to)) {
        throw std::logic_error(
            fmt::format("no transition from {} to {}", toString(entry.state), toString(to)));
    }
    entry.state = to;
}

const TransactionalId* TransactionCoordinator::find(const std::string& id) const {
    const auto found = ids_.find(id);
    return found == ids_.end() ? nullptr : &found->second;
}

Result<TransactionalId*> TransactionCoordinator::owned(const std::string& id, FencingToken token,
                                                       BrokerCode fence) {
    const auto found = ids_.find(id);
    if (found == ids_.end() || found->second.token.producerId != token.producerId) {
        return fail(brokerError(BrokerCode::invalidProducerIdMapping, place(id)));
    }
    if (found->second.token.producerEpoch != token.producerEpoch) {
        return fail(brokerError(fence, place(id)));
    }
    return &found->second;
}

Result<FencingToken> TransactionCoordinator::initProducerId(const std::string& id, Millis timeout) {
    const auto found = ids_.find(id);
    if (found == ids_.end()) {
        TransactionalId entry;
        entry.token = allocateProducer();
        entry.timeout = timeout;
        return ids_.emplace(id, std::move(entry)).first->second.token;
    }
    TransactionalId& entry = found->second;
    if (fenceOpenTransaction(id) || isInFlight(entry.state)) {
        return fail(brokerError(BrokerCode::concurrentTransactions, place(id)));
    }
    enter(entry, TransactionState::empty);
    entry.timeout = timeout;
    entry.token = entry.token.producerEpoch >= lastEpoch_ ? allocateProducer() : bumped(entry.token);
    return entry.token;
}

Result<void> TransactionCoordinator::addPartition(const std::string& id, FencingToken token,
                                                  std::int32_t partition, WallTime now, BrokerCode fence) {
    const auto entry = owned(id, token, fence);
    if (!entry) {
        return fail(entry.error());
    }
    TransactionalId& owner = **entry;
    if (isInFlight(owner.state) && owner.state != TransactionState::ongoing) {
        return fail(brokerError(BrokerCode::concurrentTransactions, place(id)));
    }
    if (owner.state != TransactionState::ongoing) {
        owner.start = now;
    }
    enter(owner, TransactionState::ongoing);
    owner.partitions.insert(partition);
    return {};
}

Result<void> TransactionCoordinator::verify(const std::string& id, FencingToken token,
                                            std::int32_t partition) const {
    const TransactionalId* entry = find(id);
    if (entry == nullptr || entry->token.producerId != token.producerId) {
        return fail(brokerError(BrokerCode::invalidProducerIdMapping, place(id)));
    }
    if (entry->token.producerEpoch != token.producerEpoch) {
        return fail(brokerError(BrokerCode::invalidProducerEpoch, place(id)));
    }
    if (entry->state != TransactionState::ongoing || !entry->partitions.contains(partition)) {
        return fail(brokerError(BrokerCode::invalidTxnState, place(id)));
    }
    return {};
}

Result<FencingToken> TransactionCoordinator::prepareEnd(const std::string& id, FencingToken token,
                                                        bool commit, bool movesEpoch) {
    const auto entry = owned(id, token, BrokerCode::producerFenced);
    if (!entry) {
        return fail(entry.error());
    }
    TransactionalId& owner = **entry;
    if (owner.state != TransactionState::ongoing) {
        return fail(brokerError(isInFlight(owner.state) ? BrokerCode::concurrentTransactions
                                                        : BrokerCode::invalidTxnState,
                                place(id)));
    }
    enter(owner, commit ? TransactionState::prepareCommit : TransactionState::prepareAbort);
    if (movesEpoch) {
        if (owner.token.producerEpoch >= lastEpoch_) {
            owner.rollover = allocateProducer();
        }
        owner.token = bumped(owner.token);
    }
    return owner.rollover.value_or(owner.token);
}

bool TransactionCoordinator::fenceOpenTransaction(const std::string& id) {
    const auto found = ids_.find(id);
    if (found == ids_.end() || found->second.state != TransactionState::ongoing) {
        return false;
    }
    enter(found->second, TransactionState::prepareEpochFence);
    found->second.token = bumped(found->second.token);
    return true;
}

bool TransactionCoordinator::leaveEpochFence(const std::string& id) {
    const auto found = ids_.find(id);
    if (found == ids_.end() || found->second.state != TransactionState::prepareEpochFence) {
        return false;
    }
    enter(found->second, TransactionState::prepareAbort);
    return true;
}

std::optional<PendingMarkers> TransactionCoordinator::pendingMarkers(const std::string& id) const {
    const TransactionalId* entry = find(id);
    if (entry == nullptr || entry->partitions.empty() ||
        (entry->state != TransactionState::prepareCommit && entry->state != TransactionState::prepareAbort)) {
        return std::nullopt;
    }
    return PendingMarkers{entry->token, entry->state == TransactionState::prepareCommit, entry->partitions};
}

void TransactionCoordinator::markersWritten(const std::string& id) {
    ids_.at(id).partitions.clear();
}

bool TransactionCoordinator::complete(const std::string& id) {
    const auto found = ids_.find(id);
    if (found == ids_.end()) {
        return false;
    }
    TransactionalId& entry = found->second;
    if (entry.state == TransactionState::prepareCommit) {
        enter(entry, TransactionState::completeCommit);
    } else if (entry.state == TransactionState::prepareAbort) {
        enter(entry, TransactionState::completeAbort);
    } else {
        return false;
    }
    entry.token = entry.rollover.value_or(entry.token);
    entry.rollover.reset();
    return true;
}

std::vector<std::string> TransactionCoordinator::timedOut(WallTime now) const {
    std::vector<std::string> late;
    for (const auto& [id, entry] : ids_) {
        if (entry.state == TransactionState::ongoing && entry.start &&
            saturatingAdd(*entry.start, entry.timeout) <= now) {
            late.push_back(id);
        }
    }
    return late;
}

void TransactionCoordinator::expire(const std::string& id) {
    if (const auto found = ids_.find(id); found != ids_.end()) {
        enter(found->second, TransactionState::dead);
        ids_.erase(found);
    }
}

void TransactionCoordinator::setEpoch(const std::string& id, FencingToken token, Millis timeout) {
    const auto [found, isNew] = ids_.try_emplace(id);
    if (isNew) {
        found->second.timeout = timeout;
    }
    found->second.token = token;
    nextProducerId_ = std::max(nextProducerId_, token.producerId + 1);
}

} // namespace bellwether::sandbox
