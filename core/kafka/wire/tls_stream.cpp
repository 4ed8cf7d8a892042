// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_stream.h"

#include <utility>

#include <asio/error.hpp>
#include <asio/post.hpp>
#include <asio/ssl/error.hpp>
#include <asio/write.hpp>

#include "coordination/display_text.h"
#include "kafka/wire/stream_errors.h"
#include "kafka/wire/tls_failure.h"
#include "kafka/wire/tls_session.h"

namespace bellwether::kafka::wire {
namespace {

/// The connection ended and the TLS session in it did not.
bool isCut(const asio::error_code& code) {
    return code == asio::ssl::error::stream_truncated;
}

bool isTls(const asio::error_code& code) {
    return code.category() == asio::error::get_ssl_category();
}

class TlsStream final : public Stream, public std::enable_shared_from_this<TlsStream> {
public:
    TlsStream(asio::io_context& io, HostPort peer, std::shared_ptr<const TlsContext> context,
              std::shared_ptr<TlsSilences> silences)
        : io_(io)
        , peer_(std::move(peer))
        , name_(tlsNameOf(peer_))
        , context_(std::move(context))
        , silences_(std::move(silences)) {}

    void open(Endpoints endpoints, Done done) override {
        endpoints_ = std::move(endpoints);
        opened_ = std::move(done);
        asio::post(io_, [self = shared_from_this()] { self->tryNext(); });
    }

    // Asio lets a read that has to answer a change of keys wait for the outstanding write. A peer that does
    // not take that write before its own is read would wait, too: a change comes after 2^37 bytes or so.
    void readSome(asio::mutable_buffer buffer, ReadDone done) override {
        reading_ = true;
        session_->socket->async_read_some(buffer, [self = shared_from_this(), done = std::move(done)](
                                                      const asio::error_code& code, std::size_t count) {
            self->reading_ = false;
            std::optional<Error> error;
            if (code) {
                error = self->broken(code);
                self->reason_ = error;
            }
            self->releaseWrite();
            if (error) {
                done(fail(std::move(*error)));
            } else {
                done(count);
            }
        });
    }

    void write(std::vector<asio::const_buffer> buffers, Done done) override {
        // In one piece: each buffer by itself would be a record.
        const auto gathered = std::make_shared<std::vector<unsigned char>>();
        auto whole = buffers.size() == 1 ? buffers.front() : asio::const_buffer();
        if (buffers.size() > 1) {
            gathered->resize(asio::buffer_size(buffers));
            asio::buffer_copy(asio::buffer(*gathered), buffers);
            whole = asio::buffer(*gathered);
        }
        asio::async_write(*session_->socket, whole,
                          [self = shared_from_this(), gathered,
                           done = std::move(done)](const asio::error_code& code, std::size_t) mutable {
                              self->onWritten(code, std::move(done));
                          });
    }

    void close() override {
        closed_ = true;
        if (session_) {
            asio::error_code ignored; // there is nobody left to tell
            session_->socket->lowest_layer().close(ignored);
        }
    }

    [[nodiscard]] bool awaitsHandshake() const noexcept override { return handshaking_; }

private:
    // --- open

    void tryNext() {
        if (closed_) {
            finishOpen(lostConnection(asio::error::operation_aborted));
            return;
        }
        if (next_ == endpoints_.size()) {
            finishOpen(failure_.value_or(cannotConnect(asio::error::host_not_found)));
            return;
        }
        session_ = makeTlsSession(io_, name_, *context_);
        if (!session_) {
            const OpensslErrors errors;
            Error error;
            error.code = ErrorCode::unreachable;
            error.what = "OpenSSL cannot begin a session for " + displayText(name_) + ": " + errors.text();
            error.hint = "is this the name of a host?";
            finishOpen(std::move(error));
            return;
        }
        session_->socket->lowest_layer().async_connect(
            endpoints_[next_++],
            [self = shared_from_this(), session = session_](const asio::error_code& code) {
                if (code) {
                    self->onAttemptFailed(cannotConnect(code), false);
                } else {
                    self->shakeHands();
                }
            });
    }

