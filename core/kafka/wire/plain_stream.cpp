// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/stream.h"

#include <asio/connect.hpp>
#include <asio/error.hpp>
#include <asio/write.hpp>

#include "kafka/wire/stream_errors.h"

namespace bellwether::kafka::wire {
namespace {

Error unreachable(std::string what) {
    Error error;
    error.code = ErrorCode::unreachable;
    error.what = std::move(what);
    error.retriable = true;
    return error;
}

} // namespace

bool isClosedByPeer(const asio::error_code& code) noexcept {
    return code == asio::error::eof || code == asio::error::connection_reset ||
           code == asio::error::broken_pipe;
}

Error lostConnection(const asio::error_code& code) {
    return unreachable(isClosedByPeer(code) ? std::string("the peer closed the connection")
                                            : "the connection broke: " + code.message());
}

Error cannotConnect(const asio::error_code& code) {
    return unreachable("cannot connect: " + code.message());
}

namespace {

class PlainStream final : public Stream, public std::enable_shared_from_this<PlainStream> {
public:
    explicit PlainStream(asio::io_context& io)
        : socket_(io) {}

    void open(Endpoints endpoints, Done done) override {
        // The sequence must outlive the operation.
        auto kept = std::make_shared<Endpoints>(std::move(endpoints));
        asio::async_connect(
            socket_, *kept,
            [self = shared_from_this(), kept, done = std::move(done)](const asio::error_code& code,
                                                                      const asio::ip::tcp::endpoint&) {
                if (code) {
                    done(cannotConnect(code));
                    return;
                }
                asio::error_code ignored; // a connection without these options works, only slower
                self->socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
                self->socket_.set_option(asio::socket_base::keep_alive(true), ignored);
                done(std::nullopt);
            });
    }

    void readSome(asio::mutable_buffer buffer, ReadDone done) override {
        socket_.async_read_some(buffer, [self = shared_from_this(), done = std::move(done)](
                                            const asio::error_code& code, std::size_t n) {
            if (code) {
                done(fail(lostConnection(code)));
            } else {
                done(n);
            }
        });
    }

    void write(std::vector<asio::const_buffer> buffers, Done done) override {
        asio::async_write(
            socket_, buffers,
            [self = shared_from_this(), done = std::move(done)](const asio::error_code& code, std::size_t) {
                done(code ? std::optional(lostConnection(code)) : std::nullopt);
            });
    }

    void close() override {
        asio::error_code ignored; // there is nobody left to tell
        socket_.close(ignored);
    }

private:
    asio::ip::tcp::socket socket_;
};

} // namespace

std::shared_ptr<Stream> makePlainStream(asio::io_context& io, const HostPort& /*peer*/) {
    return std::make_shared<PlainStream>(io);
}

} // namespace bellwether::kafka::wire
