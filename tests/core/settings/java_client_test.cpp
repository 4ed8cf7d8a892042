// SPDX-License-Identifier: Apache-2.0
#include "settings/java_client.h"

#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "settings/client_file.h"
#include "settings/java_names.h"
#include "settings/java_properties.h"
#include "settings/pem_text.h"

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
        (Values{{"ssl.ca.pem", "-----BEGIN A-----\n1\n-----END A-----\n"},
                {"ssl.key.pem", "K"},
                {"ssl.certificate.pem", "C"},
                {"ssl.key.password", "p"}}));
    EXPECT_FALSE(translated("ssl.keystore.key=K\n").has_value());
}

TEST(JavaClient, WhatIsOfProducersConsumersAndTheJvmIsOneNote) {
    const auto settings = translated("sasl.login.refresh.window.factor=0.8\nsecurity.providers=x\n"
                                     "sasl.oauthbearer.jwks.endpoint.url=https://i/k\nlinger.ms=5\n"
                                     "max.poll.interval.ms=2147483647\nconnections.max.idle.ms=-1\n"
                                     "fetch.min.bytes=1\nclient.rack=r\ngroup.protocol=consumer\nacks=1\n"
                                     "key.serializer=x\nssl.protocol=TLSv1.3\nsome.thing=else\n");
    ASSERT_TRUE(settings.has_value());
    ASSERT_EQ(settings->notes.size(), 1U);
    EXPECT_EQ(settings->notes[0].where, "f:1");
    for (const auto* name : {"linger.ms", "key.serializer", "security.providers", "client.rack"}) {
        EXPECT_NE(settings->notes[0].what.find(name), std::string::npos) << name;
    }
    ASSERT_EQ(settings->properties.size(), 2U);
    EXPECT_EQ(settings->properties[0], (Property{"connections.max.idle.ms", "0", "f:6"}));
    EXPECT_EQ(settings->properties[1].name, "some.thing") << "for the caller to judge";
}

/// What kafka-clients 4.4 lists for the three kinds of clients; nothing of it is unknown.
TEST(JavaClient, EveryNameOfJavasClientsIsKnown) {
    std::ifstream list(std::string(BELLWETHER_TEST_DATA) + "/java-client-names.txt");
    std::size_t count = 0;
    for (std::string name; std::getline(list, name);) {
        ++count;
        EXPECT_NE(kindOf(name), JavaName::unknown) << name;
    }
    EXPECT_GT(count, 130U);
    EXPECT_EQ(kindOf("security.protocl"), JavaName::unknown);
}

/// ConfigDef trims every value, passwords too.
TEST(JavaClient, BlanksAroundValuesAreCut) {
    EXPECT_EQ(valuesOf("security.protocol=SSL \nssl.key.password= x y\t\nclient.id=\\u0020a\\ \n"),
              (Values{{"security.protocol", "SSL"}, {"ssl.key.password", "x y"}, {"client.id", "a"}}));
}

TEST(JavaClient, NumbersBeyondLibrdkafkasRange) {
    const auto settings = translated("request.timeout.ms=600000\nretry.backoff.ms=0\n"
                                     "socket.connection.setup.timeout.ms=100\nmetadata.max.age.ms=0\n"
                                     "reconnect.backoff.ms=50\n");
    ASSERT_TRUE(settings.has_value());
    std::map<std::string, std::string> values;
    for (const auto& each : settings->properties) {
        values[each.name] = each.value;
    }
    EXPECT_EQ(values, (Values{{"socket.timeout.ms", "300000"},
                              {"retry.backoff.ms", "1"},
                              {"socket.connection.setup.timeout.ms", "1000"},
                              {"metadata.max.age.ms", "1"},
                              {"reconnect.backoff.ms", "50"}}));
    ASSERT_EQ(settings->notes.size(), 4U);
    EXPECT_EQ(settings->notes[0].what,
              "request.timeout.ms: 300000 is taken instead of 600000, 300000 is the most here");
    EXPECT_EQ(settings->notes[0].where, "f:1");
}

