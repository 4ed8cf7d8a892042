// SPDX-License-Identifier: Apache-2.0
// What each failing handshake says.
#include <gmock/gmock.h>
#include <openssl/ssl.h>

#include "tls_client.h"

namespace bellwether::kafka::wire {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using ClientAuth = TlsServerSettings::ClientAuth;

class TlsFailureTest : public TlsClientTest {
protected:
    Properties client(const Issued& own) const {
        return {{"ssl.certificate.pem", own.certificate + own.chain}, {"ssl.key.pem", own.key}};
    }

    /// A server that accepts clients of `ca`.
    TlsServerSettings wanting(const TestAuthority& ca, int newest = TLS1_3_VERSION) const {
        TlsServerSettings settings;
        settings.own = ca_.issue();
        settings.clientAuth = ClientAuth::needed;
        settings.clientCa = ca.pem();
        settings.newest = newest;
        return settings;
    }
};

// --- the broker's certificate

TEST_F(TlsFailureTest, UnknownCa) {
    const TestAuthority root("Their Root");
    const TestAuthority between("Their Office", &root);
    const auto error =
        failed({.own = between.issue()}, {{"ssl.ca.location", folder_.file("ca.pem", ca_.pem())}});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what,
                HasSubstr("the top-most certificate is CN=Their Office, issued by CN=Their Root"));
    EXPECT_THAT(error.what, HasSubstr("not in ssl.ca.location " + folder_.path() + "/ca.pem"));
    EXPECT_THAT(error.hint, AllOf(HasSubstr("ssl.ca.location"), HasSubstr("CN=Their Root")));
}

TEST_F(TlsFailureTest, UnknownRootThatCameAlong) {
    const TestAuthority root("Their Root");
    auto own = root.issue();
    own.chain = root.pem();
    const auto error = failed({.own = own});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, HasSubstr("top-most certificate is CN=Their Root, issued by CN=Their Root"));
    EXPECT_THAT(error.what, HasSubstr("not in ssl.ca.pem"));
}

TEST_F(TlsFailureTest, TheSystemsStoreIsNamed) {
    for (const auto* location : {"", "probe"}) {
        const auto error = failed({.own = ca_.issue()}, {{"ssl.ca.location", location}});
        expectNotPassing(error, ErrorCode::unreachable);
        EXPECT_THAT(error.what, HasSubstr("unknown CA"));
        EXPECT_THAT(error.what, HasSubstr("the system's store"));
    }
}

TEST_F(TlsFailureTest, AnotherCaOfTheSameName) {
    const TestAuthority again("Root of Tests");
    const auto error = failed({.own = again.issue()});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, HasSubstr("is not signed by the CA CN=Root of Tests of ssl.ca.pem"));
}

TEST_F(TlsFailureTest, SelfSigned) {
    const auto error = failed({.own = selfSigned({.commonName = "quick and dirty"})});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, HasSubstr("self-signed certificate, CN=quick and dirty"));
    const auto own = selfSigned();
    TlsServer server({.own = own});
    EXPECT_EQ(open(factory({{"ssl.ca.pem", own.certificate}}), server.port()), std::nullopt)
        << "as the hint says";
}

TEST_F(TlsFailureTest, AnotherHost) {
    const TlsServerSettings named{
        .own = ca_.issue({.names = "DNS:b-1.example,DNS:*.b.example,IP:10.0.0.7,IP:::7"})};
    auto error = failed(named);
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what,
                HasSubstr("localhost was asked for, it names b-1.example, *.b.example, 10.0.0.7, ::7"));
    EXPECT_THAT(error.hint, HasSubstr("ssl.endpoint.identification.algorithm=none"));
    error = failed(named, {}, "127.0.0.1");
    EXPECT_THAT(error.what, HasSubstr("127.0.0.1 was asked for"));
    error = failed({.own = ca_.issue({.commonName = "only.example", .names = ""})});
    EXPECT_THAT(error.what, HasSubstr("it names only.example"));
    std::string many = "DNS:first.example";
    for (int i = 0; i < 20; ++i) {
        many += ",DNS:host" + std::to_string(i) + ".example";
    }
    EXPECT_THAT(failed({.own = ca_.issue({.names = many})}).what, HasSubstr("host6.example and 13 more"));
}

TEST_F(TlsFailureTest, NamesOfACertificateCannotSpoilTheMessage) {
    const auto error = failed({.own = selfSigned({.commonName = "x\n\x1b[2J" + std::string(50, 'y')})});
    EXPECT_THAT(error.what, AllOf(Not(HasSubstr("\n")), Not(HasSubstr("\x1b"))));
    EXPECT_LT(error.what.size(), 500U);
}

