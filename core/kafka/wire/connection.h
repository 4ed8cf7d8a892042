// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <random>

#include <asio/steady_timer.hpp>

#include "coordination/time.h"
#include "kafka/kafka_config.h"
#include "kafka/wire/frame_assembler.h"
#include "kafka/wire/name_lookup.h"
#include "kafka/wire/request_queue.h"
#include "kafka/wire/sasl_login.h"
#include "kafka/wire/stream.h"

namespace bellwether::kafka::wire {

struct ConnectionOptions {
    std::string clientId = "bellwether";
    StreamFactory makeStream = makePlainStream;
    bool tls = false; ///< what makeStream makes is protected; for messages
    /// Null: no SASL. Closed by whoever made it.
    std::shared_ptr<SaslCredentials> credentials;
    /// Name lookup, connect, negotiation and login together.
    Millis setupTimeout{5'000};
    Millis backOffMin{50};
    Millis backOffMax{1'000};
    /// After a failed login: an account must not be locked by asking again and again.
    Millis loginBackOffMin{500};
    Millis loginBackOffMax{10'000};
    std::size_t maxFrame = std::size_t{64} << 20;
    /// Until a peer has shown that it is a broker and accepts this client.
    std::size_t maxEarlyFrame = std::size_t{1} << 20;
};

/// One broker's address: connects when there is something to send, negotiates ApiVersions, pipelines
/// requests, keeps the connection while it is idle, reconnects with exponential back-off. Requests are all
/// reads, so one that a silent peer left unanswered may be written again. On the I/O thread only; handlers
/// never run inside a call.
///
/// Failures: `unreachable` (resolve, connect, closed by the peer: every outstanding request fails), `timeout`
/// (that request alone; every one when connecting takes too long), `protocol` (bytes that are no Kafka
/// answer: every outstanding request), `unsupported` (not advertised by the broker: that request alone),
/// `refused` (the login: every outstanding request, and until the next attempt every new one at once),
/// `closed`.
class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(asio::io_context& io, std::shared_ptr<NameLookup> names, HostPort peer,
               ConnectionOptions options);

    /// The highest version that the broker advertises among `versions` is used. `deadline` covers the time in
    /// the queue, too.
    void send(ApiKey api, VersionRange versions, Encoder encoder, Instant deadline, ReplyHandler handler);
    /// Fails everything outstanding with `error`; the connection is of no use after that.
    void close(const Error& error);

    /// What the broker answered when the present connection was negotiated, or the last one before it.
    [[nodiscard]] const std::optional<ApiVersionsResponse>& advertised() const noexcept {
        return advertised_;
    }

    /// 0: answered last time; 1: not tried; 2: slow, silent or gone when last tried.
    [[nodiscard]] int healthRank() const noexcept { return rank_; }

    /// Somebody waits for this peer longer than for others: prefer others.
    void noteSlow() noexcept { rank_ = 2; }

    /// Why the last stream ended, until the next one is up.
    [[nodiscard]] const std::optional<Error>& lastError() const noexcept { return lastError_; }

    /// host:port
    [[nodiscard]] const std::string& where() const noexcept { return where_; }

private:
    enum class State { idle, setup, ready, renewing, backingOff, closed };

    void beginSetup();
    void onResolved(Result<Endpoints> endpoints);
    void negotiate(std::int16_t version);
    void onNegotiated(ByteView frame);
    void armSetupTimer();
    void becomeReady();

    void logIn();
    void onCredentials(Result<std::unique_ptr<SaslExchange>> exchange);
    void onLoginFrame(ByteView frame);
    void loginFailed(Error error);
    [[nodiscard]] bool isRenewalDue() const;
    void renew();
    [[nodiscard]] std::string awaited() const;

    void read();
    void onBytes(std::size_t count);
    void onFrame(Bytes frame, Instant receivedAt, WallTime receivedWall);
    void flush();
    [[nodiscard]] Result<Bytes> encodeFrame(Outstanding& request) const;
    void write(std::vector<Bytes> frames);

    void breakDown(Error error);
    void dropStream();
    void backOff();
    void complete(const RequestQueue::Item& request, Result<Reply> result);
    void armDeadlines();
    void onDeadlines();
    [[nodiscard]] Error explain(Error error);
    [[nodiscard]] Error timedOut(const Outstanding& request) const;

    /// A handler of the present stream: does nothing once the stream was dropped or this object is gone.
    template<typename Do>
    auto guarded(Do action);

    asio::io_context& io_;
    const std::shared_ptr<NameLookup> names_;
    const HostPort peer_;
    const ConnectionOptions options_;
    const std::string where_;

    State state_ = State::idle;
    int rank_ = 1;
    int failures_ = 0;               ///< in a row, for the back-off
    int closedAfterNegotiation_ = 0; ///< in a row
    std::optional<Error> lastError_; ///< why the last stream ended
    std::optional<ApiVersionsResponse> advertised_;
    RequestQueue queue_;
    std::optional<Instant> armedFor_;

    // Of the present stream:
    std::uint64_t generation_ = 0;
    std::shared_ptr<Stream> stream_;
    FrameAssembler frames_;
    Bytes readBuffer_;
    bool writing_ = false;
    bool connected_ = false; ///< the stream is open
    bool heard_ = false;     ///< a byte came
    bool answered_ = false;  ///< an answer to an ordinary request came
    std::optional<std::int16_t> negotiating_;
    std::optional<SaslLogin> login_; ///< under way
    bool awaitsCredentials_ = false;
    bool loginFailed_ = false;       ///< what ended it; kept until the next attempt
    bool sessionServed_ = false;     ///< something was asked since the login
    std::optional<Instant> renewAt_; ///< the session ends soon after
    Instant lastHeard_{};

    asio::steady_timer setupTimer_;
    asio::steady_timer backOffTimer_;
    asio::steady_timer deadlineTimer_;
    std::minstd_rand random_;
};

template<typename Do>
auto Connection::guarded(Do action) {
    return
        [weak = weak_from_this(), generation = generation_, action = std::move(action)](auto&&... arguments) {
            const auto self = weak.lock();
            if (self && self->generation_ == generation && self->state_ != State::closed) {
                action(*self, std::forward<decltype(arguments)>(arguments)...);
            }
        };
}

} // namespace bellwether::kafka::wire
