// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kafka/client_handle.h"
#include "ports/log_consumer.h"

namespace bellwether::kafka {

/// Has the cluster's metadata renewed while a call waits, once a second. What was asked while the cluster
/// named no brokers (a node back from a pause is not registered yet) would wait for the next periodic
/// refresh, minutes away.
class MetadataNudge {
public:
    explicit MetadataNudge(const Client& client);
    /// Called between two slices of the wait.
    void pulse(const CallLimit& limit);

private:
    const Client& client_;
    SteadyTime next_;
};

/// Partitions of the topic as a broker says now (Metadata, never creating the topic). topicMissing when there
/// is none.
[[nodiscard]] Result<std::int32_t> askPartitionCount(const Client& client, const std::string& topic,
                                                     const CallLimit& limit);

/// First offset and end at `isolation` of the partitions, from their leaders (ListOffsets). Partitions whose
/// leader refuses or does not answer in time are missing; an error only when none answers. One leader's
/// silence does not keep the others' answers.
[[nodiscard]] Result<std::vector<PartitionBounds>> askBounds(const Client& client, const std::string& topic,
                                                             const std::vector<std::int32_t>& partitions,
                                                             Isolation isolation, const CallLimit& limit);

} // namespace bellwether::kafka
