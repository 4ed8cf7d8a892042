// SPDX-License-Identifier: Apache-2.0
#include "settings/java_client.h"

#include <map>

#include <gtest/gtest.h>

#include "settings/java_properties.h"

using namespace bellwether;
using namespace bellwether::settings;

namespace {

Result<ClientSettings> translated(std::string_view text) {
    return fromJava(parseJavaProperties(text, "f").value());
}

std::map<std::string, std::string> valuesOf(std::string_view text) {
    const auto settings = translated(text);
    EXPECT_TRUE(settings.has_value()) << settings.error().text();
    std::map<std::string, std::string> values;
    if (settings) {
        for (const auto& each : settings->properties) {
            values[each.name] = each.value;
        }
    }
    return values;
}

using Values = std::map<std::string, std::string>;

} // namespace

TEST(JavaClient, ScramOverTls) {
    EXPECT_EQ(
        valuesOf("bootstrap.servers=a:1,b:2\nsecurity.protocol=SASL_SSL\nsasl.mechanism=SCRAM-SHA-512\n"
                 "sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required \\\n"
                 "  username=\"ops\" password=\"p,a\\\\\"s\\\\\\\\s;=word \\u00e9\";\n"
                 "ssl.endpoint.identification.algorithm=\n"),
        (Values{{"bootstrap.servers", "a:1,b:2"},
                {"security.protocol", "SASL_SSL"},
                {"sasl.mechanism", "SCRAM-SHA-512"},
                {"sasl.username", "ops"},
                {"sasl.password", "p,a\"s\\s;=word \u00e9"},
                {"ssl.endpoint.identification.algorithm", "none"}}));
}

TEST(JavaClient, TheLastOfANameCounts) {
    EXPECT_EQ(valuesOf("client.id=a\nclient.id=b\n"), (Values{{"client.id", "b"}}));
}

TEST(JavaClient, OtherNames) {
    EXPECT_EQ(valuesOf("request.timeout.ms=7000\nsend.buffer.bytes=-1\nreceive.buffer.bytes=65536\n"),
              (Values{{"socket.timeout.ms", "7000"},
                      {"socket.send.buffer.bytes", "0"},
                      {"socket.receive.buffer.bytes", "65536"}}));
    EXPECT_EQ(valuesOf("ssl.cipher.suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, TLS_AES_128_GCM_SHA256\n"),
              (Values{{"ssl.cipher.suites", "ECDHE-RSA-AES128-GCM-SHA256"}}));
}

TEST(JavaClient, Kerberos) {
    EXPECT_EQ(
        valuesOf(
            "sasl.mechanism=GSSAPI\nsasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required "
            "useKeyTab=true keyTab=\"/k\" principal=\"a@B\" serviceName=\"kafka2\";\n"),
        (Values{{"sasl.mechanism", "GSSAPI"},
                {"sasl.kerberos.keytab", "/k"},
                {"sasl.kerberos.principal", "a@B"},
                {"sasl.kerberos.service.name", "kafka2"}}));
}

TEST(JavaClient, BearerTokens) {
    EXPECT_EQ(
        valuesOf("sasl.jaas.config=x.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub=\"alice\" "
                 "unsecuredLoginLifetimeSeconds=\"60\";\n"),
        (Values{{"enable.sasl.oauthbearer.unsecure.jwt", "true"},
                {"sasl.oauthbearer.config", "lifeSeconds=60 principal=alice"}}));
    EXPECT_EQ(valuesOf("sasl.oauthbearer.token.endpoint.url=https://i/t\n"
                       "sasl.jaas.config=x.OAuthBearerLoginModule required clientId=\"c\" clientSecret=\"s\" "
                       "scope=\"k\";\n"),
              (Values{{"sasl.oauthbearer.token.endpoint.url", "https://i/t"},
                      {"sasl.oauthbearer.method", "oidc"},
                      {"sasl.oauthbearer.client.id", "c"},
                      {"sasl.oauthbearer.client.secret", "s"},
                      {"sasl.oauthbearer.scope", "k"}}));
    EXPECT_FALSE(translated("sasl.jaas.config=x.OAuthBearerLoginModule required;\n").has_value());
}

TEST(JavaClient, InlinePem) {
    EXPECT_EQ(
        valuesOf(
            "ssl.truststore.type=PEM\nssl.truststore.certificates=-----BEGIN A-----\\n1\\n-----END A-----\n"
            "ssl.keystore.type=PEM\nssl.keystore.key=K\nssl.keystore.certificate.chain=C\nssl.key.password="
            "p\n"),
        (Values{{"ssl.ca.pem", "-----BEGIN A-----\n1\n-----END A-----"},
                {"ssl.key.pem", "K"},
                {"ssl.certificate.pem", "C"},
                {"ssl.key.password", "p"}}));
    EXPECT_FALSE(translated("ssl.keystore.key=K\n").has_value());
}

TEST(JavaClient, WhatIsLeftAsideIsNoted) {
    const auto settings =
        translated("key.serializer=x\nssl.protocol=TLSv1.3\nclient.id=a\nsome.thing=else\n");
    ASSERT_TRUE(settings.has_value());
    ASSERT_EQ(settings->notes.size(), 2U);
    EXPECT_EQ(settings->notes[0].where, "f:1");
    EXPECT_NE(settings->notes[0].what.find("key.serializer"), std::string::npos);
    EXPECT_EQ(settings->properties.back().name, "some.thing") << "for the caller to judge";
}

TEST(JavaClient, WhatWouldMeanSomethingElseIsRefused) {
    const auto refusedWith = [](std::string_view text) {
        const auto settings = translated(text);
        return settings ? std::string("taken") : settings.error().text();
    };
    EXPECT_NE(refusedWith("config.providers=file\nsasl.jaas.config=${file:/a:b}\n").find("config provider"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.jaas.config=com.acme.Mine required a=\"secret\";\n").find("Mine"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.jaas.config=x.PlainLoginModule required username=\"u\";\n").find("password"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.client.callback.handler.class=com.acme.Mine\n").find("class"),
              std::string::npos);
    EXPECT_NE(refusedWith("ssl.truststore.location=/no/such/store\n").find("No such file"),
              std::string::npos);
}
