// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include <gtest/gtest.h>

#include "kafka/wire/tls_streams.h"
#include "tls_server.h"

namespace bellwether::kafka::wire {

/// The stream under test on a loop that the test's own thread runs.
class TlsClientTest : public testing::Test {
protected:
    using Properties = std::map<std::string, std::string>;

    void TearDown() override {
        if (stream_) {
            stream_->close();
        }
        io_.restart();
        io_.run(); // whatever is outstanding ends
    }

    /// With the test's CA, unless the properties name one.
    StreamFactory factory(Properties properties = {}) {
        if (properties.count("ssl.ca.location") == 0 && properties.count("ssl.ca.pem") == 0) {
            properties["ssl.ca.pem"] = ca_.pem();
        }
        auto made = makeTlsStreams(properties);
        if (!made) {
            throw std::runtime_error(made.error().text());
        }
        return *made;
    }

    /// Nothing: it is open.
    std::optional<Error> open(const StreamFactory& make, std::uint16_t port,
                              const std::string& host = "localhost") {
        opened_ = false;
        openError_.reset();
        stream_ = make(io_, {host, port});
        start(port);
        runUntil([this] { return opened_; });
        return openError_;
    }

    void start(std::uint16_t port) {
        inCallOfOpen_ = true;
        stream_->open({{asio::ip::make_address("127.0.0.1"), port}}, [this](auto error) {
            EXPECT_FALSE(opened_) << "once";
            EXPECT_FALSE(inCallOfOpen_);
            opened_ = true;
            openError_ = std::move(error);
        });
        inCallOfOpen_ = false;
    }

    Result<std::size_t> readSome(asio::mutable_buffer buffer) {
        std::optional<Result<std::size_t>> result;
        bool inCall = true;
        stream_->readSome(buffer, [&](auto count) {
            EXPECT_FALSE(inCall);
            result = std::move(count);
        });
        inCall = false;
        runUntil([&] { return result.has_value(); });
        return result.value_or(fail(ErrorCode::internal, "no result"));
    }

    std::optional<Error> write(std::vector<asio::const_buffer> buffers) {
        bool done = false;
        bool inCall = true;
        std::optional<Error> failed;
        stream_->write(std::move(buffers), [&](auto error) {
            EXPECT_FALSE(inCall);
            failed = std::move(error);
            done = true;
        });
        inCall = false;
        runUntil([&] { return done; });
        return failed;
    }

    /// The error of a handshake, or else of what is read first.
    Error failed(const StreamFactory& make, std::uint16_t port, const std::string& host = "localhost") {
        auto error = open(make, port, host);
        if (!error) {
            std::string piece(16, '\0');
            const auto count = readSome(asio::buffer(piece));
            if (count) {
                ADD_FAILURE() << "no failure";
                return {};
            }
            error = count.error();
        }
        stream_->close();
        EXPECT_FALSE(error->hint.empty()) << error->text();
        EXPECT_EQ(error->where, "") << "the connection's to say";
        return *error;
    }

    Error failed(const TlsServerSettings& settings, const Properties& properties = {},
                 const std::string& host = "localhost") {
        TlsServer server(settings);
        return failed(factory(properties), server.port(), host);
    }

    static void expectNotPassing(const Error& error, ErrorCode code) {
        EXPECT_EQ(error.code, code) << error.text();
        EXPECT_FALSE(error.retriable) << error.text();
    }

    template<typename Until>
    void runUntil(Until until) {
        io_.restart();
        while (!until()) {
            ASSERT_GT(io_.run_one(), 0U) << "nothing left to wait for";
        }
    }

    TestAuthority ca_{"Root of Tests"};
    TestFolder folder_;
    asio::io_context io_;
    std::shared_ptr<Stream> stream_;
    bool opened_ = false;
    bool inCallOfOpen_ = false;
    std::optional<Error> openError_;
};

} // namespace bellwether::kafka::wire
