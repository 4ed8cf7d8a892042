// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/cluster_client.h"

#include <algorithm>
#include <limits>

#include <asio/post.hpp>
#include <fmt/format.h>

#include "kafka/wire/deadline.h"
#include "kafka/wire/kafka_error.h"
#include "kafka/wire/transaction_partition.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kKeysPerLookup = 1000;
constexpr std::size_t kManyIds = 200; ///< more than a lookup by partition takes
constexpr std::string_view kTransactionLog = "__transaction_state";
constexpr VersionRange kBatchedLookup{4, 4};
constexpr VersionRange kSingleLookup{1, 3};

bool isPort(std::int32_t port) {
    return port > 0 && port <= std::numeric_limits<std::uint16_t>::max();
}

} // namespace

struct ClusterClient::LookupRound {
    std::vector<Lookup> found;
    std::size_t open = 0; ///< requests
    LookupHandler handler;

    void closeOne() {
        if (--open == 0) {
            handler(std::move(found));
        }
    }
};

ClusterClient::ClusterClient(asio::io_context& io, std::vector<HostPort> bootstrap, ConnectionOptions options)
    : io_(io)
    , bootstrap_(std::move(bootstrap))
    , options_(std::move(options))
    , names_(std::make_shared<NameLookup>(io)) {}

void ClusterClient::run(const std::shared_ptr<Operation>& operation) {
    operations_.insert(operation);
    operation->start();
}

void ClusterClient::release(const std::shared_ptr<Operation>& operation) {
    operations_.erase(operation);
}

void ClusterClient::close(const Error& error) {
    const auto operations = std::move(operations_);
    operations_.clear();
    for (const auto& operation : operations) {
        operation->cancel(error);
    }
    for (const auto& [peer, connection] : connections_) {
        connection->close(error);
    }
    names_->close();
}

ConnectionPtr ClusterClient::connectionTo(const HostPort& peer) {
    auto& connection = connections_[{peer.host, peer.port}];
    if (!connection) {
        connection = std::make_shared<Connection>(io_, names_, peer, options_);
    }
    return connection;
}

ConnectionPtr ClusterClient::broker(std::int32_t nodeId) {
    const auto found = brokers_.find(nodeId);
    return found == brokers_.end() ? nullptr : connectionTo(found->second);
}

std::optional<Error> ClusterClient::trouble() const {
    for (const auto& [peer, connection] : connections_) {
        if (connection->lastError()) {
            return connection->lastError();
        }
    }
    return std::nullopt;
}

bool ClusterClient::anyAdvertises(ApiKey api) const {
    return std::any_of(connections_.begin(), connections_.end(), [&](const auto& each) {
        const auto& advertised = each.second->advertised();
        return advertised && advertised->versionsOf(api);
    });
}

std::vector<ConnectionPtr> ClusterClient::candidates() {
    std::vector<ConnectionPtr> all;
    const auto add = [&](const HostPort& peer) {
        const auto connection = connectionTo(peer);
        if (std::find(all.begin(), all.end(), connection) == all.end()) {
            all.push_back(connection);
        }
    };
    for (const auto& [nodeId, peer] : brokers_) {
        add(peer);
    }
    for (const auto& peer : bootstrap_) {
        add(peer);
    }
    return all;
}

void ClusterClient::learnBroker(std::int32_t nodeId, const std::string& host, std::int32_t port) {
    if (nodeId >= 0 && !host.empty() && isPort(port)) {
        brokers_[nodeId] = HostPort{host, static_cast<std::uint16_t>(port)};
    }
}

void ClusterClient::learn(const MetadataResponse& metadata) {
    if (!metadata.brokers.empty()) {
        // A broker that is gone for the moment is not listed, and its coordinators are still looked for
        // there; it stays known until another takes its node id.
        for (const auto& each : metadata.brokers) {
            learnBroker(each.nodeId, each.host, each.port);
        }
    }
    for (const auto& topic : metadata.topics) {
        if (!topic.name) {
            continue;
        }
        if (*topic.name == kTransactionLog && topic.errorCode == kNone && !topic.partitions.empty() &&
            transactionPartitions_ != topic.partitions.size()) {
            transactionPartitions_ = topic.partitions.size();
            partitionCoordinators_.assign(transactionPartitions_, std::nullopt);
        }
        for (const auto& partition : topic.partitions) {
            if (partition.leaderId >= 0) {
                leaders_[{*topic.name, partition.index}] = partition.leaderId;
            } else {
                leaders_.erase({*topic.name, partition.index});
            }
        }
    }
}

