// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include "coordination/result.h"
#include "kafka/kafka_config.h"

namespace bellwether::kafka::wire {

using Endpoints = std::vector<asio::ip::tcp::endpoint>;

/// One byte stream to a peer, used once. All calls and handlers happen on the I/O thread; a handler never
/// runs inside the call that took it. One read and one write may be outstanding at a time. What a stream
/// needs before bytes can flow (a TLS handshake) belongs to open().
class Stream {
public:
    virtual ~Stream() = default;
    using Done = std::function<void(std::optional<Error>)>;
    using ReadDone = std::function<void(Result<std::size_t>)>;

    /// Tries the endpoints in turn.
    virtual void open(Endpoints endpoints, Done done) = 0;
    /// At least one byte; the end of the stream is an `unreachable` error. `buffer` must live until `done`.
    virtual void readSome(asio::mutable_buffer buffer, ReadDone done) = 0;
    /// All the bytes, which must live until `done`.
    virtual void write(std::vector<asio::const_buffer> buffers, Done done) = 0;

    /// open() has a connection and waits for the peer's part of the TLS handshake.
    [[nodiscard]] virtual bool awaitsHandshake() const noexcept { return false; }

    /// Outstanding handlers are called with an error. Idempotent.
    virtual void close() = 0;
};

/// `peer` is the name that was asked for, before resolution: what a certificate has to name.
using StreamFactory = std::function<std::shared_ptr<Stream>(asio::io_context&, const HostPort& peer)>;

/// Plain TCP without delay.
[[nodiscard]] std::shared_ptr<Stream> makePlainStream(asio::io_context& io, const HostPort& peer);

} // namespace bellwether::kafka::wire
