// SPDX-License-Identifier: Apache-2.0
// A connection to a scripted broker over TLS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <asio/connect.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>

#include "kafka/wire/ask.h"
#include "kafka/wire/tls_streams.h"
#include "kafka/wire_authority.h"
#include "sample_messages.h"
#include "scripted_broker.h"
#include "tls_server.h"

namespace bellwether::kafka::wire {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kLong = 20s;

template<typename Any>
std::optional<Bytes> readFrame(Any& socket) {
    Bytes frame(4);
    asio::error_code ended;
    asio::read(socket, asio::buffer(frame), ended);
    const auto size = (std::size_t{frame[0]} << 24U) + (std::size_t{frame[1]} << 16U) +
                      (std::size_t{frame[2]} << 8U) + frame[3];
    frame.resize(4 + size);
    if (!ended) {
        asio::read(socket, asio::buffer(frame.data() + 4, size), ended);
    }
    return ended ? std::nullopt : std::optional(std::move(frame));
}

class TlsConnectionTest : public testing::Test {
protected:
    /// Passes requests to the broker and answers back. The answer number `cutAt` of all comes by half, and
    /// then the connection ends without TLS's end; after number `closeAfter` it ends in good order.
    TlsServer::Serve front(int cutAt = -1, int closeAfter = -1) {
        return [this, cutAt, closeAfter](TlsServer::Socket& client) {
            ++connections_;
            asio::io_context io;
            TcpServer::Socket broker(io);
            asio::error_code ignored;
            broker.connect({asio::ip::make_address("127.0.0.1"), broker_.port()}, ignored);
            while (const auto request = readFrame(client)) {
                asio::write(broker, asio::buffer(*request), ignored);
                const auto answer = readFrame(broker);
                const int number = ++answers_;
                if (!answer) {
                    return;
                }
                const bool cut = number == cutAt;
                asio::write(client, asio::buffer(answer->data(), cut ? answer->size() / 2 : answer->size()),
                            ignored);
                if (cut) {
                    return;
                }
                if (number == closeAfter) {
                    client.shutdown(ignored); // until the client has closed, too
                    ended_ = true;
                    return;
                }
            }
        };
    }

    void connectTo(std::uint16_t port, std::map<std::string, std::string> properties = {},
                   Millis setupTimeout = 20s) {
        properties.emplace("ssl.ca.pem", ca_.pem());
        ConnectionOptions options;
        options.tls = true;
        options.makeStream = makeTlsStreams(properties).value();
        options.setupTimeout = setupTimeout;
        connection_ = std::make_shared<Connection>(io_, names_, HostPort{"127.0.0.1", port}, options);
    }

    void TearDown() override {
        if (connection_) {
            connection_->close({});
        }
        names_->close();
        io_.restart();
        io_.run();
    }

    Result<Answer<DescribeTransactionsResponse>> describe() {
        std::optional<Result<Answer<DescribeTransactionsResponse>>> result;
        ask<DescribeTransactionsResponse>(connection_, DescribeTransactionsRequest{{"r"}},
                                          std::chrono::steady_clock::now() + kLong,
                                          [&](const auto& answer) { result = answer; });
        io_.restart();
        while (!result) {
            if (io_.run_one() == 0) {
                ADD_FAILURE() << "nothing left to wait for";
                return fail(ErrorCode::internal, "no answer");
            }
        }
        return *result;
    }

    void SetUp() override {
        broker_.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
            DescribeTransactionsResponse response;
            response.states.push_back({0, "r", "Empty", 10'000, -1, 7, 1, {}});
            return Reaction::answer(request, response);
        });
    }

    TestAuthority ca_{"Root of Tests"};
    ScriptedBroker broker_{1};
    std::atomic<int> connections_ = 0;
    std::atomic<int> answers_ = 0;
    std::atomic<bool> ended_ = false;
    asio::io_context io_;
    std::shared_ptr<NameLookup> names_ = std::make_shared<NameLookup>(io_);
    std::shared_ptr<Connection> connection_;
};

TEST_F(TlsConnectionTest, AsksAndIsAnswered) {
    TlsServer server({.own = ca_.issue()}, front());
    connectTo(server.port());
    for (int i = 0; i < 3; ++i) {
        const auto answer = describe();
        ASSERT_TRUE(answer.has_value()) << answer.error().text();
    }
    EXPECT_EQ(connections_, 1);
}

TEST_F(TlsConnectionTest, AnAnswerCutOffIsNoAnswer) {
    TlsServer server({.own = ca_.issue()}, front(3));
    connectTo(server.port());
    ASSERT_TRUE(describe().has_value()) << "the second answer; the first is of ApiVersions";
    const auto answer = describe();
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::unreachable);
    EXPECT_TRUE(answer.error().retriable);
    EXPECT_THAT(answer.error().what, HasSubstr("cut off"));
    EXPECT_TRUE(describe().has_value()) << "over a new connection";
}