void ClusterClient::fetchMetadata(std::optional<std::string> topic, Instant deadline,
                                  MetadataHandler handler) {
    MetadataRequest request;
    if (topic) {
        request.topics->push_back(std::move(*topic));
    }
    askAnyBroker(
        io_, candidates(),
        {ApiKey::metadata, spokenVersions(ApiKey::metadata), encoderOf(std::move(request)), deadline},
        [weak = weak_from_this(), handler = std::move(handler)](const Result<Reply>& reply,
                                                                const ConnectionPtr& from) {
            const auto self = weak.lock();
            auto answer = decodeReply<MetadataResponse>(reply, from ? from->where() : std::string{});
            if (!answer) {
                handler(fail(std::move(answer).error()));
            } else if (answer->message.errorCode != kNone) {
                handler(fail(
                    brokerError(answer->message.errorCode, "the broker gives no metadata", from->where())));
            } else {
                if (self) {
                    self->learn(answer->message);
                }
                handler(std::move(answer->message));
            }
        });
}

std::optional<std::int32_t> ClusterClient::coordinatorOf(const std::string& id) const {
    if (!coordinators_.empty()) {
        const auto found = coordinators_.find(id);
        if (found != coordinators_.end()) {
            return found->second;
        }
    }
    return partitionCoordinators_.empty()
               ? std::nullopt
               : partitionCoordinators_[transactionPartition(id, partitionCoordinators_.size())];
}

void ClusterClient::forgetCoordinator(const std::string& id) {
    coordinators_.erase(id);
    if (!partitionCoordinators_.empty()) {
        partitionCoordinators_[transactionPartition(id, partitionCoordinators_.size())].reset();
    }
}

std::optional<std::int32_t> ClusterClient::leaderOf(const std::string& topic, std::int32_t partition) const {
    const auto found = leaders_.find({topic, partition});
    return found == leaders_.end() ? std::nullopt : std::optional(found->second);
}

void ClusterClient::findCoordinators(std::vector<std::string> ids, bool each, Instant deadline,
                                     LookupHandler handler) {
    if (each || ids.size() < kManyIds) {
        findEach(std::move(ids), deadline, std::move(handler));
        return;
    }
    if (askedForTransactionLog_) {
        findByPartition(std::move(ids), deadline, std::move(handler));
        return;
    }
    askedForTransactionLog_ = true; // once: who may not describe that topic is not asked to again
    fetchMetadata(std::string(kTransactionLog), deadline,
                  [self = shared_from_this(), ids = std::move(ids), deadline,
                   handler = std::move(handler)](const Result<MetadataResponse>&) mutable {
                      self->findByPartition(std::move(ids), deadline, std::move(handler));
                  });
}

void ClusterClient::findByPartition(std::vector<std::string> ids, Instant deadline, LookupHandler handler) {
    if (transactionPartitions_ == 0) {
        findEach(std::move(ids), deadline, std::move(handler));
        return;
    }
    auto groups = std::make_shared<std::unordered_map<std::string, std::vector<std::string>>>();
    std::map<std::size_t, std::string> asked;
    for (auto& id : ids) {
        const auto& representative =
            asked.try_emplace(transactionPartition(id, transactionPartitions_), id).first->second;
        (*groups)[representative].push_back(std::move(id));
    }
    std::vector<std::string> representatives;
    for (auto& [partition, id] : asked) {
        representatives.push_back(id);
    }
    findEach(std::move(representatives), deadline,
             [self = shared_from_this(), groups, deadline,
              handler = std::move(handler)](std::vector<Lookup> lookups) mutable {
                 std::vector<Lookup> found;
                 std::vector<std::string> alone;
                 for (auto& lookup : lookups) {
                     const bool ofThatIdOnly = !lookup.coordinator && isPermanent(lookup.coordinator.error());
                     if (lookup.coordinator) {
                         self->learnCoordinator(lookup.id, *lookup.coordinator);
                     }
                     for (auto& id : groups->at(lookup.id)) {
                         if (ofThatIdOnly && id != lookup.id) {
                             alone.push_back(std::move(id));
                             continue;
                         }
                         found.push_back({std::move(id), lookup.coordinator});
                     }
                 }
                 if (alone.empty()) {
                     handler(std::move(found));
                     return;
                 }
                 self->findEach(std::move(alone), deadline,
                                [found = std::move(found),
                                 handler = std::move(handler)](std::vector<Lookup> rest) mutable {
                                    found.insert(found.end(), std::make_move_iterator(rest.begin()),
                                                 std::make_move_iterator(rest.end()));
                                    handler(std::move(found));
                                });
             });
}

