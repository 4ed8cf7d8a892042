// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/cluster_client.h"
#include "kafka/wire/deadline.h"
#include "ports/authority.h"

namespace bellwether::kafka::wire {

/// One call of Authority::listTransactions: the brokers' list from any of them, then ListTransactions of
/// each. A broker whose coordinators are still loading (14), or that cannot be reached, is asked again until
/// the deadline; what it says then counts as silence.
class ListingOperation final : public Operation, public std::enable_shared_from_this<ListingOperation> {
public:
    ListingOperation(std::shared_ptr<ClusterClient> client, std::vector<std::int64_t> producerIds,
                     Millis timeout, Authority::ListingHandler handler);

    void start() override;
    void cancel(const Error& error) override;

private:
    void fetch();
    void onMetadata(const Result<MetadataResponse>& metadata);
    void askBroker(std::int32_t nodeId);
    void onListed(std::int32_t nodeId, const Result<Answer<ListTransactionsResponse>>& answer);
    /// `again` after a pause.
    void later(std::function<void()> again);
    void settle(std::int32_t nodeId);
    void finish();

    const std::shared_ptr<ClusterClient> client_;
    const std::vector<std::int64_t> producerIds_;
    const Millis timeout_;
    const Instant deadline_;
    Authority::ListingHandler handler_;
    TransactionListing listing_;
    std::map<std::int32_t, std::optional<Error>>
        open_; ///< brokers that have not answered, and their last trouble
    bool knowsBrokers_ = false;
    std::optional<Error> lastFailure_; ///< of the search for brokers
    bool done_ = false;
    RetryPause pause_;
    asio::steady_timer deadlineTimer_;
};

} // namespace bellwether::kafka::wire
