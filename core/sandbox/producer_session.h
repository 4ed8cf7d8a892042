// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sandbox/cluster_state.h"

namespace bellwether::sandbox {

/// A transactional producer's side of the protocol: the pair it minted and the pair it goes on with. Each
/// call is one request to the cluster. A value, like ClusterState.
class ProducerSession {
public:
    ProducerSession(std::string transactionalId, ClientKind kind)
        : id_(std::move(transactionalId))
        , kind_(kind) {}

    /// InitProducerId. busy while the coordinator ends a transaction: advance it and call again.
    [[nodiscard]] Result<void> mint(ClusterState& cluster, Millis timeout);
    /// Makes the partition part of the transaction: AddPartitionsToTxn of an older client, or what the
    /// partition leader does for a v5 client's first write. The transaction is open from here on.
    [[nodiscard]] Result<void> begin(ClusterState& cluster, std::int32_t partition, WallTime now);
    [[nodiscard]] Result<std::int64_t> write(ClusterState& cluster, std::int32_t partition,
                                             std::optional<std::string> key, std::optional<std::string> value,
                                             WallTime now);
    /// EndTxn; afterwards the coordinator has markers to write (ClusterState::advance).
    [[nodiscard]] Result<void> end(ClusterState& cluster, bool commit);

    [[nodiscard]] const std::string& id() const noexcept { return id_; }

    [[nodiscard]] FencingToken minted() const noexcept { return minted_; }

    [[nodiscard]] FencingToken current() const noexcept { return current_; }

    /// This side believes a transaction to be open.
    [[nodiscard]] bool isOpen() const noexcept { return open_; }

    bool operator==(const ProducerSession&) const = default;

private:
    std::string id_;
    ClientKind kind_;
    FencingToken minted_;
    FencingToken current_;
    bool open_ = false;
};

} // namespace bellwether::sandbox