TEST_F(TlsFailureTest, OutOfDate) {
    auto error = failed({.own = ca_.issue({.from = -7'200, .to = -3'600})});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, testing::ContainsRegex(
                                "the broker's certificate CN=a broker expired on 20[0-9-]+ [0-9:]+ UTC"));
    EXPECT_THAT(error.hint, HasSubstr("clock"));
    error = failed({.own = ca_.issue({.from = 3'600})});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, testing::ContainsRegex("is not valid before 20[0-9-]+ [0-9:]+ UTC"));
    EXPECT_THAT(error.hint, HasSubstr("clock"));
    const TestAuthority old("Old Office", &ca_, -60);
    error = failed({.own = old.issue()});
    EXPECT_THAT(error.what, HasSubstr("the CA certificate CN=Old Office expired on"));
}

TEST_F(TlsFailureTest, Revoked) {
    const auto own = ca_.issue();
    const auto list = folder_.file("crl.pem", ca_.revoke({own.certificate}));
    auto error = failed({.own = own}, {{"ssl.crl.location", list}});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, HasSubstr("CN=a broker was revoked by CN=Root of Tests, says " + list));
    TlsServer fine({.own = ca_.issue()});
    EXPECT_EQ(open(factory({{"ssl.crl.location", list}}), fine.port()), std::nullopt);
    const TestAuthority other("Other");
    const auto others = folder_.file("others.pem", other.revoke({}));
    error = failed({.own = own}, {{"ssl.crl.location", others}});
    EXPECT_THAT(error.what, HasSubstr("has no revocation list of CN=Root of Tests"));
    expectNotPassing(error, ErrorCode::unreachable);
}

TEST_F(TlsFailureTest, NoServersCertificate) {
    const auto error = failed({.own = ca_.issue({.usage = "clientAuth"})});
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, HasSubstr("not meant for a server"));
}

// --- this client's certificate

TEST_F(TlsFailureTest, ACertificateIsWantedAndNoneIsSet) {
    for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        const auto error = failed(wanting(ca_, newest));
        expectNotPassing(error, ErrorCode::refused);
        EXPECT_THAT(error.what, HasSubstr("wants a client certificate, and none is set"));
        EXPECT_THAT(error.what, HasSubstr("accepts those of CN=Root of Tests"));
        EXPECT_THAT(error.hint, HasSubstr("ssl.keystore.location"));
    }
}

TEST_F(TlsFailureTest, ACertificateOfAnotherCaIsWanted) {
    const TestAuthority other("Clients' Root");
    for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        const auto error = failed(wanting(other, newest), client(ca_.issue({.commonName = "console"})));
        expectNotPassing(error, ErrorCode::refused);
        EXPECT_THAT(error.what, HasSubstr("client certificate of another CA: ours, CN=console, was issued by "
                                          "CN=Root of Tests; it accepts those of CN=Clients' Root"));
    }
}

TEST_F(TlsFailureTest, OurCertificateIsRejected) {
    const TestAuthority other("Clients' Root");
    for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        auto unnamed = wanting(other, newest);
        unnamed.namesClientCas = false; // so that ours is sent
        auto error = failed(unnamed, client(ca_.issue({.commonName = "console"})));
        expectNotPassing(error, ErrorCode::refused);
        EXPECT_THAT(error.what,
                    HasSubstr("rejects the client certificate CN=console: it does not know the CA "
                              "CN=Root of Tests"));
        EXPECT_THAT(error.hint, HasSubstr("ssl.truststore.location"));

        error = failed(wanting(ca_, newest), client(ca_.issue({.from = -7'200, .to = -3'600})));
        expectNotPassing(error, ErrorCode::refused);
        EXPECT_THAT(error.what, HasSubstr("it is out of date (valid from 20"));

        const auto own = ca_.issue();
        auto revoking = wanting(ca_, newest);
        revoking.revoked = ca_.revoke({own.certificate});
        error = failed(revoking, client(own));
        expectNotPassing(error, ErrorCode::refused);
        EXPECT_THAT(error.what, HasSubstr("it was revoked"));

        error = failed(wanting(ca_, newest), client(ca_.issue({.usage = "serverAuth"})));
        expectNotPassing(error, ErrorCode::refused);
        EXPECT_THAT(error.what, HasSubstr("rejects the client certificate"));
    }
}

