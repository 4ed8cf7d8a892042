// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>

#include "ports/transport.h"
#include "sandbox/cluster_core.h"

namespace bellwether::sandbox {

/// A member's transport to a sandbox cluster. A lease write is three requests (begin, write, end), each a
/// step of its own that others can observe. close() may come from another thread and cancels a call in
/// progress.
class SandboxTransport final : public CoordinationTransport {
public:
    SandboxTransport(std::shared_ptr<ClusterCore> core, ClientKind kind)
        : core_(std::move(core))
        , kind_(kind) {}

    ~SandboxTransport() override;

    Result<FencingToken> acquireEpoch(const Role& role) override;
    Result<std::vector<CoordinationEntry>> readRoleRecords(const Role& role) override;
    Result<void> registerMember(const Role& role, const Registration& registration) override;
    Result<void> deregisterMember(const Role& role, const MemberId& member) override;
    Result<void> writeLease(const Role& role, FencingToken token, const Lease& lease) override;
    Result<void> clearLease(const Role& role, FencingToken token) override;
    Result<std::optional<FencingToken>> describe(const Role& role) override;
    void close() override;

private:
    using Request = SandboxCluster::Request;

    /// One request: latency, admission, then the step under the lock.
    template<typename Step>
    auto request(Request kind, Step&& step) -> decltype(step(std::declval<ClusterState&>()));
    [[nodiscard]] Result<void> write(const Role& role, FencingToken token, std::optional<std::string> value);
    [[nodiscard]] Result<void> transact(ProducerSession& session, const Role& role,
                                        std::optional<std::string> value);
    [[nodiscard]] Result<void> end(ProducerSession& session, bool commit);
    [[nodiscard]] Result<void> appendPlain(const Role& role, std::string key,
                                           std::optional<std::string> value);
    [[nodiscard]] Result<std::int32_t> partitionOf(const Role& role) const;
    void advanceAll(const std::string& id);

    std::shared_ptr<ClusterCore> core_;
    const ClientKind kind_;
    std::mutex callMutex_; ///< one call at a time
    std::stop_source closed_;
    std::map<Role, std::unique_ptr<ProducerSession>> sessions_;
    std::optional<FencingToken> plainProducer_; ///< v5 clients write registrations idempotently, as Java's do
};

} // namespace bellwether::sandbox
