// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/sasl_login.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coordination/display_text.h"
#include "kafka/wire/kafka_error.h"

namespace bellwether::kafka::wire {
namespace {

constexpr int kMaxRounds = 16; ///< GSSAPI, the longest, takes four
constexpr std::size_t kMaxQuoted = 300;
constexpr std::size_t kMaxListed = 20;

/// A peer's text, fit for one line.
std::string quoted(std::string_view text) {
    return displayText(text.substr(0, kMaxQuoted)) + (text.size() > kMaxQuoted ? "..." : "");
}

std::string listed(const std::vector<std::string>& mechanisms) {
    std::vector<std::string> names;
    for (const auto& each : mechanisms) {
        if (names.size() == kMaxListed) {
            names.emplace_back("...");
            break;
        }
        names.push_back(quoted(each));
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

SaslLogin::SaslLogin(Subject subject, std::unique_ptr<SaslExchange> exchange,
                     const ApiVersionsResponse& advertised)
    : subject_(std::move(subject))
    , exchange_(std::move(exchange))
    , handshakes_(advertised.versionsOf(ApiKey::saslHandshake))
    , authentications_(advertised.versionsOf(ApiKey::saslAuthenticate)) {}

Result<Bytes> SaslLogin::begin() {
    if (!handshakes_ || !commonVersion(spokenVersions(ApiKey::saslHandshake), *handshakes_) ||
        !authentications_ || !commonVersion(spokenVersions(ApiKey::saslAuthenticate), *authentications_)) {
        return fail(ErrorCode::unsupported,
                    "the broker offers no SASL login that this client speaks (SaslHandshake 1, "
                    "SaslAuthenticate 0 to 2)",
                    {}, "Kafka 1.0 or later is needed");
    }
    auto body = encode(SaslHandshakeRequest{subject_.mechanism}, version_);
    if (!body) {
        return body;
    }
    return requestFrame(ApiKey::saslHandshake, version_, --id_, subject_.clientId, *body);
}

Result<std::optional<Bytes>> SaslLogin::onFrame(ByteView frame) {
    const auto id = correlationIdOf(frame);
    const auto offset = responseBodyOffset(awaited_, version_, frame);
    if (!id || !offset || *id != id_) {
        return fail(ErrorCode::protocol, fmt::format("the peer's answer to {} is none of Kafka's", awaited()),
                    {}, "is this the port of a Kafka broker? check the address and security.protocol");
    }
    const auto body = frame.subspan(*offset);
    return awaited_ == ApiKey::saslHandshake ? onHandshake(body) : onAuthenticate(body);
}

Result<std::optional<Bytes>> SaslLogin::onHandshake(ByteView body) {
    const auto answer = decode<SaslHandshakeResponse>(body, version_);
    if (!answer) {
        return fail(answer.error());
    }
    if (answer->errorCode == kUnsupportedSaslMechanism) {
        auto error = brokerError(answer->errorCode, {}, {});
        error.what =
            answer->mechanisms.empty()
                ? fmt::format("the broker's listener does not enable the SASL mechanism {}",
                              subject_.mechanism)
                : fmt::format("the broker's listener does not enable the SASL mechanism {}; it enables {}",
                              subject_.mechanism, listed(answer->mechanisms));
        error.hint = "set sasl.mechanism to one that the listener enables";
        return fail(std::move(error));
    }
    if (answer->errorCode == kIllegalSaslState) {
        auto error = brokerError(answer->errorCode, {}, {});
        error.what = "the broker's listener knows no SASL";
        error.hint = "name the port of a SASL listener, or set security.protocol to PLAINTEXT (SSL over TLS)";
        return fail(std::move(error));
    }
    if (answer->errorCode != kNone) {
        return fail(brokerError(answer->errorCode, "the broker refuses SaslHandshake", {}));
    }
    auto token = exchange_->first();
    if (!token) {
        return fail(named(std::move(token).error()));
    }
    auto frame = authenticate(std::move(*token));
    if (!frame) {
        return fail(std::move(frame).error());
    }
    return std::move(*frame);
}

Result<Bytes> SaslLogin::authenticate(Bytes token) {
    if (++rounds_ > kMaxRounds) {
        return fail(
            ErrorCode::protocol,
            fmt::format("the broker's {} login does not end after {} rounds", subject_.mechanism, kMaxRounds),
            {}, "is this the port of a Kafka broker? check the address");
    }
    awaited_ = ApiKey::saslAuthenticate;
    version_ = *commonVersion(spokenVersions(awaited_), *authentications_);
    auto body = encode(SaslAuthenticateRequest{std::move(token)}, version_);
    if (!body) {
        return body;
    }
    return requestFrame(awaited_, version_, --id_, subject_.clientId, *body);
}

Result<std::optional<Bytes>> SaslLogin::onAuthenticate(ByteView body) {
    const auto answer = decode<SaslAuthenticateResponse>(body, version_);
    if (!answer) {
        return fail(answer.error());
    }
    if (answer->errorCode != kNone) {
        return fail(refusal(*answer));
    }
    auto token = exchange_->next(answer->authBytes);
    if (!token) {
        return fail(named(std::move(token).error()));
    }
    if (!*token) {
        lifetimeMs_ = answer->sessionLifetimeMs;
        return std::optional<Bytes>{};
    }
    auto frame = authenticate(std::move(**token));
    if (!frame) {
        return fail(std::move(frame).error());
    }
    return std::move(*frame);
}

Error SaslLogin::refusal(const SaslAuthenticateResponse& answer) const {
    auto error = brokerError(answer.errorCode, {}, {});
    error.what = fmt::format("the broker refuses the {} login of {}: {}", subject_.mechanism, subject_.who,
                             answer.errorMessage && !answer.errorMessage->empty()
                                 ? fmt::format("\"{}\"", quoted(*answer.errorMessage))
                                 : fmt::format("{} ({})", nameOf(answer.errorCode), answer.errorCode));
    if (answer.errorCode == kSaslAuthenticationFailed) {
        error.hint = subject_.hint;
    }
    return error;
}

Error SaslLogin::named(Error error) const {
    error.what = fmt::format("the {} login of {} failed: {}", subject_.mechanism, subject_.who, error.what);
    return error;
}

} // namespace bellwether::kafka::wire
