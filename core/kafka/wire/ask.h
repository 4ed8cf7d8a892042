// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/connection.h"
#include "kafka/wire/messages.h"

namespace bellwether::kafka::wire {

using ConnectionPtr = std::shared_ptr<Connection>;

/// A decoded answer with the moments of its Reply.
template<typename Message>
struct Answer {
    Message message;
    std::int16_t version = 0;
    std::string where; ///< host:port of the broker that answered
    Instant sentAt;
    Instant receivedAt;
    WallTime receivedWall{};
};

template<typename Message>
[[nodiscard]] Result<Answer<Message>> decodeReply(const Result<Reply>& reply, const std::string& where) {
    if (!reply) {
        return fail(reply.error());
    }
    auto message = decode<Message>(reply->body(), reply->version);
    if (!message) {
        auto error = std::move(message).error();
        error.where = where;
        return fail(std::move(error));
    }
    return Answer<Message>{std::move(*message), reply->version,    where,
                           reply->sentAt,       reply->receivedAt, reply->receivedWall};
}

template<typename Request>
[[nodiscard]] Encoder encoderOf(Request request) {
    return [request = std::move(request)](std::int16_t version) { return encode(request, version); };
}

/// One request to one broker; the handler runs on the I/O thread, never inside the call.
template<typename Response, typename Request, typename Handler>
void ask(const ConnectionPtr& connection, Request request, Instant deadline, Handler handler) {
    connection->send(Request::kApi, spokenVersions(Request::kApi), encoderOf(std::move(request)), deadline,
                     [handler = std::move(handler), where = connection->where()](const Result<Reply>& reply) {
                         handler(decodeReply<Response>(reply, where));
                     });
}

} // namespace bellwether::kafka::wire
