// SPDX-License-Identifier: Apache-2.0
// Bytes over TLS: names, versions, transfers, records, the ends of a stream.
#include <numeric>

#include <asio/write.hpp>
#include <gmock/gmock.h>

#include "tls_client.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;

void echo(TlsServer::Socket& socket) {
    std::vector<unsigned char> bytes(64 * 1024);
    asio::error_code ended;
    while (true) {
        const auto count = socket.read_some(asio::buffer(bytes), ended);
        if (ended) {
            return;
        }
        asio::write(socket, asio::buffer(bytes.data(), count), ended);
    }
}

class TlsStreamTest : public TlsClientTest {
protected:
    TlsServerSettings served(const Wishes& wishes = {}) const {
        TlsServerSettings settings;
        settings.own = ca_.issue(wishes);
        return settings;
    }

    std::string readAll(std::size_t size, std::size_t atOnce = 64 * 1024) {
        std::string all;
        std::string piece(atOnce, '\0');
        while (all.size() < size) {
            const auto count = readSome(asio::buffer(piece));
            if (!count) {
                ADD_FAILURE() << count.error().text();
                return all;
            }
            EXPECT_GT(*count, 0U);
            all += piece.substr(0, *count);
        }
        return all;
    }
};

TEST_F(TlsStreamTest, SpeaksTheNewestVersionAndNamesTheServer) {
    TlsServer server(served(), echo);
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    ASSERT_EQ(write({asio::buffer("hello", 5)}), std::nullopt);
    EXPECT_EQ(readAll(5), "hello");
    EXPECT_EQ(server.version(), "TLSv1.3");
    EXPECT_EQ(server.serverName(), "localhost");
    EXPECT_EQ(server.clientSubject(), "");
}

TEST_F(TlsStreamTest, SpeaksTls12) {
    auto settings = served();
    settings.newest = TLS1_2_VERSION;
    TlsServer server(std::move(settings), echo);
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    ASSERT_EQ(write({asio::buffer("hello", 5)}), std::nullopt);
    EXPECT_EQ(readAll(5), "hello");
    EXPECT_EQ(server.version(), "TLSv1.2");
}

TEST_F(TlsStreamTest, AddressesAreCheckedAndNotSentAsServerName) {
    for (const auto* host : {"127.0.0.1", "::1", "fe80::7%1"}) {
        TlsServer server(served({.names = "IP:127.0.0.1,IP:::1,IP:fe80::7"}), echo);
        ASSERT_EQ(open(factory(), server.port(), host), std::nullopt) << host;
        ASSERT_EQ(write({asio::buffer("x", 1)}), std::nullopt);
        EXPECT_EQ(readAll(1), "x");
        EXPECT_EQ(server.serverName(), "");
    }
}

TEST_F(TlsStreamTest, NamesAsCertificatesSpellThem) {
    for (const auto& [host, names] :
         {std::pair<std::string, std::string>{"kafka.example.", "DNS:kafka.example"},
          {"b-1.kafka.example", "DNS:*.kafka.example"},
          {"KAFKA.Example", "DNS:kafka.example"}}) {
        TlsServer server(served({.names = names}));
        EXPECT_EQ(open(factory(), server.port(), host), std::nullopt) << host;
    }
    TlsServer server(served({.commonName = "kafka.example", .names = ""}));
    EXPECT_EQ(open(factory(), server.port(), "kafka.example"), std::nullopt) << "no alternative names";
}

TEST_F(TlsStreamTest, AClientCertificateIsShown) {
    for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        auto settings = served();
        settings.newest = newest;
        settings.clientAuth = TlsServerSettings::ClientAuth::needed;
        settings.clientCa = ca_.pem();
        TlsServer server(std::move(settings), echo);
        const auto own = ca_.issue({.commonName = "the console"});
        ASSERT_EQ(open(factory({{"ssl.certificate.pem", own.certificate}, {"ssl.key.pem", own.key}}),
                       server.port()),
                  std::nullopt);
        ASSERT_EQ(write({asio::buffer("x", 1)}), std::nullopt);
        EXPECT_EQ(readAll(1), "x");
        EXPECT_EQ(server.clientSubject(), "CN=the console");
    }
}

