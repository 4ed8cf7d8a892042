// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "kafka/wire/any_broker.h"

namespace bellwether::kafka::wire {

/// A question in progress. On the I/O thread.
class Operation {
public:
    virtual ~Operation() = default;
    virtual void start() = 0;
    /// Answers whatever is open with `error`, once; later calls and late answers do nothing.
    virtual void cancel(const Error& error) = 0;
};

/// What is known of one cluster, and the connections to it: brokers, coordinators of transactional ids,
/// leaders of partitions; each is cached until somebody finds it wrong and says so. On the I/O thread only.
class ClusterClient : public std::enable_shared_from_this<ClusterClient> {
public:
    ClusterClient(asio::io_context& io, std::vector<HostPort> bootstrap, ConnectionOptions options);

    [[nodiscard]] asio::io_context& io() noexcept { return io_; }

    /// Keeps the operation alive and starts it.
    void run(const std::shared_ptr<Operation>& operation);
    void release(const std::shared_ptr<Operation>& operation);
    /// Cancels every operation, closes every connection; nothing works after that.
    void close(const Error& error);

    /// Null when no metadata and no coordinator lookup named that broker.
    [[nodiscard]] ConnectionPtr broker(std::int32_t nodeId);

    [[nodiscard]] bool knowsBrokers() const noexcept { return !brokers_.empty(); }

    /// Why a broker cannot be reached at the moment, if one cannot: what a call that ran out of time can
    /// tell.
    [[nodiscard]] std::optional<Error> trouble() const;
    /// Some broker that was ever connected to advertises it.
    [[nodiscard]] bool anyAdvertises(ApiKey api) const;

    using MetadataHandler = std::function<void(Result<MetadataResponse>)>;
    /// Brokers, and the topic's partitions if one is named; replaces what was known of both.
    void fetchMetadata(std::optional<std::string> topic, Instant deadline, MetadataHandler handler);

    struct Lookup {
        std::string id;
        Result<std::int32_t> coordinator; ///< node id; a passing failure has Error::retriable
    };

    using LookupHandler = std::function<void(std::vector<Lookup>)>;
    /// Asks for the coordinators of transactional ids, batched where the broker can; the handler runs once.
    /// Of many ids only one for each partition of the transaction log is asked for (a partition's leader
    /// coordinates all ids that hash to it, KIP-98), unless `each`: that was wrong for some.
    void findCoordinators(std::vector<std::string> ids, bool each, Instant deadline, LookupHandler handler);
    [[nodiscard]] std::optional<std::int32_t> coordinatorOf(const std::string& id) const;
    /// Whoever else is coordinated by the same partition of the transaction log has moved with it.
    void forgetCoordinator(const std::string& id);

    [[nodiscard]] std::optional<std::int32_t> leaderOf(const std::string& topic,
                                                       std::int32_t partition) const;

    void forgetLeader(const std::string& topic, std::int32_t partition) {
        leaders_.erase({topic, partition});
    }

private:
    struct LookupRound;

    void findEach(std::vector<std::string> ids, Instant deadline, LookupHandler handler);
    void learnCoordinator(const std::string& representative, std::int32_t nodeId);
    void findByPartition(std::vector<std::string> ids, Instant deadline, LookupHandler handler);

    [[nodiscard]] ConnectionPtr connectionTo(const HostPort& peer);
    [[nodiscard]] std::vector<ConnectionPtr> candidates();
    void learn(const MetadataResponse& metadata);
    void learnBroker(std::int32_t nodeId, const std::string& host, std::int32_t port);
    void lookUp(std::vector<std::string> keys, bool batched, Instant deadline,
                const std::shared_ptr<LookupRound>& round);
    void onLookup(const std::vector<std::string>& keys, bool batched, Instant deadline,
                  const std::shared_ptr<LookupRound>& round, const Result<Reply>& reply,
                  const std::string& where);

    asio::io_context& io_;
    const std::vector<HostPort> bootstrap_;
    const ConnectionOptions options_;
    const std::shared_ptr<NameLookup> names_;
    std::map<std::pair<std::string, std::uint16_t>, ConnectionPtr> connections_;
    std::map<std::int32_t, HostPort> brokers_;
    std::unordered_map<std::string, std::int32_t> coordinators_; ///< of ids that were asked for themselves
    std::vector<std::optional<std::int32_t>> partitionCoordinators_; ///< by partition of the transaction log
    std::size_t transactionPartitions_ = 0;                          ///< of the transaction log; 0: not known
    bool askedForTransactionLog_ = false;
    std::map<std::pair<std::string, std::int32_t>, std::int32_t> leaders_;
    std::unordered_set<std::shared_ptr<Operation>> operations_;
};

} // namespace bellwether::kafka::wire
