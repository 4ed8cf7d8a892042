// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox_cluster.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "coordination/role_partition.h"
#include "sandbox/cluster_core.h"
#include "sandbox/sandbox_authority.h"
#include "sandbox/sandbox_log_consumer.h"
#include "sandbox/sandbox_transport.h"

namespace bellwether::sandbox {
namespace {

constexpr Millis kForeignTimeout{15 * 60'000};

std::int32_t checked(const ClusterState& state, std::int32_t partition) {
    if (!state.hasPartition(partition)) {
        throw std::invalid_argument(fmt::format("the sandbox topic has no partition {}", partition));
    }
    return partition;
}

void completeStepwise(ClusterCore& core, const std::string& id) {
    const auto step = [&](ClusterState& state) { return state.advance(id, core.clock().wall()); };
    while (core.with(step)) {
    }
}

} // namespace

SandboxCluster::SandboxCluster(std::shared_ptr<Clock> clock, SandboxOptions options)
    : core_(std::make_shared<ClusterCore>(std::move(clock), std::move(options))) {}

SandboxCluster::~SandboxCluster() = default;

const SandboxOptions& SandboxCluster::options() const noexcept {
    return core_->options();
}

std::unique_ptr<CoordinationTransport> SandboxCluster::makeTransport(ClientKind kind) {
    return std::make_unique<SandboxTransport>(core_, kind);
}

LogConsumerFactory SandboxCluster::logConsumers() {
    return [core = core_](Isolation isolation) -> Result<std::unique_ptr<LogConsumer>> {
        return std::make_unique<SandboxLogConsumer>(core, isolation);
    };
}

std::shared_ptr<Authority> SandboxCluster::authority() {
    return std::make_shared<SandboxAuthority>(core_);
}

void SandboxCluster::setReachable(bool reachable) {
    core_->setReachable(reachable);
}

void SandboxCluster::setSilent(bool silent) {
    core_->setSilent(silent);
}

void SandboxCluster::failNext(Request request, Error error, int count) {
    core_->failNext(request, std::move(error), count);
}

std::int64_t SandboxCluster::appendRaw(std::int32_t partition, std::optional<std::string> key,
                                       std::optional<std::string> value) {
    return core_->with([&](ClusterState& state) {
        return state.log(checked(state, partition))
            .append(std::nullopt, std::move(key), std::move(value), core_->clock().wall());
    });
}

std::int64_t SandboxCluster::openForeignTransaction(const Role& role, std::optional<std::string> key,
                                                    std::optional<std::string> value) {
    return core_->with([&](ClusterState& state) {
        const std::int32_t partition = rolePartition(role, state.partitionCount());
        const std::int64_t handle = static_cast<std::int64_t>(core_->foreign().size()) + 1;
        ProducerSession session(fmt::format("foreign-{}", handle), ClientKind::older);
        const WallTime now = core_->clock().wall();
        (void)session.mint(state, kForeignTimeout);
        (void)session.begin(state, partition, now);
        (void)session.write(state, partition, std::move(key), std::move(value), now);
        core_->foreign().emplace(handle, std::move(session));
        return handle;
    });
}

void SandboxCluster::endForeignTransaction(std::int64_t handle, bool commit) {
    const auto id = core_->with([&](ClusterState& state) {
        const auto found = core_->foreign().find(handle);
        if (found == core_->foreign().end()) {
            throw std::invalid_argument(fmt::format("no foreign transaction {}", handle));
        }
        // One that the coordinator has timed out is ended already.
        (void)found->second.end(state, commit);
        return found->second.id();
    });
    completeStepwise(*core_, id);
}

void SandboxCluster::sweepTimeouts() {
    const WallTime now = core_->clock().wall();
    const auto late = core_->with([&](ClusterState& state) { return state.coordinator().timedOut(now); });
    for (const std::string& id : late) {
        // Asked again: its owner may have ended it, and begun another, since.
        const bool fenced = core_->with([&](ClusterState& state) {
            const auto still = state.coordinator().timedOut(now);
            return std::find(still.begin(), still.end(), id) != still.end() &&
                   state.coordinator().fenceOpenTransaction(id);
        });
        if (fenced) {
            completeStepwise(*core_, id);
        }
    }
}

void SandboxCluster::expireId(const Role& role) {
    core_->with([&](ClusterState& state) {
        state.settle(role.str(), core_->clock().wall());
        state.coordinator().expire(role.str());
    });
}

void SandboxCluster::setEpoch(const Role& role, FencingToken token) {
    if (token.producerId < 0 || token.producerEpoch < 0) {
        throw std::invalid_argument(fmt::format("{} is no minted token", token.text()));
    }
    core_->with([&](ClusterState& state) {
        state.settle(role.str(), core_->clock().wall());
        state.coordinator().setEpoch(role.str(), token, core_->options().transactionTimeout);
    });
}

void SandboxCluster::compact(std::int32_t partition) {
    core_->with([&](ClusterState& state) { state.log(checked(state, partition)).compact(); });
}

std::vector<FencingToken> SandboxCluster::ableToCommit(const Role& role) const {
    return core_->with([&](ClusterState& state) {
        std::vector<FencingToken> able;
        for (const ProducerSession* session : core_->sessions()) {
            if (session->id() != role.str()) {
                continue;
            }
            TransactionCoordinator probe = state.coordinator();
            const std::int32_t partition = rolePartition(role, state.partitionCount());
            if (probe.addPartition(role.str(), session->current(), partition, core_->clock().wall(),
                                   BrokerCode::producerFenced) &&
                probe.prepareEnd(role.str(), session->current(), true, false)) {
                able.push_back(session->minted());
            }
        }
        return able;
    });
}

} // namespace bellwether::sandbox