TEST_F(TlsConnectionTest, AnIdleConnectionMayEnd) {
    TlsServer server({.own = ca_.issue()}, front(-1, 2));
    connectTo(server.port());
    ASSERT_TRUE(describe().has_value());
    while (!ended_) {
        io_.restart();
        io_.run_for(10ms);
    }
    EXPECT_EQ(connection_->lastError(), std::nullopt);
    EXPECT_TRUE(describe().has_value());
    EXPECT_EQ(connections_, 2);
}

TEST_F(TlsConnectionTest, AFailedHandshakeNamesTheAddress) {
    const TestAuthority other("Other");
    TlsServer server({.own = other.issue()});
    connectTo(server.port());
    const auto answer = describe();
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().where, connection_->where());
    EXPECT_THAT(answer.error().what, HasSubstr("unknown CA"));
    EXPECT_FALSE(answer.error().retriable);
}

TEST_F(TlsConnectionTest, AWantedCertificateIsToldAfterTheHandshake) {
    TlsServerSettings settings{.own = ca_.issue()};
    settings.clientAuth = TlsServerSettings::ClientAuth::needed;
    settings.clientCa = ca_.pem();
    settings.isPatient = false;
    TlsServer server(settings, front());
    connectTo(server.port());
    const auto answer = describe();
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::refused);
    EXPECT_THAT(answer.error().what, HasSubstr("wants a client certificate, and none is set"));
    EXPECT_EQ(answer.error().where, connection_->where());
}

TEST_F(TlsConnectionTest, ASilentPortEndsTheSetup) {
    TcpServer silent([](TcpServer::Socket& socket) { drain(socket); });
    connectTo(silent.port(), {}, Millis{200});
    const auto answer = describe();
    ASSERT_FALSE(answer.has_value());
    EXPECT_EQ(answer.error().code, ErrorCode::timeout);
    EXPECT_THAT(answer.error().what, HasSubstr("no answer to the TLS handshake within 200 ms"));
    EXPECT_THAT(answer.error().hint, HasSubstr("the port does not speak TLS"));
}

// --- through the public interface

TEST_F(TlsConnectionTest, ACertificateThatDoesNotPassEndsACallAtOnce) {
    std::uint16_t nobody = 0;
    {
        asio::ip::tcp::acceptor free(io_, {asio::ip::make_address("127.0.0.1"), 0});
        nobody = free.local_endpoint().port();
    }
    const TestAuthority other("Other");
    std::atomic<int> asked = 0;
    TlsServerSettings settings{.own = other.issue()};
    settings.prepare = [&](SSL&) { ++asked; };
    TlsServer server(settings);
    KafkaConfig config;
    config.bootstrap = "127.0.0.1:" + std::to_string(nobody) + ",127.0.0.1:" + std::to_string(server.port());
    config.properties = {{"security.protocol", "SSL"}, {"ssl.ca.pem", ca_.pem()}};
    const auto authority = makeWireAuthority(config).value();
    const auto cluster = describeClusterAndWait(*authority, Millis{2'000});
    ASSERT_FALSE(cluster.has_value());
    EXPECT_THAT(cluster.error().text(), HasSubstr("unknown CA"));
    EXPECT_THAT(cluster.error().hint, HasSubstr("set ssl.ca.location")) << "not the address that is off";
    EXPECT_EQ(asked, 1);
}

TEST_F(TlsConnectionTest, AClusterIsDescribed) {
    TlsServer server({.own = ca_.issue()}, front());
    KafkaConfig config;
    config.bootstrap = "localhost:" + std::to_string(server.port());
    config.properties = {{"security.protocol", "ssl"}, {"ssl.ca.pem", ca_.pem()}};
    const auto authority = makeWireAuthority(config).value();
    const auto cluster = describeClusterAndWait(*authority, Millis{kLong});
    ASSERT_TRUE(cluster.has_value()) << cluster.error().text();
    EXPECT_EQ(cluster->clusterId, "scripted");
}

TEST_F(TlsConnectionTest, AWrongSettingIsToldBeforeAnyCall) {
    KafkaConfig config;
    config.bootstrap = "localhost:9093";
    config.properties = {{"security.protocol", "SASL_SSL"}, {"ssl.ca.location", "/nowhere/ca.pem"}};
    const auto made = makeWireAuthority(config);
    ASSERT_FALSE(made.has_value());
    EXPECT_EQ(made.error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(made.error().where, "/nowhere/ca.pem");
}

} // namespace
} // namespace bellwether::kafka::wire
