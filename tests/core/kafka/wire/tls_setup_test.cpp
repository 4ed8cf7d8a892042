// SPDX-License-Identifier: Apache-2.0
// What is found before any connection: files, keys, passphrases, stores, lists.
#include <cstdlib>

#include <sys/stat.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire/tls_context.h"
#include "kafka/wire/tls_streams.h"
#include "tls_certificates.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;
using testing::Not;
using Properties = std::map<std::string, std::string>;

constexpr auto kSecret = "my-very-secret";

class TlsSetup : public testing::Test {
protected:
    static Error errorOf(const Properties& properties) {
        const auto made = makeTlsStreams(properties);
        if (made) {
            ADD_FAILURE() << "no error";
            return {};
        }
        EXPECT_FALSE(made.error().hint.empty()) << made.error().text();
        EXPECT_THAT(made.error().text(), Not(HasSubstr(kSecret)));
        EXPECT_FALSE(made.error().retriable);
        EXPECT_EQ(ERR_peek_error(), 0U) << "left for others of this thread: " << made.error().text();
        return made.error();
    }

    static void expectMade(const Properties& properties) {
        const auto made = makeTlsStreams(properties);
        EXPECT_TRUE(made.has_value()) << made.error().text();
        EXPECT_EQ(ERR_peek_error(), 0U) << "left for others of this thread";
    }

    Properties client(const std::string& certificate, const std::string& key,
                      const std::string& password = {}) {
        Properties properties{{"ssl.certificate.location", folder_.file("cert.pem", certificate)},
                              {"ssl.key.location", folder_.file("key.pem", key)}};
        if (!password.empty()) {
            properties["ssl.key.password"] = password;
        }
        return properties;
    }

    TestFolder folder_;
    TestAuthority ca_{"Root of Tests"};
};

TEST_F(TlsSetup, NothingNeedsToBeSet) {
    expectMade({});
    expectMade({{"ssl.ca.location", "probe"}});
    expectMade({{"security.protocol", "SSL"}, {"ssl.ca.location", ""}, {"ssl.key.password", ""}});
}

TEST_F(TlsSetup, WhatOnlyLibrdkafkaCanIsUnsupportedByName) {
    for (const auto* property :
         {"ssl.engine.location", "ssl.engine.id", "ssl_engine_callback_data", "ssl.providers",
          "ssl_certificate", "ssl_key", "ssl_ca", "ssl.certificate.verify_cb", "ssl.truststore.location"}) {
        const auto error = errorOf({{property, "x"}});
        EXPECT_EQ(error.code, ErrorCode::unsupported) << property;
        EXPECT_THAT(error.what, HasSubstr("\"" + std::string(property) + "\""));
    }
}

TEST_F(TlsSetup, ValuesThatAreNone) {
    for (const auto& [property, value] : Properties{{"enable.ssl.certificate.verification", "perhaps"},
                                                    {"ssl.endpoint.identification.algorithm", "ldaps"},
                                                    {"ssl.cipher.suites", "NO-SUCH-CIPHER"},
                                                    {"ssl.curves.list", "no-such-curve"},
                                                    {"ssl.sigalgs.list", "no-such-algorithm"}}) {
        const auto error = errorOf({{property, value}});
        EXPECT_EQ(error.code, ErrorCode::invalidArgument);
        EXPECT_THAT(error.what, HasSubstr("\"" + property + "\""));
        EXPECT_THAT(error.what, HasSubstr(value));
    }
    expectMade({{"enable.ssl.certificate.verification", "FALSE"},
                {"ssl.endpoint.identification.algorithm", "None"},
                {"ssl.cipher.suites", "ECDHE-RSA-AES128-GCM-SHA256"},
                {"ssl.curves.list", "X25519:P-256"},
                {"ssl.sigalgs.list", "RSA+SHA256:ECDSA+SHA256"}});
}

// --- files