void ClusterClient::learnCoordinator(const std::string& representative, std::int32_t nodeId) {
    partitionCoordinators_[transactionPartition(representative, transactionPartitions_)] = nodeId;
    coordinators_.erase(representative); // known by its partition, like the others there
}

void ClusterClient::findEach(std::vector<std::string> ids, Instant deadline, LookupHandler handler) {
    auto round = std::make_shared<LookupRound>();
    round->handler = std::move(handler);
    if (ids.empty()) {
        round->open = 1;
        asio::post(io_, [round] { round->closeOne(); });
        return;
    }
    for (std::size_t begin = 0; begin < ids.size(); begin += kKeysPerLookup) {
        const auto end = std::min(begin + kKeysPerLookup, ids.size());
        lookUp({ids.begin() + static_cast<std::ptrdiff_t>(begin),
                ids.begin() + static_cast<std::ptrdiff_t>(end)},
               true, deadline, round);
    }
}

void ClusterClient::lookUp(std::vector<std::string> keys, bool batched, Instant deadline,
                           const std::shared_ptr<LookupRound>& round) {
    ++round->open;
    FindCoordinatorRequest request;
    request.keys = keys;
    askAnyBroker(io_, candidates(),
                 {ApiKey::findCoordinator, batched ? kBatchedLookup : kSingleLookup,
                  encoderOf(std::move(request)), deadline},
                 [self = shared_from_this(), keys = std::move(keys), batched, deadline,
                  round](const Result<Reply>& reply, const ConnectionPtr& from) {
                     self->onLookup(keys, batched, deadline, round, reply,
                                    from ? from->where() : std::string{});
                     round->closeOne();
                 });
}

void ClusterClient::onLookup(const std::vector<std::string>& keys, bool batched, Instant deadline,
                             const std::shared_ptr<LookupRound>& round, const Result<Reply>& reply,
                             const std::string& where) {
    if (!reply && batched && reply.error().code == ErrorCode::unsupported) {
        for (const auto& key : keys) {
            lookUp({key}, false, deadline, round);
        }
        return;
    }
    auto answer = decodeReply<FindCoordinatorResponse>(reply, where);
    if (!answer) {
        for (const auto& key : keys) {
            round->found.push_back({key, fail(answer.error())});
        }
        return;
    }
    std::unordered_map<std::string, const FindCoordinatorResponse::Coordinator*> byKey;
    for (const auto& each : answer->message.coordinators) {
        byKey[batched ? each.key : keys.front()] = &each;
    }
    for (const auto& key : keys) {
        const auto found = byKey.find(key);
        if (found == byKey.end()) {
            round->found.push_back(
                {key, fail(ErrorCode::protocol, "FindCoordinator was answered without this role", where)});
            continue;
        }
        const auto& coordinator = *found->second;
        if (coordinator.errorCode != kNone) {
            round->found.push_back({key, fail(brokerError(coordinator.errorCode,
                                                          "the role's coordinator cannot be found", where))});
            continue;
        }
        learnBroker(coordinator.nodeId, coordinator.host, coordinator.port);
        coordinators_[key] = coordinator.nodeId;
        round->found.push_back({key, coordinator.nodeId});
    }
}

} // namespace bellwether::kafka::wire
