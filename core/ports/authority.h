// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coordination/evidence.h"

namespace bellwether {

struct BrokerInfo {
    std::int32_t nodeId = -1;
    std::string host;
    std::int32_t port = 0;
    bool reachable = false; ///< an answer came within the last request's deadline
};

/// What the cluster says of itself.
struct ClusterInfo {
    std::string clusterId;
    std::int32_t controllerId = -1;
    std::vector<BrokerInfo> brokers;
    /// Finalized feature transaction.version (ApiVersions v3+); nothing where the broker has none
    /// (before 4.0).
    std::optional<std::int16_t> transactionVersion;
    /// False when no broker advertises DescribeTransactions (before 3.0): the cluster cannot be asked.
    bool canDescribe = true;
};

struct RoleAnswer {
    Role role;
    CoordinatorAnswer answer;
};

/// DescribeProducers of one partition.
struct ProducersAnswer {
    std::int32_t partition = 0;
    Result<std::vector<PartitionProducer>> producers;
};

/// A transactional id as its coordinator lists it.
struct ListedTransaction {
    std::string transactionalId; ///< bytes
    std::int64_t producerId = -1;
    TransactionState state = TransactionState::unknown;

    bool operator==(const ListedTransaction&) const = default;
};

/// ListTransactions of every broker, joined. Who may not describe an id is not told of it, so that what is
/// missing proves nothing.
struct TransactionListing {
    std::vector<ListedTransaction> found;
    std::vector<Error> silent; ///< one for each broker that gave no answer
};

/// Answers who holds the epoch. Thread safe. Handlers run on the implementation's own thread, one at a time,
/// must not block, and must not call close(). No call blocks.
class Authority {
public:
    virtual ~Authority() = default;

    using RolesHandler = std::function<void(std::vector<RoleAnswer> answers, bool last)>;
    using ProducersHandler = std::function<void(std::vector<ProducersAnswer> answers)>;
    using ListingHandler = std::function<void(TransactionListing listing)>;
    using ClusterHandler = std::function<void(Result<ClusterInfo>)>;

    /// DescribeTransactions for many roles, one request per coordinator. The handler is called once per batch
    /// of answers as they come, the last time with last = true; every role gets exactly one answer, at the
    /// latest when `timeout` is over (then kind = failed with code timeout). One coordinator's failure or
    /// silence does not delay the others' answers.
    virtual void describeRoles(std::vector<Role> roles, Millis timeout, RolesHandler handler) = 0;

    /// DescribeProducers for partitions of the topic, one request per leader; called once, every partition
    /// once.
    virtual void describeProducers(std::string topic, std::vector<std::int32_t> partitions, Millis timeout,
                                   ProducersHandler handler) = 0;

    /// ListTransactions (KIP-664) for the ids that have one of these producerIds, one request per broker;
    /// called once.
    virtual void listTransactions(std::vector<std::int64_t> producerIds, Millis timeout,
                                  ListingHandler handler) = 0;

    /// Brokers, controller, features.
    virtual void describeCluster(Millis timeout, ClusterHandler handler) = 0;

    /// Outstanding handlers are called with failed/closed answers, then no more. Idempotent.
    virtual void close() = 0;
};

/// Blocking convenience for command lines and members: all answers, in the order of `roles`.
[[nodiscard]] std::vector<RoleAnswer> describeRolesAndWait(Authority& authority, std::vector<Role> roles,
                                                           Millis timeout);
[[nodiscard]] std::vector<ProducersAnswer> describeProducersAndWait(Authority& authority, std::string topic,
                                                                    std::vector<std::int32_t> partitions,
                                                                    Millis timeout);
[[nodiscard]] TransactionListing
listTransactionsAndWait(Authority& authority, std::vector<std::int64_t> producerIds, Millis timeout);
[[nodiscard]] Result<ClusterInfo> describeClusterAndWait(Authority& authority, Millis timeout);

} // namespace bellwether
