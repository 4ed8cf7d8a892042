// SPDX-License-Identifier: Apache-2.0
// SASL on a connection: the login before the first request, and again before a session ends (KIP-368).
#include "kafka/wire/connection.h"

#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

Instant now() {
    return std::chrono::steady_clock::now();
}

constexpr int kClosesOfARefusal = 3;

constexpr std::string_view nameOf(bool tls, bool sasl) {
    return tls ? (sasl ? "SASL_SSL" : "SSL") : (sasl ? "SASL_PLAINTEXT" : "PLAINTEXT");
}

} // namespace

void Connection::logIn() {
    login_.reset();
    awaitsCredentials_ = true;
    options_.credentials->begin(
        peer_, guarded([](Connection& self, auto exchange) { self.onCredentials(std::move(exchange)); }));
}

void Connection::onCredentials(Result<std::unique_ptr<SaslExchange>> exchange) {
    awaitsCredentials_ = false;
    if (!exchange) {
        auto error = std::move(exchange).error();
        error.what = fmt::format("the {} login of {} cannot begin: {}", options_.credentials->mechanism(),
                                 options_.credentials->who(), error.what);
        loginFailed(std::move(error));
        return;
    }
    const auto& credentials = *options_.credentials;
    login_.emplace(
        SaslLogin::Subject{credentials.mechanism(), credentials.who(), credentials.hint(), options_.clientId},
        std::move(*exchange), *advertised_);
    auto frame = login_->begin();
    if (!frame) {
        loginFailed(std::move(frame).error());
        return;
    }
    write({std::move(*frame)});
}

void Connection::onLoginFrame(ByteView frame) {
    auto next = login_->onFrame(frame);
    if (!next) {
        loginFailed(std::move(next).error());
        return;
    }
    if (*next) {
        write({std::move(**next)});
        return;
    }
    renewAt_.reset();
    sessionServed_ = false;
    // The longest session that the clock here can add up; a broker names hours.
    const auto lifetime = std::min(login_->sessionLifetimeMs(), std::int64_t{1'000'000'000'000});
    if (lifetime > 0) {
        const auto percent = std::uniform_int_distribution<std::int64_t>(85, 95)(random_);
        renewAt_ = now() + Millis{lifetime * percent / 100};
    }
    login_.reset();
    becomeReady();
}

void Connection::loginFailed(Error error) {
    loginFailed_ = true;
    if (error.code == ErrorCode::refused) {
        options_.credentials->refused();
    }
    breakDown(std::move(error));
}

bool Connection::isRenewalDue() const {
    // However short a session, each serves some requests.
    return renewAt_ && sessionServed_ && now() >= *renewAt_;
}

// Requests wait; those in flight are answered first, since answers come in the order of their requests.
void Connection::renew() {
    if (state_ == State::ready) {
        state_ = State::renewing;
        armSetupTimer();
    }
    if (!writing_ && !login_ && !awaitsCredentials_ && !queue_.awaitsAnswer()) {
        logIn();
    }
}

std::string Connection::awaited() const {
    if (!connected_) {
        return stream_ && stream_->awaitsHandshake() ? "connected, but no answer to the TLS handshake"
                                                     : "no connection";
    }
    if (awaitsCredentials_) {
        return fmt::format("connected, but no credentials for {}", options_.credentials->mechanism());
    }
    if (state_ == State::renewing && !login_) {
        return "the session ends, but no answer to what was asked before";
    }
    return fmt::format("connected, but no answer to {}", login_ ? login_->awaited() : "ApiVersions");
}

Error Connection::explain(Error error) {
    if (error.where.empty() || !loginFailed_) { // a token endpoint has an address of its own
        error.where = where_;
    }
    if (error.code != ErrorCode::unreachable || !connected_ || !error.hint.empty()) {
        return error;
    }
    const bool sasl = options_.credentials != nullptr;
    if (!heard_) {
        error.what += " without an answer";
        error.hint =
            options_.tls
                ? "does the listener want a client certificate? set ssl.certificate.location "
                  "and ssl.key.location"
                : fmt::format("is this a TLS port? then set security.protocol={}", nameOf(true, sasl));
    } else if (login_) {
        error.what += fmt::format(" during the {} login of {}", options_.credentials->mechanism(),
                                  options_.credentials->who());
        error.hint = "the broker's log tells why; is this a SASL listener?";
    } else if (!answered_ && !sasl) {
        error.what += " after the negotiation";
        error.hint = fmt::format("if it does so again: does the listener want SASL? set security.protocol={}",
                                 nameOf(options_.tls, true));
        // A broker that goes down closes once; one that comes up, negotiates and closes again and again wants
        // a login first.
        if (++closedAfterNegotiation_ >= kClosesOfARefusal) {
            error.code = ErrorCode::refused;
            error.retriable = false;
            error.hint = fmt::format("the listener seems to want SASL: set security.protocol={}",
                                     nameOf(options_.tls, true));
        }
    } else if (!answered_) {
        error.what += " after the login";
    }
    return error;
}

} // namespace bellwether::kafka::wire