TEST(JavaClient, ProtocolsAreNotedWhereTheyWouldNarrow) {
    const auto notes = [](std::string_view text) { return translated(text)->notes.size(); };
    EXPECT_EQ(notes("ssl.enabled.protocols=TLSv1.2,TLSv1.3\n"), 0U);
    EXPECT_EQ(notes("ssl.enabled.protocols=TLSv1.3, TLSv1.2, TLSv1.1\n"), 0U);
    EXPECT_EQ(notes("ssl.enabled.protocols=TLSv1.3\n"), 1U);
}

TEST(JavaClient, PemOnOneLine) {
    const std::string base64 = std::string(64, 'A') + std::string(10, 'B');
    const auto wanted = "-----BEGIN CERTIFICATE-----\n" + std::string(64, 'A') + "\n" + std::string(10, 'B') +
                        "\n-----END CERTIFICATE-----\n";
    for (const auto& written : {"-----BEGIN CERTIFICATE----- " + base64 + " -----END CERTIFICATE-----",
                                "-----BEGIN CERTIFICATE-----" + base64 + "-----END CERTIFICATE-----",
                                "Bag Attributes -----BEGIN CERTIFICATE----- " + base64.substr(0, 30) + " " +
                                    base64.substr(30) + "\\r\\n -----END CERTIFICATE-----"}) {
        EXPECT_EQ(valuesOf("ssl.truststore.certificates=" + written + "\n").at("ssl.ca.pem"), wanted);
        EXPECT_EQ(valuesOf("ssl.truststore.certificates=" + written + written + "\n").at("ssl.ca.pem"),
                  wanted + wanted);
    }
    const std::string headed =
        "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";
    EXPECT_EQ(withLineEnds(headed), headed);
    EXPECT_EQ(withLineEnds("-----BEGIN A----- cut"), "-----BEGIN A----- cut");
}

TEST(JavaClient, NewerBearerSettings) {
    EXPECT_EQ(valuesOf("sasl.oauthbearer.token.endpoint.url=https://i/t\n"
                       "sasl.oauthbearer.client.credentials.client.id=c\n"
                       "sasl.oauthbearer.client.credentials.client.secret=s\n"
                       "sasl.oauthbearer.jwt.retriever.class=org.apache.kafka.common.security.oauthbearer."
                       "DefaultJwtRetriever\nsasl.oauthbearer.header.urlencode=false\n"
                       "sasl.jaas.config=x.OAuthBearerLoginModule required clientId=\"old\";\n"),
              (Values{{"sasl.oauthbearer.token.endpoint.url", "https://i/t"},
                      {"sasl.oauthbearer.method", "oidc"},
                      {"sasl.oauthbearer.client.credentials.client.id", "c"},
                      {"sasl.oauthbearer.client.credentials.client.secret", "s"}}));
}

