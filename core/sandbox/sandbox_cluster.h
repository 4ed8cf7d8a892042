// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "ports/authority.h"
#include "ports/clock.h"
#include "ports/log_consumer.h"
#include "ports/transport.h"

namespace bellwether::sandbox {

struct SandboxOptions {
    std::string topic{kDefaultTopic};
    std::int32_t partitions = 16;
    std::int32_t brokers = 3;
    /// Finalized transaction.version: 0, 1 or 2 (with 2, commits and aborts of v5 clients move the epoch).
    std::int16_t transactionVersion = 2;
    std::int16_t lastEpoch = 32766; ///< a mint or v5 commit beyond it rolls the producerId over
};

/// How a sandbox member's client ends transactions: v5 like Java 4.x, or older like librdkafka.
enum class ClientKind { endTxnV5, older };

/// An in-process cluster with a true transaction coordinator: the epoch table of docs/verdicts.md, a log with
/// control records, a last stable offset and open transactions, and fences with Kafka's codes. Thread safe; time
/// comes from `clock` (the brokers' clock). Everything made by it may outlive it only until close().
class SandboxCluster {
public:
    explicit SandboxCluster(std::shared_ptr<Clock> clock, SandboxOptions options = {});
    ~SandboxCluster();

    [[nodiscard]] std::unique_ptr<CoordinationTransport> makeTransport(ClientKind kind);
    [[nodiscard]] LogConsumerFactory logConsumers();
    [[nodiscard]] std::shared_ptr<Authority> authority();

    /// Every call of every client fails with `unreachable` while set: brokers gone.
    void setReachable(bool reachable);
    /// The next `count` calls of the named request fail with the given error.
    enum class Request { initProducerId, produce, endTransaction, fetch, describeTransactions, describeProducers };
    void failNext(Request request, Error error, int count = 1);
    /// Appends any bytes, as a careless foreign client would.
    std::int64_t appendRaw(std::int32_t partition, std::optional<std::string> key, std::optional<std::string> value);
    /// Begins a transaction of another id in the partition of `role` and leaves it open; returns a handle for
    /// endForeignTransaction. Pins the last stable offset.
    std::int64_t openForeignTransaction(const Role& role, std::optional<std::string> key, std::optional<std::string> value);
    void endForeignTransaction(std::int64_t handle, bool commit);
    /// Aborts transactions whose timeout has passed by the cluster's clock, as the coordinator's sweep does.
    void sweepTimeouts();
    /// The coordinator forgets the id (transactional.id.expiration.ms).
    void expireId(const Role& role);
    /// Sets the epoch the role's id has, to come near exhaustion without 32,766 mints.
    void setEpoch(const Role& role, FencingToken token);

private:
    class Core;
    std::shared_ptr<Core> core_;
};

} // namespace bellwether::sandbox
