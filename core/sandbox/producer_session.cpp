// SPDX-License-Identifier: Apache-2.0
#include "sandbox/producer_session.h"

#include <utility>

namespace bellwether::sandbox {

Result<void> ProducerSession::mint(ClusterState& cluster, Millis timeout) {
    const auto token = cluster.coordinator().initProducerId(id_, timeout);
    if (!token) {
        return fail(token.error());
    }
    minted_ = *token;
    current_ = *token;
    open_ = false;
    return {};
}

Result<void> ProducerSession::begin(ClusterState& cluster, std::int32_t partition, WallTime now) {
    const BrokerCode fence =
        cluster.movesEpoch(kind_) ? BrokerCode::invalidProducerEpoch : BrokerCode::producerFenced;
    auto added = cluster.coordinator().addPartition(id_, current_, partition, now, fence);
    open_ = open_ || added.has_value();
    return added;
}

Result<std::int64_t> ProducerSession::write(ClusterState& cluster, std::int32_t partition,
                                            std::optional<std::string> key, std::optional<std::string> value,
                                            WallTime now) {
    return cluster.produce(id_, current_, partition, std::move(key), std::move(value), now);
}

Result<void> ProducerSession::end(ClusterState& cluster, bool commit) {
    const auto token = cluster.coordinator().prepareEnd(id_, current_, commit, cluster.movesEpoch(kind_));
    if (!token) {
        return fail(token.error());
    }
    current_ = *token;
    open_ = false;
    return {};
}

} // namespace bellwether::sandbox
