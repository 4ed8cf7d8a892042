// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/messages.h"
#include "kafka/wire/sasl_exchange.h"

namespace bellwether::kafka::wire {

/// One login on one connection, from frames to frames: SaslHandshake v1, then SaslAuthenticate rounds
/// (KIP-43, KIP-152, KIP-255, KIP-368). Correlation ids are negative: those of requests are positive. Pure.
///
/// Failures: `refused` (bad credentials, with the broker's own words; a mechanism that is not enabled; a
/// listener without SASL; a broker that does not know the secret), `unsupported` (not advertised), `protocol`
/// (answers that make no sense, rounds without end).
class SaslLogin {
public:
    struct Subject {
        std::string mechanism;
        std::string who;
        std::string hint;
        std::string clientId;
    };

    SaslLogin(Subject subject, std::unique_ptr<SaslExchange> exchange, const ApiVersionsResponse& advertised);

    /// The first frame to send.
    [[nodiscard]] Result<Bytes> begin();
    /// The next frame to send after this one came; nothing: logged in.
    [[nodiscard]] Result<std::optional<Bytes>> onFrame(ByteView frame);

    /// Of the session that onFrame() completed; 0: without end.
    [[nodiscard]] std::int64_t sessionLifetimeMs() const noexcept { return lifetimeMs_; }

    /// "SaslHandshake" or "SaslAuthenticate": whose answer is due.
    [[nodiscard]] std::string_view awaited() const noexcept { return toString(awaited_); }

private:
    [[nodiscard]] Result<std::optional<Bytes>> onHandshake(ByteView body);
    [[nodiscard]] Result<std::optional<Bytes>> onAuthenticate(ByteView body);
    [[nodiscard]] Result<Bytes> authenticate(Bytes token);
    [[nodiscard]] Error refusal(const SaslAuthenticateResponse& answer) const;
    [[nodiscard]] Error named(Error error) const;

    const Subject subject_;
    const std::unique_ptr<SaslExchange> exchange_;
    const std::optional<VersionRange> handshakes_;
    const std::optional<VersionRange> authentications_;
    ApiKey awaited_ = ApiKey::saslHandshake;
    std::int16_t version_ = 1;
    std::int32_t id_ = 0;
    int rounds_ = 0;
    std::int64_t lifetimeMs_ = 0;
};

} // namespace bellwether::kafka::wire
