// SPDX-License-Identifier: Apache-2.0
#include "sandbox/cluster_state.h"

#include <utility>

#include <fmt/format.h>

namespace bellwether::sandbox {

ClusterState::ClusterState(const SandboxOptions& options)
    : transactionVersion_(options.transactionVersion)
    , coordinator_(options.lastEpoch) {
    for (std::int32_t partition = 0; partition < options.partitions; ++partition) {
        logs_.emplace_back(partition);
    }
}

Result<std::int64_t> ClusterState::produce(const std::string& id, FencingToken token, std::int32_t partition,
                                           std::optional<std::string> key, std::optional<std::string> value,
                                           WallTime now) {
    if (const auto verified = coordinator_.verify(id, token, partition); !verified) {
        return fail(verified.error());
    }
    const auto offset = log(partition).appendTransactional(token, std::move(key), std::move(value), now);
    if (!offset) {
        return fail(brokerError(BrokerCode::invalidProducerEpoch, fmt::format("partition {}", partition)));
    }
    return *offset;
}

bool ClusterState::advance(const std::string& id, WallTime now) {
    if (coordinator_.leaveEpochFence(id)) {
        return true;
    }
    if (const auto markers = coordinator_.pendingMarkers(id)) {
        for (const std::int32_t partition : markers->partitions) {
            log(partition).appendMarker(markers->token, markers->commit, now);
        }
        coordinator_.markersWritten(id);
        return true;
    }
    return coordinator_.complete(id);
}

void ClusterState::settle(const std::string& id, WallTime now) {
    (void)coordinator_.fenceOpenTransaction(id);
    while (advance(id, now)) {
    }
}

} // namespace bellwether::sandbox
