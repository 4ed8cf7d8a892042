// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox_authority.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "coordination/role_partition.h"

namespace bellwether::sandbox {

SandboxAuthority::SandboxAuthority(std::shared_ptr<ClusterCore> core)
    : core_(std::move(core))
    , worker_([this] { run(); }) {}

SandboxAuthority::~SandboxAuthority() {
    SandboxAuthority::close();
}

void SandboxAuthority::enqueue(Job job) {
    {
        const std::lock_guard lock(jobsMutex_);
        if (!closed_) {
            jobs_.push_back(std::move(job));
            jobsChanged_.notify_one();
            return;
        }
    }
    job();
}

void SandboxAuthority::run() {
    std::unique_lock lock(jobsMutex_);
    while (true) {
        jobsChanged_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
        if (jobs_.empty()) {
            return;
        }
        const Job job = std::move(jobs_.front());
        jobs_.pop_front();
        lock.unlock();
        job();
        lock.lock();
    }
}

void SandboxAuthority::close() {
    const std::lock_guard once(closeMutex_);
    {
        const std::lock_guard lock(jobsMutex_);
        const auto core = core_->lock();
        closed_ = true;
    }
    core_->notify();
    jobsChanged_.notify_all();
    if (worker_.joinable()) {
        worker_.join(); // what is queued ends with closed answers
    }
}

RoleAnswer SandboxAuthority::answerOf(const Role& role) {
    RoleAnswer answer{role, {}};
    const TransactionalId* entry = core_->state().coordinator().find(role.str());
    if (entry == nullptr) {
        answer.answer.kind = CoordinatorAnswer::Kind::unknownId;
        return answer;
    }
    answer.answer.kind = CoordinatorAnswer::Kind::described;
    answer.answer.token = entry->token;
    answer.answer.state = entry->state;
    answer.answer.transactionTimeout = entry->timeout;
    answer.answer.transactionStart = entry->start;
    return answer;
}

std::vector<RoleAnswer> SandboxAuthority::ask(const std::vector<Role>& roles, RealTime deadline) {
    std::vector<RoleAnswer> answers;
    answers.reserve(roles.size());
    auto lock = core_->lock();
    SteadyTime askedAt = core_->clock().steady();
    const auto admitted = core_->admit(lock, SandboxCluster::Request::describeTransactions, deadline,
                                       [this] { return closing(); });
    if (admitted) {
        askedAt = core_->clock().steady();
    }
    for (const Role& role : roles) {
        RoleAnswer answer = admitted ? answerOf(role) : RoleAnswer{role, {}};
        if (!admitted) {
            answer.answer.kind = CoordinatorAnswer::Kind::failed;
            answer.answer.error = admitted.error();
        }
        answers.push_back(std::move(answer));
    }
    lock.unlock();
    for (RoleAnswer& answer : answers) {
        answer.answer.askedAt = askedAt;
        answer.answer.answeredAt = core_->clock().steady();
        answer.answer.asOf = core_->clock().wall();
    }
    return answers;
}

void SandboxAuthority::answerRoles(const std::vector<Role>& roles, RealTime deadline,
                                   const RolesHandler& handler) {
    const std::int32_t brokers = std::max(core_->options().brokers, 1);
    std::map<std::int32_t, std::vector<Role>> byCoordinator;
    for (const Role& role : roles) {
        byCoordinator[rolePartition(role, brokers)].push_back(role);
    }
    if (byCoordinator.empty()) {
        handler({}, true);
        return;
    }
    const std::int32_t lastCoordinator = byCoordinator.rbegin()->first;
    for (const auto& [coordinator, itsRoles] : byCoordinator) {
        handler(ask(itsRoles, deadline), coordinator == lastCoordinator);
    }
}

void SandboxAuthority::describeRoles(std::vector<Role> roles, Millis timeout, RolesHandler handler) {
    enqueue([this, roles = std::move(roles), deadline = realDeadline(timeout), handler = std::move(handler)] {
        answerRoles(roles, deadline, handler);
    });
}

std::vector<ProducersAnswer> SandboxAuthority::askProducers(const std::string& topic,
                                                            const std::vector<std::int32_t>& partitions,
                                                            RealTime deadline) {
    auto lock = core_->lock();
    const auto admitted = core_->admit(lock, SandboxCluster::Request::describeProducers, deadline,
                                       [this] { return closing(); });
    std::vector<ProducersAnswer> answers;
    answers.reserve(partitions.size());
    for (const std::int32_t partition : partitions) {
        if (!admitted) {
            answers.push_back({partition, fail(admitted.error())});
        } else if (topic != core_->options().topic || !core_->state().hasPartition(partition)) {
            answers.push_back({partition, fail(brokerError(BrokerCode::unknownTopicOrPartition,
                                                           fmt::format("{}[{}]", topic, partition)))});
        } else {
            answers.push_back({partition, core_->state().log(partition).producers()});
        }
    }
    return answers;
}

void SandboxAuthority::describeProducers(std::string topic, std::vector<std::int32_t> partitions,
                                         Millis timeout, ProducersHandler handler) {
    enqueue([this, topic = std::move(topic), partitions = std::move(partitions),
             deadline = realDeadline(timeout),
             handler = std::move(handler)] { handler(askProducers(topic, partitions, deadline)); });
}

TransactionListing SandboxAuthority::askListing(const std::vector<std::int64_t>& producerIds,
                                                RealTime deadline) {
    auto lock = core_->lock();
    TransactionListing listing;
    if (auto admitted = core_->admit(lock, SandboxCluster::Request::listTransactions, deadline,
                                     [this] { return closing(); });
        !admitted) {
        listing.silent.push_back(admitted.error());
        return listing;
    }
    for (const auto& [id, entry] : core_->state().coordinator().ids()) {
        if (std::find(producerIds.begin(), producerIds.end(), entry.token.producerId) != producerIds.end()) {
            listing.found.push_back({id, entry.token.producerId, entry.state});
        }
    }
    return listing;
}

void SandboxAuthority::listTransactions(std::vector<std::int64_t> producerIds, Millis timeout,
                                        ListingHandler handler) {
    enqueue([this, producerIds = std::move(producerIds), deadline = realDeadline(timeout),
             handler = std::move(handler)] { handler(askListing(producerIds, deadline)); });
}

Result<ClusterInfo> SandboxAuthority::askCluster(RealTime deadline) {
    auto lock = core_->lock();
    if (auto admitted = core_->admitMetadata(lock, deadline, [this] { return closing(); }); !admitted) {
        return fail(admitted.error());
    }
    ClusterInfo info;
    info.clusterId = "sandbox";
    info.controllerId = 1;
    info.transactionVersion = core_->options().transactionVersion;
    for (std::int32_t node = 1; node <= core_->options().brokers; ++node) {
        info.brokers.push_back({node, fmt::format("sandbox-{}", node), 9092, true});
    }
    return info;
}

void SandboxAuthority::describeCluster(Millis timeout, ClusterHandler handler) {
    enqueue([this, deadline = realDeadline(timeout), handler = std::move(handler)] {
        handler(askCluster(deadline));
    });
}

} // namespace bellwether::sandbox
