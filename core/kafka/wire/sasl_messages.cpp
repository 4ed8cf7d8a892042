// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/message_codec.h"

namespace bellwether::kafka::wire {
namespace {

// The type "bytes" has the length field of an array.
template<typename Io>
void bytes(Io& io, std::string_view field, Bytes& value) {
    io.array(field, value, [field](Io& each, std::uint8_t& byte) {
        auto number = static_cast<std::int8_t>(byte);
        each.i8(field, number);
        byte = static_cast<std::uint8_t>(number);
    });
}

template<typename Io>
void fields(Io& io, SaslHandshakeRequest& m, std::int16_t /*version*/) {
    io.string("Mechanism", m.mechanism);
}

template<typename Io>
void fields(Io& io, SaslHandshakeResponse& m, std::int16_t /*version*/) {
    io.i16("ErrorCode", m.errorCode);
    io.array("Mechanisms", m.mechanisms,
             [](Io& each, std::string& mechanism) { each.string("Mechanisms", mechanism); });
}

template<typename Io>
void fields(Io& io, SaslAuthenticateRequest& m, std::int16_t /*version*/) {
    bytes(io, "AuthBytes", m.authBytes);
    io.tagged();
}

template<typename Io>
void fields(Io& io, SaslAuthenticateResponse& m, std::int16_t version) {
    io.i16("ErrorCode", m.errorCode);
    io.nullableString("ErrorMessage", m.errorMessage);
    bytes(io, "AuthBytes", m.authBytes);
    if (version >= 1) {
        io.i64("SessionLifetimeMs", m.sessionLifetimeMs);
    }
    io.tagged();
}

} // namespace

BELLWETHER_WIRE_MESSAGE(SaslHandshakeRequest)
BELLWETHER_WIRE_MESSAGE(SaslHandshakeResponse)
BELLWETHER_WIRE_MESSAGE(SaslAuthenticateRequest)
BELLWETHER_WIRE_MESSAGE(SaslAuthenticateResponse)

} // namespace bellwether::kafka::wire
