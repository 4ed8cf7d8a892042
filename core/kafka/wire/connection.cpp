// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/connection.h"

#include <algorithm>

#include <asio/post.hpp>
#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kReadChunk = 64 * 1024;
constexpr std::size_t kWriteBatch = 1024 * 1024;

Instant now() {
    return std::chrono::steady_clock::now();
}

std::string addressText(const HostPort& peer) {
    return peer.host.find(':') == std::string::npos ? fmt::format("{}:{}", peer.host, peer.port)
                                                    : fmt::format("[{}]:{}", peer.host, peer.port);
}

} // namespace

Connection::Connection(asio::io_context& io, std::shared_ptr<NameLookup> names, HostPort peer,
                       ConnectionOptions options)
    : io_(io)
    , names_(std::move(names))
    , peer_(std::move(peer))
    , options_(std::move(options))
    , where_(addressText(peer_))
    , frames_(options_.maxFrame)
    , readBuffer_(kReadChunk)
    , setupTimer_(io)
    , backOffTimer_(io)
    , deadlineTimer_(io)
    , random_(static_cast<std::minstd_rand::result_type>(now().time_since_epoch().count()) + peer_.port) {}

void Connection::send(ApiKey api, VersionRange versions, Encoder encoder, Instant deadline,
                      ReplyHandler handler) {
    if (state_ == State::closed) {
        asio::post(io_, [handler = std::move(handler), where = where_] {
            handler(fail(ErrorCode::closed, "the connection was closed", where));
        });
        return;
    }
    if (state_ == State::backingOff && loginFailed_ && lastError_ && lastError_->code == ErrorCode::refused) {
        asio::post(io_, [handler = std::move(handler), error = *lastError_] { handler(fail(error)); });
        return;
    }
    Outstanding request;
    request.api = api;
    request.versions = versions;
    request.encoder = std::move(encoder);
    request.deadline = deadline;
    request.handler = std::move(handler);
    queue_.add(std::move(request));
    armDeadlines();
    if (state_ == State::ready) {
        flush();
    } else if (state_ == State::idle) {
        beginSetup();
    }
}

void Connection::close(const Error& error) {
    state_ = State::closed;
    dropStream();
    backOffTimer_.cancel();
    deadlineTimer_.cancel();
    for (const auto& request : queue_.drain()) {
        complete(request, fail(error));
    }
}

void Connection::complete(const RequestQueue::Item& request, Result<Reply> result) {
    asio::post(io_, [handler = std::move(request->handler), result = std::move(result)]() mutable {
        handler(std::move(result));
    });
}

// --- bytes

void Connection::read() {
    stream_->readSome(asio::buffer(readBuffer_), guarded([](Connection& self, Result<std::size_t> count) {
                          if (count) {
                              self.onBytes(*count);
                          } else {
                              self.breakDown(std::move(count).error());
                          }
                      }));
}

void Connection::onBytes(std::size_t count) {
    lastHeard_ = now();
    const auto wall = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    heard_ = true;
    auto frames = frames_.feed(ByteView(readBuffer_).first(count));
    if (!frames) {
        breakDown(std::move(frames).error());
        return;
    }
    const auto generation = generation_;
    for (auto& frame : *frames) {
        onFrame(std::move(frame), lastHeard_, wall);
        if (generation_ != generation) {
            return;
        }
    }
    read();
}

void Connection::onFrame(Bytes frame, Instant receivedAt, WallTime receivedWall) {
    if (negotiating_) {
        onNegotiated(frame);
        return;
    }
    if (login_ && !queue_.awaitsAnswer()) {
        onLoginFrame(frame);
        return;
    }
    const auto id = correlationIdOf(frame);
    const auto answered = id ? queue_.answered(*id) : std::nullopt;
    if (!answered) {
        Error error;
        error.code = ErrorCode::protocol;
        error.what =
            id ? fmt::format("an answer to a request that was not next in line (correlation id {})", *id)
               : id.error().what;
        error.hint = "something between this console and the broker mixes up connections";
        breakDown(std::move(error));
        return;
    }
    const auto offset = responseBodyOffset(answered->api, answered->version, frame);
    answered_ = true;
    failures_ = 0;
    closedAfterNegotiation_ = 0;
    rank_ = 0;
    if (state_ == State::renewing) {
        renew();
    }
    if (!answered->item) {
        return;
    }
    if (!offset) {
        auto error = offset.error();
        error.where = where_;
        complete(answered->item, fail(std::move(error)));
        return;
    }
    Reply reply;
    reply.version = answered->version;
    reply.frame = std::move(frame);
    reply.bodyOffset = *offset;
    reply.sentAt = answered->item->sentAt;
    reply.receivedAt = receivedAt;
    reply.receivedWall = receivedWall;
    complete(answered->item, std::move(reply));
    armDeadlines();
}

Result<Bytes> Connection::encodeFrame(Outstanding& request) const {
    const auto theirs = advertised_->versionsOf(request.api);
    if (!theirs) {
        return fail(ErrorCode::unsupported,
                    fmt::format("the broker does not advertise {}", toString(request.api)), where_,
                    "a newer broker is needed");
    }
    const auto version = commonVersion(request.versions, *theirs);
    if (!version) {
        return fail(ErrorCode::unsupported,
                    fmt::format("the broker speaks {} {} to {}, this client {} to {}", toString(request.api),
                                theirs->min, theirs->max, request.versions.min, request.versions.max),
                    where_, "a newer broker or a newer console is needed");
    }
    request.version = *version;
    auto body = request.encoder(*version);
    if (!body) {
        return body;
    }
    return requestFrame(request.api, *version, request.id, options_.clientId, *body);
}

