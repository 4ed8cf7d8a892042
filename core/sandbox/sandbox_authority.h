// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "ports/authority.h"
#include "sandbox/cluster_core.h"

namespace bellwether::sandbox {

/// Asks a sandbox cluster's coordinators. One worker thread serves requests in the order of arrival and runs
/// the handlers; a request that waits behind silent brokers ends by its timeout. asOf is the cluster's clock,
/// which is the console's in a sandbox.
class SandboxAuthority final : public Authority {
public:
    explicit SandboxAuthority(std::shared_ptr<ClusterCore> core);
    ~SandboxAuthority() override;

    void describeRoles(std::vector<Role> roles, Millis timeout, RolesHandler handler) override;
    void describeProducers(std::string topic, std::vector<std::int32_t> partitions, Millis timeout,
                           ProducersHandler handler) override;
    void listTransactions(std::vector<std::int64_t> producerIds, Millis timeout,
                          ListingHandler handler) override;
    void describeCluster(Millis timeout, ClusterHandler handler) override;
    /// Waits for the handler in progress; must not be called from one.
    void close() override;

private:
    using Job = std::function<void()>;

    void enqueue(Job job);
    void run();

    [[nodiscard]] bool closing() const { return closed_; }

    /// Asks one coordinator for its roles.
    [[nodiscard]] std::vector<RoleAnswer> ask(const std::vector<Role>& roles, RealTime deadline);
    [[nodiscard]] RoleAnswer answerOf(const Role& role);
    void answerRoles(const std::vector<Role>& roles, RealTime deadline, const RolesHandler& handler);
    [[nodiscard]] std::vector<ProducersAnswer>
    askProducers(const std::string& topic, const std::vector<std::int32_t>& partitions, RealTime deadline);
    [[nodiscard]] TransactionListing askListing(const std::vector<std::int64_t>& producerIds,
                                                RealTime deadline);
    [[nodiscard]] Result<ClusterInfo> askCluster(RealTime deadline);

    std::shared_ptr<ClusterCore> core_;
    std::mutex jobsMutex_;
    std::condition_variable jobsChanged_;
    std::deque<Job> jobs_;
    std::atomic<bool> closed_ = false;
    std::mutex closeMutex_;
    std::thread worker_;
};

} // namespace bellwether::sandbox