TEST_F(TlsSetup, AFileThatCannotBeRead) {
    const auto issued = ca_.issue();
    for (const auto* property : {"ssl.ca.location", "ssl.crl.location", "ssl.certificate.location",
                                 "ssl.key.location", "ssl.keystore.location"}) {
        auto properties = client(issued.certificate, issued.key);
        properties["ssl.keystore.password"] = kSecret;
        const auto missing = folder_.path() + "/missing";
        properties[property] = missing;
        auto error = errorOf(properties);
        EXPECT_EQ(error.code, ErrorCode::invalidArgument);
        EXPECT_THAT(error.what, HasSubstr("\"" + std::string(property) + "\""));
        EXPECT_THAT(error.what, HasSubstr("does not exist"));
        EXPECT_EQ(error.where, missing);

        properties[property] = folder_.file("empty", "");
        EXPECT_THAT(errorOf(properties).what, HasSubstr("empty file"));

        properties[property] = "/proc/self/mem"; // exists, and the first byte cannot be read, by root either
        error = errorOf(properties);
        EXPECT_THAT(error.what, HasSubstr("cannot be read: Input/output error"));

        if (property != std::string("ssl.ca.location")) {
            properties[property] = folder_.path();
            EXPECT_THAT(errorOf(properties).what, HasSubstr("a folder, not a file"));
        }
    }
}

TEST_F(TlsSetup, AFileWithoutPem) {
    const auto issued = ca_.issue();
    const auto text = folder_.file("text", "hello\n");
    auto properties = client(issued.certificate, issued.key);
    for (const auto& [property, says] : Properties{{"ssl.ca.location", "no PEM certificate"},
                                                   {"ssl.crl.location", "no PEM revocation list"},
                                                   {"ssl.certificate.location", "no PEM certificate"},
                                                   {"ssl.key.location", "no PEM private key"}}) {
        auto wrong = properties;
        wrong[property] = text;
        const auto error = errorOf(wrong);
        EXPECT_THAT(error.what, HasSubstr("\"" + property + "\""));
        EXPECT_THAT(error.what, HasSubstr(says));
        EXPECT_EQ(error.where, text);
    }
    for (const auto* property : {"ssl.ca.pem", "ssl.certificate.pem", "ssl.key.pem"}) {
        auto wrong = properties;
        wrong[property] = "hello";
        EXPECT_THAT(errorOf(wrong).what, HasSubstr("\"" + std::string(property) + "\" has no PEM"));
    }
    properties["ssl.certificate.location"] = folder_.file("cert.der", der(issued.certificate));
    EXPECT_THAT(errorOf(properties).hint, HasSubstr("openssl x509 -inform DER"));
    EXPECT_THAT(errorOf({{"ssl.ca.location", folder_.file("it's.der", der(ca_.pem()))}}).hint,
                HasSubstr("it'\\\\''s.der"));
}

TEST_F(TlsSetup, AKeyWhereAPathBelongsIsNotShown) {
    const auto issued = ca_.issue();
    auto properties = client(issued.certificate, issued.key);
    properties["ssl.key.location"] = issued.key;
    const auto error = errorOf(properties);
    EXPECT_THAT(error.what, HasSubstr("\"ssl.key.location\" holds PEM text"));
    EXPECT_THAT(error.hint, HasSubstr("ssl.key.pem"));
    EXPECT_THAT(error.text(), Not(HasSubstr("BEGIN")));
}

TEST_F(TlsSetup, DamagedPem) {
    auto damaged = ca_.pem();
    damaged.replace(damaged.find('\n') + 20, 4, "AAAA");
    EXPECT_THAT(errorOf({{"ssl.ca.location", folder_.file("ca.pem", ca_.pem() + damaged)}}).what,
                HasSubstr("cannot be read"));
    const auto issued = ca_.issue();
    EXPECT_THAT(errorOf(client(issued.certificate + damaged, issued.key)).what,
                HasSubstr("a certificate (number 2) that cannot be read"));
    auto key = issued.key;
    key.replace(key.find('\n') + 1, 8, "AAAAAAAA");
    EXPECT_THAT(errorOf(client(issued.certificate, key)).what, HasSubstr("private key that cannot be read"));
}

// --- trust

