// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/messages.h"
#include "kafka/wire/writer.h"

// For the sources that describe a message: after an overload of
//     template <typename Io> void fields(Io& io, Message& message, std::int16_t version)
// that runs over the message's fields in wire order, BELLWETHER_WIRE_MESSAGE(Message) defines encode and
// decode.
#define BELLWETHER_WIRE_MESSAGE(Message)                                                                     \
    template<>                                                                                               \
    Result<Bytes> encode(const Message& message, std::int16_t version) {                                     \
        Writer writer(Message::kName, version, isFlexible(Message::kApi, version));                          \
        auto copy = message;                                                                                 \
        fields(writer, copy, version);                                                                       \
        return std::move(writer).finish();                                                                   \
    }                                                                                                        \
    template<>                                                                                               \
    Result<Message> decode(ByteView body, std::int16_t version) {                                            \
        Reader reader(body, Message::kName, version, isFlexible(Message::kApi, version));                    \
        Message message;                                                                                     \
        fields(reader, message, version);                                                                    \
        reader.expectEnd();                                                                                  \
        if (!reader.ok()) {                                                                                  \
            return fail(*reader.error());                                                                    \
        }                                                                                                    \
        return message;                                                                                      \
    }