TEST_F(TlsStreamTest, AKeystoreWithItsChainIsShown) {
    const TestAuthority between("Between", &ca_);
    auto settings = served();
    settings.clientAuth = TlsServerSettings::ClientAuth::needed;
    settings.clientCa = ca_.pem();
    TlsServer server(std::move(settings), echo);
    const auto store = folder_.file("client.p12", pkcs12(between.issue({.commonName = "stored"}), "secret"));
    ASSERT_EQ(
        open(factory({{"ssl.keystore.location", store}, {"ssl.keystore.password", "secret"}}), server.port()),
        std::nullopt);
    ASSERT_EQ(write({asio::buffer("x", 1)}), std::nullopt);
    EXPECT_EQ(readAll(1), "x");
    EXPECT_EQ(server.clientSubject(), "CN=stored");
}

TEST_F(TlsStreamTest, WhereACertificateIsOnlyWantedOneOfAnotherCaIsNotSent) {
    const TestAuthority other("Another Root");
    auto settings = served();
    settings.clientAuth = TlsServerSettings::ClientAuth::wanted;
    settings.clientCa = ca_.pem();
    TlsServer server(std::move(settings), echo);
    const auto own = other.issue();
    ASSERT_EQ(
        open(factory({{"ssl.certificate.pem", own.certificate}, {"ssl.key.pem", own.key}}), server.port()),
        std::nullopt);
    ASSERT_EQ(write({asio::buffer("x", 1)}), std::nullopt);
    EXPECT_EQ(readAll(1), "x");
    EXPECT_EQ(server.clientSubject(), "");
}

TEST_F(TlsStreamTest, AnyOfSeveralCas) {
    const TestAuthority first("First");
    const TestAuthority last("Last");
    TlsServer server(served());
    const auto all = first.pem() + ca_.pem() + last.pem();
    EXPECT_EQ(open(factory({{"ssl.ca.location", folder_.file("all.pem", all)}}), server.port()),
              std::nullopt);
    EXPECT_EQ(open(factory({{"ssl.ca.location", folder_.file("first.pem", first.pem())},
                            {"ssl.ca.pem", ca_.pem()}}),
                   server.port()),
              std::nullopt);
    const TestFolder hashed;
    (void)hashed.file(ca_.hashName(), ca_.pem());
    EXPECT_EQ(open(factory({{"ssl.ca.location", hashed.path()}}), server.port()), std::nullopt);
}

TEST_F(TlsStreamTest, ChecksThatAreTurnedOff) {
    TlsServer other(served({.names = "DNS:another.example"}));
    EXPECT_EQ(open(factory({{"ssl.endpoint.identification.algorithm", "none"}}), other.port()), std::nullopt);
    TlsServerSettings unknown;
    unknown.own = selfSigned({.names = "DNS:another.example"});
    TlsServer server(std::move(unknown));
    EXPECT_EQ(open(factory({{"enable.ssl.certificate.verification", "false"}}), server.port()), std::nullopt);
    EXPECT_NE(open(factory({{"ssl.endpoint.identification.algorithm", "none"}}), server.port()),
              std::nullopt);
}

// --- transfers

TEST_F(TlsStreamTest, MuchBothWaysAtOnce) {
    TlsServer server(served(), echo);
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    std::string sent(std::size_t{8} << 20, '\0');
    std::uint32_t state = 1;
    for (auto& c : sent) {
        state = state * 1664525U + 1013904223U;
        c = static_cast<char>(state >> 24U);
    }
    std::vector<asio::const_buffer> buffers;
    for (std::size_t at = 0, size = 1; at < sent.size(); at += size, size = size % 70'000 + 1'234) {
        buffers.push_back(asio::buffer(sent.data() + at, std::min(size, sent.size() - at)));
    }
    bool written = false;
    stream_->write(buffers, [&](const auto& error) {
        EXPECT_EQ(error, std::nullopt);
        written = true;
    });
    EXPECT_TRUE(readAll(sent.size()) == sent);
    runUntil([&] { return written; });
}