TEST_F(TlsSetup, CasFromAFolderNeedHashes) {
    const auto error = errorOf({{"ssl.ca.location", folder_.path()}});
    EXPECT_THAT(error.what, HasSubstr("without hashed certificates"));
    EXPECT_THAT(error.hint, HasSubstr("openssl rehash '" + folder_.path() + "'"));
    (void)folder_.file(ca_.hashName(), ca_.pem());
    expectMade({{"ssl.ca.location", folder_.path()}});
}

TEST_F(TlsSetup, JavaStores) {
    const auto jks = folder_.file("store.jks", std::string("\xFE\xED\xFE\xED\0\0\0\2", 8));
    auto error = errorOf({{"ssl.keystore.location", jks}, {"ssl.keystore.password", kSecret}});
    EXPECT_THAT(error.what, HasSubstr("Java keystore"));
    EXPECT_THAT(error.hint, HasSubstr("keytool -importkeystore -srckeystore '" + jks + "'"));
    EXPECT_THAT(error.hint, HasSubstr("-deststoretype PKCS12"));
    error = errorOf({{"ssl.ca.location", jks}});
    EXPECT_THAT(error.what, HasSubstr("Java keystore"));
    EXPECT_THAT(error.hint, HasSubstr("keytool -exportcert -rfc"));
}

// --- keys

TEST_F(TlsSetup, KeysOfEveryForm) {
    const auto issued = ca_.issue();
    expectMade(client(issued.certificate, issued.key));
    expectMade(client(issued.certificate, traditional(issued.key)));
    expectMade(client(issued.certificate, encrypted(issued.key, kSecret), kSecret));
    expectMade(client(issued.certificate, encryptedAsOfOld(issued.key, kSecret), kSecret));
    expectMade(client(issued.certificate, issued.certificate + issued.key)); // both in one file
    expectMade({{"ssl.certificate.pem", issued.certificate},
                {"ssl.key.pem", encrypted(issued.key, kSecret)},
                {"ssl.key.password", kSecret}});
    ASSERT_THAT(encryptedAsOfOld(issued.key, kSecret), HasSubstr("Proc-Type: 4,ENCRYPTED"));
    ASSERT_THAT(traditional(issued.key), HasSubstr("BEGIN EC PRIVATE KEY"));
}

TEST_F(TlsSetup, Passphrases) {
    const auto issued = ca_.issue();
    for (const auto& key : {encrypted(issued.key, kSecret), encryptedAsOfOld(issued.key, kSecret)}) {
        auto error = errorOf(client(issued.certificate, key));
        EXPECT_THAT(error.what, HasSubstr("encrypted private key, and ssl.key.password is missing"));
        EXPECT_EQ(error.where, folder_.path() + "/key.pem");
        error = errorOf(client(issued.certificate, key, "another-secret"));
        EXPECT_EQ(error.what, "wrong passphrase for the key in " + folder_.path() + "/key.pem");
        EXPECT_THAT(error.text(), Not(HasSubstr("another-secret")));
        EXPECT_EQ(error.where, "ssl.key.password");
        error = errorOf({{"ssl.certificate.pem", issued.certificate},
                         {"ssl.key.pem", key},
                         {"ssl.key.password", "another-secret"}});
        EXPECT_EQ(error.what, "wrong passphrase for the key in property \"ssl.key.pem\"");
    }
}

TEST_F(TlsSetup, KeyAndCertificateBelongTogether) {
    const auto issued = ca_.issue();
    auto error = errorOf(client(issued.certificate, ca_.issue().key));
    EXPECT_THAT(error.what, HasSubstr("does not fit the certificate"));
    EXPECT_EQ(error.where, folder_.path() + "/key.pem");
    EXPECT_THAT(errorOf(client(issued.certificate, rsaKey())).what,
                HasSubstr("does not fit the certificate"));
    error = errorOf(client(ca_.pem() + issued.certificate, issued.key));
    EXPECT_THAT(error.hint, HasSubstr("has to come first"));

    auto properties = client(issued.certificate, issued.key);
    properties.erase("ssl.certificate.location");
    error = errorOf(properties);
    EXPECT_THAT(error.what, HasSubstr("\"ssl.key.location\" is set, but no certificate"));
    properties = client(issued.certificate, issued.key);
    properties.erase("ssl.key.location");
    error = errorOf(properties);
    EXPECT_THAT(error.what, HasSubstr("\"ssl.certificate.location\" is set, but no key"));
    EXPECT_THAT(error.hint, HasSubstr("ssl.key.location"));
}