// As brokers in Java do.
TEST_F(TlsFailureTest, OurCertificateIsRejectedWithoutAReason) {
    auto settings = wanting(ca_);
    settings.prepare = [](SSL& tls) {
        SSL_set_verify(&tls, SSL_VERIFY_PEER, [](int, X509_STORE_CTX* checking) {
            X509_STORE_CTX_set_error(checking, X509_V_ERR_CERT_REJECTED);
            return 0;
        });
    };
    auto error = failed(settings, client(ca_.issue({.commonName = "console"})));
    expectNotPassing(error, ErrorCode::refused);
    EXPECT_THAT(error.what, HasSubstr("rejects the client certificate CN=console: it does not accept it"));
    EXPECT_THAT(error.hint, HasSubstr("issued by CN=Root of Tests, valid until 20"));
    error = failed(settings, client(ca_.issue({.from = -7'200, .to = -3'600})));
    expectNotPassing(error, ErrorCode::refused);
    EXPECT_THAT(error.what, HasSubstr("it is out of date")) << "seen from here";
}

// In TLS 1.3 the client is done before the server has looked at its certificate, and writes.
TEST_F(TlsFailureTest, TheReasonComesBeforeTheClosedConnection) {
    auto settings = wanting(ca_);
    settings.isPatient = false;
    TlsServer server(settings);
    const auto make = factory();
    const std::string much(std::size_t{8} << 20, 'x');
    for (int i = 0; i < 20; ++i) {
        ASSERT_EQ(open(make, server.port()), std::nullopt);
        std::vector<std::string> ends;
        std::string piece(16, '\0');
        stream_->readSome(asio::buffer(piece), [&](const auto& count) {
            ends.push_back("read: " + (count ? "bytes" : count.error().what));
        });
        stream_->write({asio::buffer(much)}, [&](const auto& error) {
            ends.push_back("write: " + (error ? error->what : "done"));
        });
        runUntil([&] { return ends.size() == 2; });
        stream_->close();
        EXPECT_THAT(ends[0], HasSubstr("read: the broker wants a client certificate"));
        EXPECT_THAT(ends[1], HasSubstr("write: the broker wants a client certificate"));
    }
}

// --- agreement

TEST_F(TlsFailureTest, NoCommonVersion) {
    TlsServerSettings old{.own = ca_.issue()};
    old.oldest = TLS1_VERSION;
    old.newest = TLS1_1_VERSION;
    auto error = failed(old);
    expectNotPassing(error, ErrorCode::unsupported);
    EXPECT_THAT(error.text(), AllOf(HasSubstr("TLS version"), HasSubstr("ssl.enabled.protocols")));
}

TEST_F(TlsFailureTest, NoCommonCipherOrCurve) {
    TlsServerSettings picky{.own = ca_.issue()};
    picky.newest = TLS1_2_VERSION;
    picky.ciphers = "ECDHE-ECDSA-AES256-GCM-SHA384";
    auto error = failed(picky, {{"ssl.cipher.suites", "ECDHE-ECDSA-AES128-GCM-SHA256"}});
    expectNotPassing(error, ErrorCode::unsupported);
    EXPECT_THAT(error.what, HasSubstr("cipher suite"));
    EXPECT_THAT(error.hint, HasSubstr("ssl.cipher.suites"));
    TlsServerSettings curved{.own = ca_.issue()};
    curved.oldest = TLS1_3_VERSION;
    curved.groups = "P-384";
    error = failed(curved, {{"ssl.curves.list", "X25519"}});
    expectNotPassing(error, ErrorCode::unsupported);
    EXPECT_THAT(error.hint, HasSubstr("ssl.curves.list"));
}

TEST_F(TlsFailureTest, AServerThatDoesNotKnowTheName) {
    TlsServerSettings settings{.own = ca_.issue()};
    settings.prepare = [](SSL& tls) {
        using Callback = int (*)(SSL*, int*, void*);
        const Callback refuse = [](SSL*, int* alert, void*) {
            *alert = SSL_AD_UNRECOGNIZED_NAME;
            return SSL_TLSEXT_ERR_ALERT_FATAL;
        };
        SSL_CTX_callback_ctrl(SSL_get_SSL_CTX(&tls), SSL_CTRL_SET_TLSEXT_SERVERNAME_CB,
                              reinterpret_cast<void (*)()>(refuse));
    };
    const auto error = failed(settings);
    expectNotPassing(error, ErrorCode::unreachable);
    EXPECT_THAT(error.what, HasSubstr("no certificate for the name localhost"));
}

} // namespace
} // namespace bellwether::kafka::wire
