// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string_view>

#include "kafka/wire/cluster_client.h"
#include "kafka/wire/deadline.h"
#include "kafka/wire/name_index.h"
#include "ports/authority.h"

namespace bellwether::kafka::wire {

/// One call of Authority::describeRoles: coordinators are looked up where unknown, each coordinator gets one
/// request per kRolesPerRequest roles, answers go out as they come. What moved (14, 15, 16), or could not be
/// reached, is looked up and asked again until the deadline.
class RolesOperation final : public Operation, public std::enable_shared_from_this<RolesOperation> {
public:
    static constexpr std::size_t kRolesPerRequest = 1000;

    /// A role named twice is asked and answered once.
    RolesOperation(std::shared_ptr<ClusterClient> client, std::vector<Role> roles, Millis timeout,
                   Authority::RolesHandler handler);

    void start() override;
    void cancel(const Error& error) override;

private:
    using Indexes = std::vector<std::size_t>;

    struct Entry {
        Role role;
        bool answered = false;
    };

    void proceed(const Indexes& indexes);
    [[nodiscard]] std::size_t indexOf(std::string_view role) const;
    void onCoordinators(const std::vector<ClusterClient::Lookup>& lookups);
    void askCoordinator(std::int32_t nodeId, const Indexes& indexes);
    void askBatch(const ConnectionPtr& coordinator, Indexes indexes);
    void onDescribed(const Indexes& indexes, const Result<Answer<DescribeTransactionsResponse>>& answer);
    /// After a pause, by a fresh lookup.
    void retryLater(std::size_t index, const Error& failure);
    void armRetry();
    void answerRest(const std::function<Error(std::size_t index)>& errorOf);
    /// Collects an answer for deliver(); a role already answered is left alone.
    void give(std::vector<RoleAnswer>& batch, std::size_t index, CoordinatorAnswer answer);
    void giveFailure(std::vector<RoleAnswer>& batch, std::size_t index, Error error);
    void deliver(std::vector<RoleAnswer> batch);
    [[nodiscard]] Error unsupported(const Error& byThatBroker) const;

    const std::shared_ptr<ClusterClient> client_;
    std::vector<Entry> entries_;
    NameIndex names_;                           ///< of entries_
    std::map<std::size_t, Error> lastFailures_; ///< by index
    const Millis timeout_;
    const Instant deadline_;
    Authority::RolesHandler handler_;
    std::size_t open_ = 0; ///< roles without an answer
    bool done_ = false;
    bool retrying_ = false; ///< some coordinator was not where it was said to be
    Indexes retry_;
    bool retryArmed_ = false;
    bool brokersDoubtful_ = false; ///< a broker could not be reached: its address may be old
    RetryPause pause_;
    asio::steady_timer retryTimer_;
    asio::steady_timer deadlineTimer_;
};

} // namespace bellwether::kafka::wire