// --- PKCS#12

TEST_F(TlsSetup, Keystores) {
    const TestAuthority between("Between", &ca_);
    const auto issued = between.issue();
    for (const bool old : {false, true}) {
        const auto bytes = pkcs12(issued, kSecret, old);
        if (old && bytes.empty()) {
            GTEST_SKIP() << "OpenSSL's legacy provider is not installed";
        }
        const auto store = folder_.file("client.p12", bytes);
        const auto made = makeTlsContext([&] {
            TlsSettings settings;
            settings.keystoreLocation = store;
            settings.keystorePassword = kSecret;
            return settings;
        }());
        ASSERT_TRUE(made.has_value()) << made.error().text();
        EXPECT_EQ((*made)->own.value().subject, "CN=a broker");
        EXPECT_EQ((*made)->own.value().issuer, "CN=Between");
        STACK_OF(X509)* chain = nullptr;
        SSL_CTX_get0_chain_certs((*made)->context.get(), &chain);
        EXPECT_EQ(sk_X509_num(chain), 1);
        EXPECT_EQ(SSL_CTX_check_private_key((*made)->context.get()), 1);

        auto error = errorOf({{"ssl.keystore.location", store}, {"ssl.keystore.password", "another-secret"}});
        EXPECT_EQ(error.what, "wrong passphrase for the keystore in " + store);
        EXPECT_THAT(error.text(), Not(HasSubstr("another-secret")));
        EXPECT_THAT(errorOf({{"ssl.keystore.location", store}}).what,
                    HasSubstr("\"ssl.keystore.password\" is missing"));
    }
}

TEST_F(TlsSetup, AnOldKeystoreWithoutTheLegacyProviderIsToldHowToConvert) {
    const auto bytes = pkcs12(ca_.issue(), kSecret, true);
    if (bytes.empty()) {
        GTEST_SKIP() << "OpenSSL's legacy provider is not installed";
    }
    setenv("OPENSSL_MODULES", folder_.path().c_str(), 1);
    const auto error = errorOf(
        {{"ssl.keystore.location", folder_.file("old.p12", bytes)}, {"ssl.keystore.password", kSecret}});
    unsetenv("OPENSSL_MODULES");
    EXPECT_THAT(error.what, HasSubstr("legacy provider, which is not installed"));
    EXPECT_THAT(error.hint, HasSubstr("openssl pkcs12 -legacy"));
}

TEST_F(TlsSetup, OldAlgorithmsStayAmongThemselves) {
    if (!OldAlgorithms::load()) {
        GTEST_SKIP() << "OpenSSL's legacy provider is not installed";
    }
    EXPECT_EQ(OSSL_PROVIDER_available(nullptr, "legacy"), 0);
    const auto* before = OSSL_LIB_CTX_set0_default(nullptr);
    {
        const auto old = OldAlgorithms::load();
        EXPECT_EQ(OSSL_PROVIDER_available(nullptr, "legacy"), 1);
    }
    EXPECT_EQ(OSSL_LIB_CTX_set0_default(nullptr), before);
    EXPECT_EQ(OSSL_PROVIDER_available(nullptr, "legacy"), 0);
}

TEST_F(TlsSetup, NoKeystores) {
    const auto issued = ca_.issue();
    const auto with = [&](const std::string& name, const std::string& bytes) {
        return Properties{{"ssl.keystore.location", folder_.file(name, bytes)},
                          {"ssl.keystore.password", kSecret}};
    };
    EXPECT_THAT(errorOf(with("client.pem", issued.certificate)).hint, HasSubstr("ssl.certificate.location"));
    EXPECT_THAT(errorOf(with("text", "hello")).what, HasSubstr("no PKCS#12"));
    const auto whole = pkcs12(issued, kSecret);
    EXPECT_THAT(errorOf(with("half.p12", whole.substr(0, whole.size() / 2))).what, HasSubstr("no PKCS#12"));
}

} // namespace
} // namespace bellwether::kafka::wire
