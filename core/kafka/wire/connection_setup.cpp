// SPDX-License-Identifier: Apache-2.0
// How a connection comes up: resolve, open, negotiate.
#include "kafka/wire/connection.h"

#include <algorithm>

#include <fmt/format.h>

#include "kafka/wire/kafka_error.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::int32_t kNegotiationId = 0; ///< RequestQueue starts at 1
constexpr std::int16_t kFirstTry = 3;      ///< of ApiVersions: finalized features, known since Kafka 2.4

} // namespace

void Connection::beginSetup() {
    state_ = State::setup;
    dropStream();
    frames_ = FrameAssembler(std::min(options_.maxEarlyFrame, options_.maxFrame));
    connected_ = heard_ = answered_ = loginFailed_ = false;
    armSetupTimer();
    names_->resolve(peer_, guarded([](Connection& self, Result<Endpoints> endpoints) {
                        self.onResolved(std::move(endpoints));
                    }));
}

void Connection::armSetupTimer() {
    setupTimer_.expires_after(options_.setupTimeout);
    setupTimer_.async_wait(guarded([](Connection& self, const asio::error_code& cancelled) {
        if (cancelled || (self.state_ != State::setup && self.state_ != State::renewing)) {
            return;
        }
        Error error;
        error.code = ErrorCode::timeout;
        error.retriable = true;
        error.what = fmt::format("{} within {} ms", self.awaited(), self.options_.setupTimeout.count());
        error.hint =
            self.stream_ && self.stream_->awaitsHandshake()
                ? "the port does not speak TLS (then security.protocol=PLAINTEXT or SASL_PLAINTEXT), or "
                  "the broker is stopped or overloaded"
            : self.connected_ ? "the broker is stopped or overloaded, or the port speaks another protocol "
                                "(a TLS port needs security.protocol=SSL or SASL_SSL)"
                              : "check the address, the network and the firewall";
        self.breakDown(std::move(error));
    }));
}

void Connection::onResolved(Result<Endpoints> endpoints) {
    if (!endpoints) {
        breakDown(std::move(endpoints).error());
        return;
    }
    stream_ = options_.makeStream(io_, peer_);
    stream_->open(std::move(*endpoints), guarded([](Connection& self, std::optional<Error> error) {
                      if (error) {
                          self.breakDown(std::move(*error));
                          return;
                      }
                      self.connected_ = true;
                      self.read();
                      self.negotiate(kFirstTry);
                  }));
}

void Connection::negotiate(std::int16_t version) {
    negotiating_ = version;
    const auto body = encode(ApiVersionsRequest{"bellwether", "0.1"}, version).value_or(Bytes{});
    write({requestFrame(ApiKey::apiVersions, version, kNegotiationId, options_.clientId, body)});
}

void Connection::onNegotiated(ByteView frame) {
    const auto version = *negotiating_;
    const auto id = correlationIdOf(frame);
    const auto offset = responseBodyOffset(ApiKey::apiVersions, version, frame);
    if (!id || !offset || *id != kNegotiationId) {
        Error error;
        error.code = ErrorCode::protocol;
        error.what = "the peer's first answer is none of Kafka's";
        error.hint = "is this the port of a Kafka broker? check the address and security.protocol";
        breakDown(std::move(error));
        return;
    }
    const auto body = frame.subspan(*offset);
    // A broker that does not know the version answers in version 0, whatever was asked (KIP-511).
    const bool refused = version != 0 && body.size() >= 2 && body[0] == 0 && body[1] == kUnsupportedVersion;
    auto answer = decode<ApiVersionsResponse>(body, refused ? std::int16_t{0} : version);
    if (refused) {
        const auto theirs = answer ? answer->versionsOf(ApiKey::apiVersions) : std::nullopt;
        const auto next =
            theirs ? commonVersion({0, static_cast<std::int16_t>(version - 1)}, *theirs) : std::nullopt;
        negotiate(next.value_or(std::int16_t{0}));
        return;
    }
    if (!answer) {
        breakDown(std::move(answer).error());
        return;
    }
    if (answer->errorCode != kNone) {
        breakDown(brokerError(answer->errorCode, "the broker refuses to say what it supports", {}));
        return;
    }
    negotiating_.reset();
    advertised_ = std::move(*answer);
    if (options_.credentials) {
        logIn();
    } else {
        becomeReady();
    }
}

void Connection::becomeReady() {
    state_ = State::ready;
    rank_ = 0;
    lastError_.reset();
    setupTimer_.cancel();
    frames_.setLimit(options_.maxFrame);
    flush();
}

} // namespace bellwether::kafka::wire
