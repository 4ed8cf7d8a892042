// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>

#include "kafka/wire/cluster_client.h"
#include "kafka/wire/deadline.h"
#include "ports/authority.h"

namespace bellwether::kafka::wire {

/// One call of Authority::describeProducers: leaders are fetched where unknown, each leader gets one request;
/// what moved (3, 5, 6, 9) or could not be reached is fetched and asked again until the deadline. A topic or
/// partition that the metadata does not know either is given up earlier, after kMissingGrace: it may have
/// been created just now.
class ProducersOperation final : public Operation, public std::enable_shared_from_this<ProducersOperation> {
public:
    static constexpr Millis kMissingGrace{2'000};

    ProducersOperation(std::shared_ptr<ClusterClient> client, std::string topic,
                       const std::vector<std::int32_t>& partitions, Millis timeout,
                       Authority::ProducersHandler handler);

    void start() override;
    void cancel(const Error& error) override;

private:
    using Partitions = std::vector<std::int32_t>;

    void proceed(const Partitions& partitions);
    void onMetadata(const Partitions& wanted, const Result<MetadataResponse>& metadata);
    void askLeader(std::int32_t nodeId, const Partitions& partitions);
    void onDescribed(const Partitions& partitions, const Result<Answer<DescribeProducersResponse>>& answer);
    void retryLater(std::int32_t partition, const Error& failure);
    void failOrRetry(std::int32_t partition, const Error& failure);
    void give(std::int32_t partition, Result<std::vector<PartitionProducer>> producers);
    /// What was given since the last time.
    void deliver();
    [[nodiscard]] std::string where(std::int32_t partition) const;

    const std::shared_ptr<ClusterClient> client_;
    const std::string topic_;
    const Millis timeout_;
    const Instant deadline_;
    const Instant missingDeadline_;
    Authority::ProducersHandler handler_;
    std::set<std::int32_t> open_; ///< partitions without an answer
    std::vector<ProducersAnswer> given_;
    std::map<std::int32_t, Error> lastFailure_;
    bool done_ = false;
    Partitions retry_;
    bool retryArmed_ = false;
    RetryPause pause_;
    asio::steady_timer retryTimer_;
    asio::steady_timer deadlineTimer_;
};

} // namespace bellwether::kafka::wire
