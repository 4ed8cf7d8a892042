// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/cluster_client.h"
#include "kafka/wire/deadline.h"
#include "ports/authority.h"

namespace bellwether::kafka::wire {

/// One call of Authority::describeCluster: metadata from any broker, then ApiVersions from each broker it
/// lists, fresh (a feature can be finalized at any time). A broker that has not answered within kProbe, or
/// half of the time left, counts as not reachable.
class ClusterOperation final : public Operation, public std::enable_shared_from_this<ClusterOperation> {
public:
    static constexpr Millis kProbe{1'500};

    ClusterOperation(std::shared_ptr<ClusterClient> client, Millis timeout,
                     Authority::ClusterHandler handler);

    void start() override;
    void cancel(const Error& error) override;

private:
    void fetch();
    void onMetadata(const Result<MetadataResponse>& metadata);
    void onProbe(std::size_t index, const Result<Answer<ApiVersionsResponse>>& answer);
    void finish(Result<ClusterInfo> result);

    const std::shared_ptr<ClusterClient> client_;
    const Instant deadline_;
    const Millis timeout_;
    Authority::ClusterHandler handler_;
    ClusterInfo info_;
    std::int64_t featuresEpoch_ = -2;
    std::size_t probing_ = 0;
    bool describable_ = false;
    bool anyProbed_ = false;
    bool done_ = false;
    std::optional<Error> lastFailure_;
    RetryPause pause_;
    asio::steady_timer retryTimer_;
    asio::steady_timer deadlineTimer_;
};

} // namespace bellwether::kafka::wire