    void shakeHands() {
        if (closed_) {
            finishOpen(lostConnection(asio::error::operation_aborted));
            return;
        }
        auto& tcp = session_->socket->lowest_layer();
        asio::error_code ignored; // a connection without these options works, only slower
        tcp.set_option(asio::ip::tcp::no_delay(true), ignored);
        tcp.set_option(asio::socket_base::keep_alive(true), ignored);
        handshaking_ = true;
        session_->socket->async_handshake(
            asio::ssl::stream_base::client,
            [self = shared_from_this(), session = session_](const asio::error_code& code) {
                self->handshaking_ = false;
                if (code) {
                    self->onAttemptFailed(self->handshakeFailure(code), true);
                } else {
                    self->silences_->spoke(self->peer_);
                    session->attempt.established = true;
                    self->finishOpen(std::nullopt);
                }
            });
    }

    Error handshakeFailure(const asio::error_code& code) {
        ERR_clear_error();
        if (isTls(code)) {
            silences_->spoke(peer_);
            return tlsError(static_cast<unsigned int>(code.value()), session_->attempt, *context_);
        }
        if (!isClosedByPeer(code) && !isCut(code)) {
            return lostConnection(code);
        }
        if (session_->heard()) {
            silences_->spoke(peer_);
            return closedInHandshake(session_->attempt);
        }
        return closedAtFirst(silences_->closed(peer_));
    }

    /// What TLS says of one address tells more than that another one cannot be connected to.
    void onAttemptFailed(Error error, bool isOfTls) {
        asio::error_code ignored; // already of no use
        session_->socket->lowest_layer().close(ignored);
        if (!failure_ || (isOfTls && !failureIsOfTls_)) {
            failure_ = std::move(error);
            failureIsOfTls_ = isOfTls;
        }
        asio::post(io_, [self = shared_from_this()] { self->tryNext(); });
    }

    void finishOpen(std::optional<Error> error) {
        const auto opened = std::move(opened_);
        opened_ = nullptr;
        opened(std::move(error));
    }

    // --- bytes

    Error broken(const asio::error_code& code) {
        ERR_clear_error();
        if (isTls(code)) {
            return tlsError(static_cast<unsigned int>(code.value()), session_->attempt, *context_);
        }
        auto error = lostConnection(code);
        if (isCut(code)) {
            error.what = "the connection was cut off";
        }
        return error;
    }

    /// A broker that does not accept this client says so and closes. The write that finds the connection
    /// closed can end before the read that finds the reason: it waits for that.
    void onWritten(const asio::error_code& code, Done done) {
        if (!code) {
            done(std::nullopt);
            return;
        }
        auto error = reason_.value_or(broken(code));
        if (reading_ && !closed_) {
            failedWrite_ = {std::move(done), std::move(error)};
        } else {
            done(std::move(error));
        }
    }

    void releaseWrite() {
        if (failedWrite_.first) {
            asio::post(io_, [done = std::exchange(failedWrite_.first, nullptr),
                             error = reason_.value_or(failedWrite_.second)] { done(error); });
        }
    }

    asio::io_context& io_;
    const HostPort peer_;
    const std::string name_;
    const std::shared_ptr<const TlsContext> context_;
    const std::shared_ptr<TlsSilences> silences_;

    Endpoints endpoints_;
    std::size_t next_ = 0;
    Done opened_;
    std::optional<Error> failure_; ///< of an endpoint that was tried
    bool failureIsOfTls_ = false;

    std::shared_ptr<TlsSession> session_;
    bool handshaking_ = false;
    bool reading_ = false;
    bool closed_ = false;
    std::optional<Error> reason_; ///< why reading ended
    std::pair<Done, Error> failedWrite_;
};

} // namespace

int TlsSilences::closed(const HostPort& peer) {
    const std::lock_guard lock(mutex_);
    const auto known = inARow_.try_emplace({peer.host, peer.port}, 0).first;
    return known->second == kSpoke ? 0 : ++known->second;
}

void TlsSilences::spoke(const HostPort& peer) {
    const std::lock_guard lock(mutex_);
    inARow_[{peer.host, peer.port}] = kSpoke;
}

std::shared_ptr<Stream> makeTlsStream(asio::io_context& io, const HostPort& peer,
                                      std::shared_ptr<const TlsContext> context,
                                      std::shared_ptr<TlsSilences> silences) {
    return std::make_shared<TlsStream>(io, peer, std::move(context), std::move(silences));
}

} // namespace bellwether::kafka::wire
