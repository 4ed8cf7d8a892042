// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ssl/stream.hpp>

#include "kafka/kafka_config.h"
#include "kafka/wire/tls_context.h"

namespace bellwether::kafka::wire {

/// A TCP connection that is not yet made, with a TLS session over it, and what is seen in it.
struct TlsSession {
    TlsAttempt attempt;
    std::optional<asio::ssl::stream<asio::ip::tcp::socket>> socket;

    /// The peer said something.
    [[nodiscard]] bool heard();
};

/// What a certificate has to name, and the server name that is sent unless it is an address: without the dot
/// of a full DNS name, without the zone of an address.
[[nodiscard]] std::string tlsNameOf(const HostPort& peer);

/// Null: OpenSSL does not take the name.
[[nodiscard]] std::shared_ptr<TlsSession> makeTlsSession(asio::io_context& io, const std::string& name,
                                                         const TlsContext& context);

} // namespace bellwether::kafka::wire
