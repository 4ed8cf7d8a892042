// SPDX-License-Identifier: Apache-2.0
// Ports that speak no TLS, no longer, or not all of it.
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <gmock/gmock.h>

#include "tls_client.h"

namespace bellwether::kafka::wire {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class TlsPortTest : public TlsClientTest {};

TEST_F(TlsPortTest, APortThatAnswersSomethingElse) {
    for (const auto* text : {"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 400 Bad Request\r\n\r\n",
                             "220 mail.example ESMTP ready\r\n"}) {
        TcpServer server([text](TcpServer::Socket& socket) {
            asio::error_code ignored;
            asio::write(socket, asio::buffer(std::string(text)), ignored);
            drain(socket);
        });
        const auto error = failed(factory(), server.port());
        expectNotPassing(error, ErrorCode::protocol);
        EXPECT_EQ(error.what, "the port does not speak TLS");
        EXPECT_THAT(error.hint, AllOf(HasSubstr("SASL_PLAINTEXT"), HasSubstr("TLS port")));
    }
}

TEST_F(TlsPortTest, APortThatCloses) {
    for (const bool reset : {true, false}) {
        TcpServer server([reset](TcpServer::Socket& socket) {
            std::array<char, 4> size{}; // a plain Kafka listener reads this much, and closes over its value
            asio::error_code ignored;
            (void)asio::read(socket, asio::buffer(size), ignored);
            if (!reset) {
                socket.shutdown(TcpServer::Socket::shutdown_send, ignored);
                drain(socket);
            }
        });
        const auto make = factory();
        for (int i = 0; i < 2; ++i) {
            const auto error = failed(make, server.port());
            EXPECT_EQ(error.code, ErrorCode::unreachable);
            EXPECT_TRUE(error.retriable) << "a broker that goes down does so once or twice";
            EXPECT_EQ(error.what, "the peer closed the connection at the first bytes of TLS");
            EXPECT_THAT(error.hint, HasSubstr("security.protocol=PLAINTEXT or SASL_PLAINTEXT"));
        }
        const auto error = failed(make, server.port());
        expectNotPassing(error, ErrorCode::unreachable);
        EXPECT_THAT(error.what, HasSubstr("the port does not speak TLS: 3 times in a row"));
    }
}

TEST_F(TlsPortTest, APortThatSpokeTlsIsNoPlainPort) {
    std::atomic<bool> closes = false;
    const auto make = factory();
    TcpServer server([&](TcpServer::Socket& socket) {
        asio::error_code ignored;
        if (!closes) { // an alert, as of a broker that speaks TLS
            asio::write(socket, asio::buffer(std::string("\x15\x03\x03\x00\x02\x02\x50", 7)), ignored);
            drain(socket);
        }
    });
    EXPECT_THAT(failed(make, server.port()).what, HasSubstr("ended the TLS session: alert internal error"));
    closes = true;
    for (int i = 0; i < 5; ++i) {
        const auto error = failed(make, server.port());
        EXPECT_TRUE(error.retriable);
        EXPECT_THAT(error.hint, HasSubstr("it spoke TLS before"));
    }
}

TEST_F(TlsPortTest, GarbageInASession) {
    TlsServer server({.own = ca_.issue()}, [](TlsServer::Socket& socket) {
        asio::error_code ignored;
        asio::write(socket.next_layer(), asio::buffer(std::string(100, '?')), ignored);
        drain(socket.next_layer());
    });
    const auto error = failed(factory(), server.port());
    EXPECT_EQ(error.code, ErrorCode::unreachable);
    EXPECT_TRUE(error.retriable);
    EXPECT_EQ(error.what, "the bytes of the TLS session came damaged");
}

TEST_F(TlsPortTest, ANameThatCannotBeCheckedIsNotConnectedTo) {
    TlsServer server({.own = ca_.issue()});
    for (const auto& name : {std::string(), std::string("localhost\0.example", 18), std::string(300, 'a')}) {
        const auto error = open(factory(), server.port(), name);
        ASSERT_TRUE(error.has_value());
        expectNotPassing(*error, ErrorCode::unreachable);
        EXPECT_THAT(error->what, HasSubstr("cannot begin a session"));
    }
}

TEST_F(TlsPortTest, ABrokerThatGoesInTheMiddle) {
    TcpServer server([](TcpServer::Socket& socket) {
        asio::error_code ignored;
        // The head of a handshake record that does not come.
        asio::write(socket, asio::buffer(std::string("\x16\x03\x03\x00\x40\x02", 6)), ignored);
    });
    const auto error = failed(factory(), server.port());
    EXPECT_EQ(error.code, ErrorCode::unreachable);
    EXPECT_TRUE(error.retriable);
    EXPECT_THAT(error.what, HasSubstr("in the middle of the TLS handshake"));
}

} // namespace
} // namespace bellwether::kafka::wire
