// SPDX-License-Identifier: Apache-2.0
#include "sandbox/sandbox_transport.h"

#include <utility>

#include <fmt/format.h>

#include "coordination/record_codec.h"
#include "coordination/role_partition.h"

namespace bellwether::sandbox {
namespace {

/// How long a call waits for silent brokers, real time.
constexpr Millis kCallTimeout{2'000};

Error notMintedError(const Role& role, FencingToken token) {
    Error error;
    error.code = ErrorCode::notMinted;
    error.what = fmt::format("the token {} is not the one minted here", token.text());
    error.where = fmt::format("role {}", role.str());
    error.hint = "mint an epoch and write under its token";
    return error;
}

bool isOfRole(const ConsumedRecord& record, const Role& role) {
    const auto key = decodeKey(record.key);
    return key && key->role == role;
}

} // namespace

SandboxTransport::~SandboxTransport() {
    SandboxTransport::close();
}

template<typename Step>
auto SandboxTransport::request(Request kind, Step&& step) -> decltype(step(std::declval<ClusterState&>())) {
    const auto stop = closed_.get_token();
    if (core_->options().requestLatency > Millis{0}) {
        (void)core_->clock().sleepFor(core_->options().requestLatency, stop);
    }
    auto lock = core_->lock();
    if (auto admitted =
            core_->admit(lock, kind, realDeadline(kCallTimeout), [&] { return stop.stop_requested(); });
        !admitted) {
        return fail(admitted.error());
    }
    auto result = step(core_->state());
    lock.unlock();
    core_->notify();
    return result;
}

Result<std::int32_t> SandboxTransport::partitionOf(const Role& role) const {
    if (core_->options().partitions < 1) {
        return fail(brokerError(BrokerCode::unknownTopicOrPartition, core_->options().topic));
    }
    return rolePartition(role, core_->options().partitions);
}

void SandboxTransport::advanceAll(const std::string& id) {
    const auto step = [&](ClusterState& state) { return state.advance(id, core_->clock().wall()); };
    while (core_->with(step)) {
    }
}

Result<FencingToken> SandboxTransport::acquireEpoch(const Role& role) {
    const std::lock_guard call(callMutex_);
    auto session = std::make_unique<ProducerSession>(role.str(), kind_);
    while (true) {
        const auto minted = request(Request::initProducerId, [&](ClusterState& state) {
            auto result = session->mint(state, core_->options().transactionTimeout);
            if (result) {
                auto& slot = sessions_[role];
                core_->dismiss(slot.get());
                slot = std::move(session);
                core_->enlist(slot.get());
            }
            return result;
        });
        if (minted) {
            return sessions_.at(role)->minted();
        }
        if (minted.error().kafkaCode != static_cast<int>(BrokerCode::concurrentTransactions)) {
            return fail(minted.error());
        }
        advanceAll(role.str());
    }
}

Result<std::vector<CoordinationEntry>> SandboxTransport::readRoleRecords(const Role& role) {
    const std::lock_guard call(callMutex_);
    const auto partition = partitionOf(role);
    if (!partition) {
        return fail(partition.error());
    }
    const auto read =
        request(Request::fetch, [&](ClusterState& state) -> Result<std::vector<ConsumedRecord>> {
            const PartitionLog& log = state.log(*partition);
            std::int64_t from = log.beginning();
            return log.read(Isolation::readCommitted, from, static_cast<std::size_t>(log.highWatermark()));
        });
    if (!read) {
        return fail(read.error());
    }
    std::vector<CoordinationEntry> entries;
    for (const ConsumedRecord& record : *read) {
        auto decoded = decodeRecord(record.key, record.value);
        if (decoded && decoded->key.role == role) {
            entries.push_back({std::move(*decoded), record.position});
        } else if (!decoded && isOfRole(record, role)) {
            return fail(ErrorCode::undecodable,
                        fmt::format("{}: {}", decoded.error().part, decoded.error().what),
                        fmt::format("{}[{}]@{}", core_->options().topic, *partition, record.position.offset),
                        "find out who wrote it; write the key again or a tombstone");
        }
    }
    return entries;
}

Result<void> SandboxTransport::appendPlain(const Role& role, std::string key,
                                           std::optional<std::string> value) {
    const std::lock_guard call(callMutex_);
    const auto partition = partitionOf(role);
    if (!partition) {
        return fail(partition.error());
    }
    return request(Request::produce, [&](ClusterState& state) -> Result<void> {
        if (kind_ == ClientKind::endTxnV5 && !plainProducer_) {
            plainProducer_ = state.coordinator().allocateProducer();
        }
        state.log(*partition).append(plainProducer_, std::move(key), std::move(value), core_->clock().wall());
        return {};
    });
}

Result<void> SandboxTransport::registerMember(const Role& role, const Registration& registration) {
    return appendPlain(role, encodeRegistrationKey(role, registration.member),
                       encodeRegistrationValue(registration));
}

Result<void> SandboxTransport::deregisterMember(const Role& role, const MemberId& member) {
    return appendPlain(role, encodeRegistrationKey(role, member), std::nullopt);
}

Result<void> SandboxTransport::end(ProducerSession& session, bool commit) {
    auto ended =
        request(Request::endTransaction, [&](ClusterState& state) { return session.end(state, commit); });
    if (ended) {
        advanceAll(session.id());
    }
    return ended;
}

Result<void> SandboxTransport::transact(ProducerSession& session, const Role& role,
                                        std::optional<std::string> value) {
    const auto partition = partitionOf(role);
    if (!partition) {
        return fail(partition.error());
    }
    // What an earlier call could not end is aborted first, as a client library demands.
    if (session.isOpen()) {
        if (auto aborted = end(session, false); !aborted) {
            return aborted;
        }
    }
    if (auto begun = request(
            Request::addPartitions,
            [&](ClusterState& state) { return session.begin(state, *partition, core_->clock().wall()); });
        !begun) {
        return begun;
    }
    const auto written = request(Request::produce, [&](ClusterState& state) {
        return session.write(state, *partition, encodeLeaseKey(role), std::move(value),
                             core_->clock().wall());
    });
    if (!written) {
        const Error& error = written.error();
        if (!error.fenced && error.code != ErrorCode::idExpired && error.code != ErrorCode::closed) {
            (void)end(session, false); // tried again before the next write when it fails
        }
        return fail(error);
    }
    return end(session, true);
}

Result<void> SandboxTransport::write(const Role& role, FencingToken token, std::optional<std::string> value) {
    const std::lock_guard call(callMutex_);
    if (closed_.stop_requested()) {
        return fail(closedError("the transport was closed"));
    }
    const auto session = sessions_.find(role);
    if (session == sessions_.end() || session->second->minted() != token) {
        return fail(notMintedError(role, token));
    }
    return transact(*session->second, role, std::move(value));
}

Result<void> SandboxTransport::writeLease(const Role& role, FencingToken token, const Lease& lease) {
    if (lease.token.isNone() || lease.token != token) {
        return fail(notMintedError(role, lease.token));
    }
    return write(role, token, encodeLeaseValue(lease));
}

Result<void> SandboxTransport::clearLease(const Role& role, FencingToken token) {
    return write(role, token, std::nullopt);
}

Result<std::optional<FencingToken>> SandboxTransport::describe(const Role& role) {
    const std::lock_guard call(callMutex_);
    return request(Request::describeTransactions,
                   [&](ClusterState& state) -> Result<std::optional<FencingToken>> {
                       const TransactionalId* entry = state.coordinator().find(role.str());
                       return entry == nullptr ? std::nullopt : std::optional(entry->token);
                   });
}

void SandboxTransport::close() {
    {
        const auto lock = core_->lock();
        closed_.request_stop();
    }
    core_->notify();
    const std::lock_guard call(callMutex_);
    const auto lock = core_->lock();
    for (const auto& [role, session] : sessions_) {
        core_->dismiss(session.get());
    }
    sessions_.clear();
}

} // namespace bellwether::sandbox
