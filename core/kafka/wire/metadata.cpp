// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/message_codec.h"

namespace bellwether::kafka::wire {
namespace {

// "Not asked for" in the bit fields of authorized operations.
constexpr std::int32_t kNoOperations = std::numeric_limits<std::int32_t>::min();

template<typename Io>
void fields(Io& io, MetadataRequest& m, std::int16_t version) {
    io.nullableArray("Topics", m.topics, [&](Io& each, std::string& name) {
        if (version >= 10) {
            each.uuid("Topics.TopicId");
        }
        each.string("Topics.Name", name);
        each.tagged();
    });
    io.boolean("AllowAutoTopicCreation", m.allowAutoTopicCreation);
    bool operations = false;
    if (version >= 8 && version <= 10) {
        io.boolean("IncludeClusterAuthorizedOperations", operations);
    }
    if (version >= 8) {
        io.boolean("IncludeTopicAuthorizedOperations", operations);
    }
    io.tagged();
}

template<typename Io>
void partition(Io& io, MetadataResponse::Partition& p, std::int16_t version) {
    const auto node = [](Io& each, std::int32_t& id) { each.i32("Topics.Partitions.(node)", id); };
    io.i16("Topics.Partitions.ErrorCode", p.errorCode);
    io.i32("Topics.Partitions.PartitionIndex", p.index);
    io.i32("Topics.Partitions.LeaderId", p.leaderId);
    if (version >= 7) {
        io.i32("Topics.Partitions.LeaderEpoch", p.leaderEpoch);
    }
    io.array("Topics.Partitions.ReplicaNodes", p.replicas, node);
    io.array("Topics.Partitions.IsrNodes", p.inSync, node);
    if (version >= 5) {
        io.array("Topics.Partitions.OfflineReplicas", p.offline, node);
    }
    io.tagged();
}

template<typename Io>
void topic(Io& io, MetadataResponse::Topic& t, std::int16_t version) {
    io.i16("Topics.ErrorCode", t.errorCode);
    if (version >= 12) {
        io.nullableString("Topics.Name", t.name);
    } else {
        std::string name = t.name.value_or(std::string{});
        io.string("Topics.Name", name);
        t.name = std::move(name);
    }
    if (version >= 10) {
        io.uuid("Topics.TopicId");
    }
    io.boolean("Topics.IsInternal", t.isInternal);
    io.array("Topics.Partitions", t.partitions,
             [&](Io& each, MetadataResponse::Partition& p) { partition(each, p, version); });
    if (version >= 8) {
        auto operations = kNoOperations;
        io.i32("Topics.TopicAuthorizedOperations", operations);
    }
    io.tagged();
}

template<typename Io>
void fields(Io& io, MetadataResponse& m, std::int16_t version) {
    io.i32("ThrottleTimeMs", m.throttleTimeMs);
    io.array("Brokers", m.brokers, [](Io& each, MetadataResponse::Broker& broker) {
        each.i32("Brokers.NodeId", broker.nodeId);
        each.string("Brokers.Host", broker.host);
        each.i32("Brokers.Port", broker.port);
        each.nullableString("Brokers.Rack", broker.rack);
        each.tagged();
    });
    io.nullableString("ClusterId", m.clusterId);
    io.i32("ControllerId", m.controllerId);
    io.array("Topics", m.topics, [&](Io& each, MetadataResponse::Topic& t) { topic(each, t, version); });
    if (version >= 8 && version <= 10) {
        auto operations = kNoOperations;
        io.i32("ClusterAuthorizedOperations", operations);
    }
    if (version >= 13) {
        io.i16("ErrorCode", m.errorCode);
    }
    io.tagged();
}

} // namespace

BELLWETHER_WIRE_MESSAGE(MetadataRequest)
BELLWETHER_WIRE_MESSAGE(MetadataResponse)

} // namespace bellwether::kafka::wire
