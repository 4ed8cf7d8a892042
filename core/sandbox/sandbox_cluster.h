// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    Millis transactionTimeout{
        60'000}; ///< of members' transactions (transaction.timeout.ms); foreign ones get 15 min
    /// How long each request of a transport takes, on the cluster's clock, before it reaches the brokers.
    /// What others see between two requests (a claim, an open transaction) lasts this long.
    Millis requestLatency{0};
};

class ClusterCore;

/// How a sandbox member's client ends transactions: v5 like Java 4.x, or older like librdkafka.
enum class ClientKind { endTxnV5, older };

/// An in-process cluster with a true transaction coordinator: the epoch table of docs/verdicts.md, a log with
/// control records, a last stable offset and open transactions, and fences with Kafka's codes. Thread safe;
/// time comes from `clock` (the brokers' clock). Everything made by it may outlive it only until close().
class SandboxCluster {
public:
    explicit SandboxCluster(std::shared_ptr<Clock> clock, SandboxOptions options = {});
    ~SandboxCluster();

    [[nodiscard]] const SandboxOptions& options() const noexcept;
    [[nodiscard]] std::unique_ptr<CoordinationTransport> makeTransport(ClientKind kind);
    [[nodiscard]] LogConsumerFactory logConsumers();
    [[nodiscard]] std::shared_ptr<Authority> authority();

    /// While false every call of every client fails with `unreachable`: brokers gone. Reading resumes
    /// afterwards.
    void setReachable(bool reachable);
    /// While true brokers take requests and answer none: calls end with `timeout` when their time is over
    /// (real time, not the cluster's clock), and go through if the brokers answer again before that.
    void setSilent(bool silent);
    /// The next `count` requests of the named kind, whoever makes them, fail with the given error and change
    /// nothing. A lease write is addPartitions (for v5 clients the partition leader makes it), produce,
    /// endTransaction; after a failed produce the transport aborts, which is one endTransaction more.
    enum class Request {
        initProducerId,
        addPartitions,
        produce,
        endTransaction,
        fetch,
        describeTransactions,
        describeProducers,
        listTransactions,
    };
    void failNext(Request request, Error error, int count = 1);
    /// Appends any bytes, as a careless foreign client would.
    std::int64_t appendRaw(std::int32_t partition, std::optional<std::string> key,
                           std::optional<std::string> value);
    /// Begins a transaction of another id in the partition of `role`, writes one record and leaves it open;
    /// returns a handle for endForeignTransaction. Pins the last stable offset.
    std::int64_t openForeignTransaction(const Role& role, std::optional<std::string> key,
                                        std::optional<std::string> value);
    void endForeignTransaction(std::int64_t handle, bool commit);
    /// Aborts transactions whose timeout has passed by the cluster's clock, as the coordinator's sweep does.
    void sweepTimeouts();
    /// The coordinator forgets the id (transactional.id.expiration.ms). An open transaction is aborted first;
    /// what the log holds stays.
    void expireId(const Role& role);
    /// Sets the pair the role's id has, to come near exhaustion without 32,766 mints. Whoever held it is
    /// fenced; an open transaction is aborted first. Throws std::invalid_argument for a token that is not
    /// minted.
    void setEpoch(const Role& role, FencingToken token);
    /// Compacts a partition as the log cleaner does: below the last stable offset the newest record of each
    /// key stays (tombstones too), aborted records go, offsets are kept.
    void compact(std::int32_t partition);

    /// Tokens minted by transports still open that could begin and commit a transaction for the role now: the
    /// coordinator's word, found by trying on a copy of it. Never more than one.
    [[nodiscard]] std::vector<FencingToken> ableToCommit(const Role& role) const;

private:
    std::shared_ptr<ClusterCore> core_;
};

} // namespace bellwether::sandbox