TEST_F(TlsStreamTest, TheServerChangesKeys) {
    TlsServer server(served(), [](TlsServer::Socket& socket) {
        std::vector<unsigned char> bytes(1'000);
        asio::error_code ended;
        while (true) {
            const auto count = socket.read_some(asio::buffer(bytes), ended);
            if (ended) {
                return;
            }
            EXPECT_EQ(SSL_key_update(socket.native_handle(), SSL_KEY_UPDATE_REQUESTED), 1);
            asio::write(socket, asio::buffer(bytes.data(), count), ended);
        }
    });
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    for (int i = 0; i < 20; ++i) {
        const auto sent = "round " + std::to_string(i);
        ASSERT_EQ(write({asio::buffer(sent)}), std::nullopt);
        EXPECT_EQ(readAll(sent.size()), sent);
    }
}

TEST_F(TlsStreamTest, ReadsOfAnySizeSeeEveryByte) {
    TlsServer server(served(), [](TlsServer::Socket& socket) {
        asio::error_code ended;
        for (char c = 'a'; c <= 'z'; ++c) { // a record each
            asio::write(socket, asio::buffer(&c, 1), ended);
        }
        asio::write(socket, asio::buffer(std::string(40'000, '.')), ended);
        drain(socket);
    });
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    EXPECT_EQ(readAll(26, 1), "abcdefghijklmnopqrstuvwxyz");
    EXPECT_TRUE(readAll(40'000, 3) == std::string(40'000, '.'));
}

TEST_F(TlsStreamTest, SmallBuffersShareARecord) {
    std::atomic<int> records = 0;
    auto settings = served();
    settings.newest = TLS1_2_VERSION; // application data is told from the handshake there
    settings.prepare = [&records](SSL& tls) {
        SSL_set_msg_callback(
            &tls, [](int written, int, int type, const void* bytes, std::size_t, SSL*, void* count) {
                constexpr unsigned char kApplicationData = 23;
                if (written == 0 && type == SSL3_RT_HEADER &&
                    *static_cast<const unsigned char*>(bytes) == kApplicationData) {
                    ++*static_cast<std::atomic<int>*>(count);
                }
            });
        SSL_set_msg_callback_arg(&tls, &records);
    };
    TlsServer server(std::move(settings), echo);
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    const std::string small = "1234";
    ASSERT_EQ(write(std::vector<asio::const_buffer>(100, asio::buffer(small))), std::nullopt);
    EXPECT_EQ(readAll(400).size(), 400U);
    EXPECT_EQ(records, 1);
    const std::string large(8'192, 'x');
    ASSERT_EQ(write(std::vector<asio::const_buffer>(8, asio::buffer(large))), std::nullopt);
    EXPECT_EQ(readAll(8 * large.size()).size(), 8 * large.size());
    EXPECT_EQ(records, 1 + 4) << "16 KiB each";
}

// --- ends

TEST_F(TlsStreamTest, BothWaysOfClosingAreTold) {
    TlsServer orderly(served(), [](TlsServer::Socket& socket) {
        asio::error_code ignored;
        asio::write(socket, asio::buffer("last", 4), ignored);
        socket.shutdown(ignored);
    });
    ASSERT_EQ(open(factory(), orderly.port()), std::nullopt);
    EXPECT_EQ(readAll(4), "last");
    std::string piece(16, '\0');
    auto end = readSome(asio::buffer(piece));
    ASSERT_FALSE(end.has_value());
    EXPECT_EQ(end.error().code, ErrorCode::unreachable);
    EXPECT_TRUE(end.error().retriable);
    EXPECT_EQ(end.error().what, "the peer closed the connection");
    EXPECT_EQ(end.error().hint, "") << "the connection knows better";
    stream_->close();

    TlsServer cut(served(), [](TlsServer::Socket& socket) {
        asio::error_code ignored;
        asio::write(socket, asio::buffer("last", 4), ignored);
    });
    ASSERT_EQ(open(factory(), cut.port()), std::nullopt);
    EXPECT_EQ(readAll(4), "last");
    end = readSome(asio::buffer(piece));
    ASSERT_FALSE(end.has_value());
    EXPECT_EQ(end.error().code, ErrorCode::unreachable);
    EXPECT_TRUE(end.error().retriable);
    EXPECT_EQ(end.error().what, "the connection was cut off");
}

TEST_F(TlsStreamTest, CloseEndsWhatIsOutstanding) {
    TlsServer server(served());
    ASSERT_EQ(open(factory(), server.port()), std::nullopt);
    std::string piece(16, '\0');
    const std::string much(std::size_t{64} << 20, 'x');
    int failed = 0;
    stream_->readSome(asio::buffer(piece), [&](const auto& count) { failed += count ? 0 : 1; });
    stream_->write({asio::buffer(much)}, [&](const auto& error) { failed += error ? 1 : 0; });
    stream_->close();
    stream_->close();
    EXPECT_EQ(failed, 0) << "not inside the call";
    runUntil([&] { return failed == 2; });
}

TEST_F(TlsStreamTest, CloseDuringTheHandshakeOrBefore) {
    TcpServer silent([](TcpServer::Socket& socket) { drain(socket); });
    for (const bool inHandshake : {true, false}) {
        opened_ = false;
        stream_ = factory()(io_, {"localhost", silent.port()});
        start(silent.port());
        if (inHandshake) {
            runUntil([this] { return stream_->awaitsHandshake(); });
        }
        stream_->close();
        EXPECT_FALSE(opened_) << "not inside the call";
        runUntil([this] { return opened_; });
        ASSERT_TRUE(openError_.has_value());
        EXPECT_EQ(openError_->code, ErrorCode::unreachable);
        EXPECT_FALSE(stream_->awaitsHandshake());
    }
}

// --- endpoints

TEST_F(TlsStreamTest, EndpointsAreTriedInTurn) {
    TlsServer good(served());
    TlsServerSettings unknown;
    unknown.own = selfSigned();
    TlsServer bad(std::move(unknown));
    std::uint16_t nobody = 0;
    {
        asio::ip::tcp::acceptor free(io_, {asio::ip::make_address("127.0.0.1"), 0});
        nobody = free.local_endpoint().port();
    }
    const auto tried = [&](std::vector<std::uint16_t> ports) {
        Endpoints endpoints;
        for (const auto port : ports) {
            endpoints.emplace_back(asio::ip::make_address("127.0.0.1"), port);
        }
        opened_ = false;
        stream_ = factory()(io_, {"localhost", good.port()});
        stream_->open(endpoints, [this](auto error) {
            opened_ = true;
            openError_ = std::move(error);
        });
        runUntil([this] { return opened_; });
        return openError_ ? openError_->what : "open";
    };
    EXPECT_EQ(tried({good.port()}), "open");
    EXPECT_EQ(tried({nobody, good.port()}), "open");
    EXPECT_EQ(tried({bad.port(), good.port()}), "open");
    EXPECT_THAT(tried({nobody, bad.port()}), HasSubstr("self-signed"));
    EXPECT_THAT(tried({bad.port(), nobody}), HasSubstr("self-signed"));
    EXPECT_THAT(tried({nobody}), HasSubstr("cannot connect: Connection refused"));
    EXPECT_THAT(tried({}), HasSubstr("cannot connect"));
}

} // namespace
} // namespace bellwether::kafka::wire