TEST(JavaClient, WhatWouldMeanSomethingElseIsRefused) {
    const auto refusedWith = [](std::string_view text) {
        const auto settings = translated(text);
        return settings ? std::string("taken") : settings.error().text();
    };
    EXPECT_NE(refusedWith("sasl.jaas.config=${file:/a:b}\n").find("config provider"), std::string::npos);
    EXPECT_NE(refusedWith("sasl.jaas.config=x.PlainLoginModule required username=\"u\" "
                          "password=\"${file:/etc/k:pw}\";\n")
                  .find("config provider"),
              std::string::npos);
    EXPECT_NE(refusedWith("bootstrap.servers=${env:BOOT}:9092\n").find("config provider"), std::string::npos);
    EXPECT_EQ(refusedWith("ssl.key.password=a${b}:c}$ {d:e}\n"), "taken") << "no reference";
    const auto noNumber = refusedWith("request.timeout.ms=soon\n");
    EXPECT_NE(noNumber.find("request.timeout.ms: that is no number"), std::string::npos) << noNumber;
    EXPECT_EQ(refusedWith("request.timeout.ms=+5000\nclient.dns.lookup=default\n"), "taken");
    EXPECT_NE(refusedWith("sasl.jaas.config=x.ScramLoginModule required username=\"u\" password=\"p\" "
                          "tokenauth=\"true\";\n")
                  .find("delegation token"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.jaas.config=x.PlainLoginModule required username=\"u\" password=\" p\";\n")
                  .find("begins with a blank"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.oauthbearer.token.endpoint.url=file:///t\n"
                          "sasl.jaas.config=x.OAuthBearerLoginModule required;\n")
                  .find("not read from files"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.oauthbearer.jwt.retriever.class=a.FileJwtRetriever\n").find("class"),
              std::string::npos);
    EXPECT_NE(refusedWith("ssl.engine.factory.class=a.Mine\n").find("class"), std::string::npos);
    EXPECT_NE(refusedWith("sasl.jaas.config=com.acme.Mine required a=\"secret\";\n").find("Mine"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.jaas.config=x.PlainLoginModule required username=\"u\";\n").find("password"),
              std::string::npos);
    EXPECT_NE(refusedWith("sasl.client.callback.handler.class=com.acme.Mine\n").find("class"),
              std::string::npos);
    EXPECT_NE(refusedWith("ssl.truststore.location=/no/such/store\n").find("No such file"),
              std::string::npos);
}

TEST(JavaClient, WithoutAJaasLine) {
    EXPECT_EQ(valuesOf("security.protocol=SASL_SSL\nsasl.mechanism=OAUTHBEARER\n"
                       "sasl.oauthbearer.token.endpoint.url=https://i/t\n"
                       "sasl.oauthbearer.client.credentials.client.id=c\n"),
              (Values{{"security.protocol", "SASL_SSL"},
                      {"sasl.mechanism", "OAUTHBEARER"},
                      {"sasl.oauthbearer.token.endpoint.url", "https://i/t"},
                      {"sasl.oauthbearer.client.credentials.client.id", "c"},
                      {"sasl.oauthbearer.method", "oidc"}}));
    const auto plain = translated("security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\n");
    ASSERT_TRUE(plain.has_value());
    ASSERT_EQ(plain->notes.size(), 1U);
    EXPECT_NE(plain->notes[0].what.find("sasl.jaas.config"), std::string::npos);
    EXPECT_TRUE(translated("security.protocol=SASL_SSL\nsasl.mechanism=GSSAPI\n")->notes.empty());
    EXPECT_TRUE(translated("security.protocol=SSL\nsasl.mechanism=PLAIN\n")->notes.empty());
}

TEST(JavaClient, WhatIsEmptyOrChangesNothingIsNotNoted) {
    EXPECT_TRUE(translated("config.providers=\nssl.cipher.suites=\nssl.enabled.protocols=\n")->notes.empty());
    EXPECT_EQ(translated("ssl.cipher.suites=TLS_AES_256_GCM_SHA384\n")->notes.size(), 1U);
}

TEST(JavaClient, BytesBeyondAsciiCountOutsideOfComments) {
    const auto notes = [](std::string_view text) {
        return readClientFile(text, "f", FileForm::java)->notes.size();
    };
    EXPECT_EQ(notes("# gr\xC3\xBC\xC3\x9F\nssl.key.password=\\u00e9\n"), 0U);
    EXPECT_EQ(notes("\xEF\xBB\xBFssl.key.password=a\n"), 0U);
    EXPECT_EQ(notes("ssl.key.password=\xC3\xBC\n"), 1U);
}

TEST(JavaClient, AReferenceInAPlainFileIsNoted) {
    const auto settings = readClientFile("sasl.username=u\nsasl.password=${file:/k:pw}\n", "f");
    ASSERT_TRUE(settings.has_value());
    ASSERT_EQ(settings->notes.size(), 1U);
    EXPECT_EQ(settings->notes[0].where, "f:2");
    EXPECT_EQ(settings->notes[0].text().find("/k"), std::string::npos);
}