void Connection::flush() {
    if (state_ == State::renewing || (state_ == State::ready && isRenewalDue() && queue_.nextUnwritten())) {
        renew();
        return;
    }
    if (state_ != State::ready || writing_) {
        return;
    }
    std::vector<Bytes> frames;
    std::vector<RequestQueue::Item> batch;
    std::size_t size = 0;
    while (size < kWriteBatch) {
        const auto request = queue_.nextUnwritten();
        if (!request) {
            break;
        }
        auto frame = encodeFrame(*request);
        if (!frame) {
            queue_.unwrittenIsFinished();
            complete(request, fail(std::move(frame).error()));
            continue;
        }
        queue_.unwrittenIsWritten();
        size += frame->size();
        frames.push_back(std::move(*frame));
        batch.push_back(request);
    }
    if (frames.empty()) {
        return;
    }
    sessionServed_ = true;
    const auto sentAt = now();
    for (const auto& request : batch) {
        request->sentAt = sentAt;
    }
    write(std::move(frames));
}

void Connection::write(std::vector<Bytes> frames) {
    writing_ = true;
    const auto kept = std::make_shared<std::vector<Bytes>>(std::move(frames));
    std::vector<asio::const_buffer> buffers;
    for (const auto& frame : *kept) {
        buffers.emplace_back(asio::buffer(frame));
    }
    // `kept` lives as long as the handler, which the stream keeps until the bytes are taken.
    stream_->write(std::move(buffers),
                   [kept, next = guarded([](Connection& self, std::optional<Error> error) {
                              self.writing_ = false;
                              if (error) {
                                  self.breakDown(std::move(*error));
                              } else {
                                  self.flush();
                              }
                          })](std::optional<Error> error) { next(std::move(error)); });
}

// --- the end of a stream

void Connection::dropStream() {
    ++generation_;
    if (stream_) {
        stream_->close();
        stream_.reset();
    }
    writing_ = false;
    negotiating_.reset();
    login_.reset();
    awaitsCredentials_ = false;
    renewAt_.reset();
    setupTimer_.cancel();
}

void Connection::breakDown(Error error) {
    const auto explained = explain(std::move(error));
    dropStream();
    if (queue_.empty() && state_ == State::ready) {
        // An idle connection that the broker closed (connections.max.idle.ms): nothing is wrong.
        state_ = State::idle;
        (void)queue_.drain();
        return;
    }
    lastError_ = explained;
    rank_ = 2;
    if (state_ == State::renewing && !loginFailed_) {
        queue_.rewind(); // the session's end was raced, or the broker went: a new connection asks again
        backOff();
        return;
    }
    for (const auto& request : queue_.drain()) {
        complete(request, fail(explained));
    }
    armDeadlines();
    backOff();
}

void Connection::backOff() {
    state_ = State::backingOff;
    const auto least = loginFailed_ ? options_.loginBackOffMin : options_.backOffMin;
    const auto most = loginFailed_ ? options_.loginBackOffMax : options_.backOffMax;
    const auto doubled = least * (std::int64_t{1} << std::min(failures_, 10));
    ++failures_;
    const auto bounded = std::min(doubled, most);
    const auto jittered = bounded * std::uniform_int_distribution<std::int64_t>(80, 120)(random_) / 100;
    backOffTimer_.expires_after(jittered);
    backOffTimer_.async_wait(guarded([](Connection& self, const asio::error_code& cancelled) {
        if (cancelled || self.state_ != State::backingOff) {
            return;
        }
        self.state_ = State::idle;
        if (!self.queue_.empty()) {
            self.beginSetup();
        }
    }));
}

// --- deadlines

void Connection::armDeadlines() {
    const auto earliest = queue_.earliestDeadline();
    if (!earliest || (armedFor_ && *armedFor_ <= *earliest)) {
        return; // a timer that fires early only looks again
    }
    armedFor_ = earliest;
    deadlineTimer_.expires_at(*earliest);
    deadlineTimer_.async_wait([weak = weak_from_this()](const asio::error_code& cancelled) {
        const auto self = weak.lock();
        if (!cancelled && self && self->state_ != State::closed) {
            self->armedFor_.reset();
            self->onDeadlines();
        }
    });
}

Error Connection::timedOut(const Outstanding& request) const {
    Error error;
    error.code = ErrorCode::timeout;
    error.retriable = true;
    error.where = where_;
    if (request.sentAt != Instant{}) {
        error.what = fmt::format("no answer to {} in time", toString(request.api));
        error.hint = "the broker is slow, stopped or cut off";
    } else {
        error.what = fmt::format("{} could not be sent in time", toString(request.api));
        error.hint =
            lastError_ && state_ != State::ready ? lastError_->text() : "the connection was not up in time";
    }
    return error;
}

void Connection::onDeadlines() {
    bool silent = false;
    for (const auto& [request, written] : queue_.expire(now())) {
        rank_ = 2;
        silent = silent || (written && lastHeard_ < request->sentAt);
        complete(request, fail(timedOut(*request)));
    }
    // Nothing at all came since a request that is now overdue was written: what is behind it in line would
    // wait for a dead peer. A new connection asks again.
    if (silent && (state_ == State::ready || state_ == State::renewing)) {
        dropStream();
        queue_.rewind();
        backOff();
    }
    armDeadlines();
}

} // namespace bellwether::kafka::wire
