// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/message_codec.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::int16_t kFirstBatched = 4;

template<typename Io>
void fields(Io& io, FindCoordinatorRequest& m, std::int16_t version) {
    if (version < kFirstBatched) {
        m.keys.resize(1);
        io.string("Key", m.keys.front());
    }
    io.i8("KeyType", m.keyType);
    if (version >= kFirstBatched) {
        io.array("CoordinatorKeys", m.keys,
                 [](Io& each, std::string& key) { each.string("CoordinatorKeys", key); });
    }
    io.tagged();
}

template<typename Io>
void fields(Io& io, FindCoordinatorResponse& m, std::int16_t version) {
    io.i32("ThrottleTimeMs", m.throttleTimeMs);
    if (version < kFirstBatched) {
        m.coordinators.resize(1);
        auto& only = m.coordinators.front();
        io.i16("ErrorCode", only.errorCode);
        io.nullableString("ErrorMessage", only.errorMessage);
        io.i32("NodeId", only.nodeId);
        io.string("Host", only.host);
        io.i32("Port", only.port);
    } else {
        io.array("Coordinators", m.coordinators, [](Io& each, FindCoordinatorResponse::Coordinator& c) {
            each.string("Coordinators.Key", c.key);
            each.i32("Coordinators.NodeId", c.nodeId);
            each.string("Coordinators.Host", c.host);
            each.i32("Coordinators.Port", c.port);
            each.i16("Coordinators.ErrorCode", c.errorCode);
            each.nullableString("Coordinators.ErrorMessage", c.errorMessage);
            each.tagged();
        });
    }
    io.tagged();
}

} // namespace

// Below v4 a request carries one key: the caller sends one request per key.
BELLWETHER_WIRE_MESSAGE(FindCoordinatorRequest)
BELLWETHER_WIRE_MESSAGE(FindCoordinatorResponse)

} // namespace bellwether::kafka::wire
