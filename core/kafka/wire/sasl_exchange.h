// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "kafka/kafka_config.h"
#include "kafka/wire/reader.h"

namespace bellwether::kafka::wire {

/// The client's side of one SASL exchange (RFC 4422), used once. Pure bytes in, bytes out. Failures: the
/// broker's bytes make no sense (`protocol`), or it cannot prove that it knows the secret (`refused`).
class SaslExchange {
public:
    virtual ~SaslExchange() = default;
    /// The client's first message; may be empty.
    [[nodiscard]] virtual Result<Bytes> first() = 0;
    /// The answer to the broker's message; nothing when the exchange is over and the broker was found to be
    /// what it has to be.
    [[nodiscard]] virtual Result<std::optional<Bytes>> next(ByteView challenge) = 0;
};

/// Who logs in, and how: one for all connections of an authority. On the I/O thread.
class SaslCredentials {
public:
    virtual ~SaslCredentials() = default;
    /// As SaslHandshake names it.
    [[nodiscard]] virtual const std::string& mechanism() const = 0;
    /// For messages: "user \"ann\""; never a secret.
    [[nodiscard]] virtual std::string who() const = 0;
    /// What to look at when the broker refuses: property names.
    [[nodiscard]] virtual std::string hint() const = 0;

    using Handler = std::function<void(Result<std::unique_ptr<SaslExchange>>)>;
    /// A new exchange with `peer` (the name that was asked for). The handler runs once on the I/O thread,
    /// never inside the call; or never, after close(). What may block (a token endpoint, a KDC) runs on
    /// another thread.
    virtual void begin(const HostPort& peer, Handler handler) = 0;

    /// The broker refused what an exchange said: what is cached is of no use.
    virtual void refused() {}

    /// Handlers not called yet are dropped; begin() may not be called after that.
    virtual void close() = 0;
};

} // namespace bellwether::kafka::wire
