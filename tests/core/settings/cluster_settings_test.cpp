// SPDX-License-Identifier: Apache-2.0
#include "cluster_settings.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "kafka/kafka_config.h"
#include "settings/java_names.h"

using namespace bellwether;
using namespace bellwether::app;

namespace {

class SettingsFile {
public:
    explicit SettingsFile(const std::string& text)
        : path(testing::TempDir() + "bellwether-settings-" + std::to_string(::getpid())) {
        std::ofstream(path, std::ios::binary) << text;
        std::filesystem::permissions(path, std::filesystem::perms::owner_read |
                                               std::filesystem::perms::owner_write);
    }

    ~SettingsFile() { std::filesystem::remove(path); }

    const std::string path;
};

Result<ClusterSettings> readFile(const SettingsFile& file, std::string form = {}) {
    TypedSettings typed;
    typed.file = file.path;
    typed.form = std::move(form);
    return readClusterSettings(typed);
}

} // namespace

TEST(ClusterSettings, TheSamePasswordInEveryForm) {
    const std::string password = "p,a\"s\\s;=word \u00e9#!";
    const SettingsFile java("security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config=x."
                            "PlainLoginModule required username=\"u\" "
                            "password=\"p,a\\\\\"s\\\\\\\\s;=word \\u00e9#!\";\n");
    TypedSettings typed;
    typed.properties = {"security.protocol=SASL_SSL", "sasl.mechanism=PLAIN", "sasl.username=u",
                        "sasl.password=" + password};
    const std::map<std::string, std::string> expected{{"security.protocol", "SASL_SSL"},
                                                      {"sasl.mechanisms", "PLAIN"},
                                                      {"sasl.username", "u"},
                                                      {"sasl.password", password}};
    const auto fromJavaFile = readFile(java);
    ASSERT_TRUE(fromJavaFile.has_value()) << fromJavaFile.error().text();
    EXPECT_EQ(fromJavaFile->properties, expected);
    const auto fromTyped = readClusterSettings(typed);
    ASSERT_TRUE(fromTyped.has_value());
    EXPECT_EQ(fromTyped->properties, expected);
    const SettingsFile again(
        "security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.username=u\nsasl.password=" + password +
        "\n");
    const auto fromPlain = readFile(again);
    ASSERT_TRUE(fromPlain.has_value());
    EXPECT_EQ(fromPlain->properties, expected);
    EXPECT_TRUE(fromPlain->notes.empty()) << fromPlain->notes.front().text();
}

TEST(ClusterSettings, UnknownNamesWarnAndThoseOfSecurityStop) {
    const SettingsFile file("client.id=a\nclientid=b\nsocket.timeout.mss=5\n");
    const auto settings = readFile(file);
    ASSERT_TRUE(settings.has_value());
    ASSERT_EQ(settings->notes.size(), 2U);
    EXPECT_NE(settings->notes[0].hint.find("client.id"), std::string::npos);
    EXPECT_NE(settings->notes[1].hint.find("socket.timeout.ms"), std::string::npos);
    EXPECT_EQ(settings->notes[1].where, file.path + ":3");
    EXPECT_EQ(settings->properties.size(), 1U);

    TypedSettings typed;
    typed.properties = {"ssl.ca.locaton=secret"};
    const auto stopped = readClusterSettings(typed);
    ASSERT_FALSE(stopped.has_value());
    EXPECT_NE(stopped.error().text().find("ssl.ca.location"), std::string::npos);
    EXPECT_EQ(stopped.error().text().find("secret"), std::string::npos);
}

/// Going on without one of these would go on in plain text.
TEST(ClusterSettings, WhatLooksLikeSecurityStops) {
    for (const auto& [written, meant] : std::map<std::string, std::string>{
             {"securty.protocol", "security.protocol"},
             {"Security.Protocol", "security.protocol"},
             {"SECURITY_PROTOCOL", "security.protocol"},
             {"security-protocol", "security.protocol"},
             {"secrity.protcol", "security.protocol"},
             {"sasl_password", "sasl.password"},
             {"sals.mechanism", "sasl.mechanism"},
             {"ssl.ca.locaton", "ssl.ca.location"},
             {"sl.truststore.location", "ssl.truststore.location"},
             {"sals.jaas.config", "sasl.jaas.config"},
             {"enable.ssl.certificate.verificaton", "enable.ssl.certificate.verification"},
             {"sslEnabled", "sslEnabled"},
             {"tls.ca", "tls.ca"},
             {"password", "sasl.password"},
             {"truststore.location", "ssl.truststore.location"},
             {"\u200bsecurity.protocol", "security.protocol"},
             {std::string("s\0e\0c\0u\0r\0i\0t\0y\0.\0p\0r\0o\0t\0o\0c\0o\0l\0", 34), "security.protocol"},
             {"producer.securty.protocol", "security.protocol"},
             {"kafka.password", "sasl.password"},
             {"us-west.security.protocol", "security.protocol"},
             {"producer.security.protocol", "security.protocol"},
             {"spring.kafka.ssl.truststore.location", "ssl.truststore.location"}}) {
        for (const std::string form : {"librdkafka", "java"}) {
            const SettingsFile file("client.id=a\n" + written + "=hunter2\n");
            const auto settings = readFile(file, form);
            ASSERT_FALSE(settings.has_value()) << written << " in " << form;
            const auto text = settings.error().text();
            EXPECT_NE(text.find(meant), std::string::npos) << text;
            if (std::all_of(written.begin(), written.end(), [](char c) { return c > ' ' && c < 0x7F; })) {
                EXPECT_NE(text.find(written), std::string::npos) << text;
            }
            EXPECT_EQ(settings.error().where, file.path + ":2");
            EXPECT_EQ(text.find("hunter2"), std::string::npos) << text;
        }
        TypedSettings typed;
        typed.properties = {written + "=hunter2"};
        ASSERT_FALSE(readClusterSettings(typed).has_value()) << written;
    }
    TypedSettings shell;
    shell.properties = {"export SECURITY_PROTOCOL=SSL"};
    EXPECT_FALSE(readClusterSettings(shell).has_value());
}

TEST(ClusterSettings, WhatIsFarFromSecurityWarns) {
    const SettingsFile file("plugin.path=/x\nschema.registry.url=http://r\nconfig.storage.topic=c\n"
                            "basic.auth.user.info=u:p\nspring.datasource.password=x\nlocation=x\n"
                            "schema.registry.ssl.keystore.password=x\nconsumer.max.poll.records=5\n");
    const auto settings = readFile(file);
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    EXPECT_EQ(settings->notes.size(), 8U);
}

TEST(ClusterSettings, AByteOrderMarkHidesNothing) {
    for (const std::string form : {"librdkafka", "java"}) {
        const SettingsFile file("\xEF\xBB\xBFsecurity.protocol=SSL\n");
        const auto settings = readFile(file, form);
        ASSERT_TRUE(settings.has_value()) << settings.error().text();
        EXPECT_EQ(settings->properties.at("security.protocol"), "SSL");
        EXPECT_TRUE(settings->notes.empty());
    }
}

TEST(ClusterSettings, OthersClientsSettingsDoNotStopWhereOursAreSet) {
    const SettingsFile file("security.protocol=SSL\nproducer.security.protocol=PLAINTEXT\n"
                            "schema.registry.ssl.truststore.location=/x\nbasic.auth.user.info=a:b\n");
    const auto settings = readFile(file);
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    EXPECT_EQ(settings->notes.size(), 3U);
    EXPECT_EQ(settings->properties.at("security.protocol"), "SSL");
}

TEST(ClusterSettings, AJaasLineBelongsIntoAJavaFile) {
    TypedSettings typed;
    typed.properties = {"sasl.jaas.config=x.PlainLoginModule required username=\"u\" password=\"hunter2\";"};
    const auto refused = readClusterSettings(typed);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("--file-form java"), std::string::npos) << refused.error().text();
    EXPECT_EQ(refused.error().text().find("hunter2"), std::string::npos);
}

TEST(ClusterSettings, BothClientsGetTheSameValue) {
    TypedSettings typed;
    typed.properties = {"security.protocol=sasl_ssl", "sasl.mechanism=PLAIN", "sasl.password=  hunter2 "};
    const auto settings = readClusterSettings(typed);
    ASSERT_TRUE(settings.has_value());
    EXPECT_EQ(settings->properties.at("sasl.password"), "hunter2 ");
    ASSERT_EQ(settings->notes.size(), 1U);
    EXPECT_EQ(settings->notes[0].text().find("hunter2"), std::string::npos);
}

TEST(ClusterSettings, TheLaterWayToNameAThingCounts) {
    const SettingsFile file("ssl.ca.pem=x\nssl.key.location=/k\nsasl.oauthbearer.client.id=a\n");
    TypedSettings typed;
    typed.file = file.path;
    typed.properties = {"ssl.ca.location=/ca", "ssl.key.pem=y",
                        "sasl.oauthbearer.client.credentials.client.id=b"};
    const auto settings = readClusterSettings(typed);
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    EXPECT_EQ(settings->properties,
              (std::map<std::string, std::string>{
                  {"ssl.ca.location", "/ca"}, {"ssl.key.pem", "y"}, {"sasl.oauthbearer.client.id", "b"}}));
}

TEST(ClusterSettings, AKeyStoreAndAKeyAreTwoWays) {
    const SettingsFile file("ssl.keystore.location=/k.p12\nssl.keystore.password=x\nssl.ca.location=/a\n"
                            "ssl.ca.pem=both\n");
    TypedSettings typed;
    typed.file = file.path;
    EXPECT_EQ(readClusterSettings(typed)->properties.size(), 4U) << "in one place both count";
    typed.properties = {"ssl.key.location=/k", "ssl.certificate.location=/c"};
    const auto settings = readClusterSettings(typed);
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    EXPECT_FALSE(settings->properties.contains("ssl.keystore.location"));
    EXPECT_EQ(settings->properties.at("ssl.certificate.location"), "/c");
}

/// A login or a CA that nobody uses is a connection less safe than it looks.
TEST(ClusterSettings, WhatTheProtocolMakesIneffectiveIsNoted) {
    const auto notes = [](std::vector<std::string> properties) {
        TypedSettings typed;
        typed.properties = std::move(properties);
        const auto settings = readClusterSettings(typed);
        EXPECT_TRUE(settings.has_value()) << settings.error().text();
        std::string text;
        for (const auto& each : settings->notes) {
            text += each.text() + "\n";
        }
        return text;
    };
    const auto plain = notes({"sasl.username=u", "sasl.password=hunter2", "ssl.ca.location=/ca"});
    EXPECT_NE(plain.find("sasl.username, sasl.password have no effect"), std::string::npos) << plain;
    EXPECT_NE(plain.find("ssl.ca.location has no effect, the connection is not encrypted"), std::string::npos)
        << plain;
    EXPECT_NE(plain.find("security.protocol is not set"), std::string::npos) << plain;
    EXPECT_EQ(plain.find("hunter2"), std::string::npos) << plain;
    EXPECT_NE(notes({"security.protocol=SASL_PLAINTEXT", "sasl.mechanism=PLAIN", "sasl.username=u",
                     "ssl.ca.location=/ca"})
                  .find("not encrypted"),
              std::string::npos);
    EXPECT_NE(notes({"security.protocol=SSL", "sasl.password=p"}).find("nobody logs in"), std::string::npos);
    EXPECT_EQ(notes({"security.protocol=SASL_SSL", "sasl.mechanism=PLAIN", "sasl.username=u",
                     "ssl.ca.location=/ca"}),
              "");
    EXPECT_EQ(notes({"sasl.mechanism=PLAIN"}), "");
}

TEST(ClusterSettings, TheFirstWaitGoesBeforeTheLongest) {
    TypedSettings typed;
    typed.properties = {"reconnect.backoff.ms=5000", "reconnect.backoff.max.ms=1000"};
    const auto settings = readClusterSettings(typed);
    ASSERT_TRUE(settings.has_value());
    EXPECT_EQ(settings->properties.at("reconnect.backoff.max.ms"), "5000");
    EXPECT_EQ(settings->notes.size(), 1U);
}

TEST(ClusterSettings, AKeyStoreThatCannotBeReadIsToldInOurWords) {
    const SettingsFile store("\xFE\xED\xFE\xED rest");
    TypedSettings typed;
    typed.properties = {"security.protocol=SSL", "ssl.keystore.location=" + store.path,
                        "ssl.keystore.password=hunter2"};
    const auto refused = readClusterSettings(typed);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("keytool -importkeystore"), std::string::npos)
        << refused.error().text();
    EXPECT_EQ(refused.error().text().find("hunter2"), std::string::npos);
}

TEST(ClusterSettings, PemOnOneLineOfAPlainFile) {
    const SettingsFile file("security.protocol=SSL\n"
                            "ssl.ca.pem=-----BEGIN A-----\\nQUJD REVG\\n-----END A-----\\n\n");
    EXPECT_EQ(readFile(file)->properties.at("ssl.ca.pem"), "-----BEGIN A-----\nQUJDREVG\n-----END A-----\n");
}

TEST(ClusterSettings, AKeyOnSeveralLinesIsNotRepeated) {
    const std::string line(64, 'M');
    const SettingsFile file(
        "ssl.keystore.certificate.chain=x\nssl.keystore.key=-----BEGIN PRIVATE KEY-----\n" + line + "\n");
    const auto refused = readFile(file, "java");
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().where, file.path + ":3");
    EXPECT_EQ(refused.error().text().find("MMMM"), std::string::npos) << refused.error().text();
}

/// librdkafka's words repeat a value, so no value of a secret may make it speak.
TEST(ClusterSettings, NoValueOfASecretIsIllegal) {
    for (const auto* name :
         {"sasl.password", "ssl.key.password", "ssl.keystore.password", "ssl.key.pem",
          "sasl.oauthbearer.client.secret", "sasl.oauthbearer.client.credentials.client.secret",
          "sasl.oauthbearer.assertion.private.key.passphrase", "sasl.oauthbearer.assertion.private.key.pem",
          "sasl.oauthbearer.config"}) {
        for (const std::string value : {"", "x", "true", "-1", "a,b=c", "\x01\xff", "${a:b}"}) {
            EXPECT_TRUE(kafka::isProperty(name)) << name;
            EXPECT_TRUE(kafka::checkProperty(name, value)) << name << " " << value;
        }
    }
}

TEST(ClusterSettings, ATrustStoreOnTheCommandLineBelongsIntoAFile) {
    TypedSettings typed;
    typed.properties = {"ssl.truststore.location=/x"};
    const auto refused = readClusterSettings(typed);
    ASSERT_FALSE(refused.has_value());
    EXPECT_NE(refused.error().text().find("--file-form java"), std::string::npos) << refused.error().text();
}

TEST(ClusterSettings, ATicketThatIsThereNeedsNoKeytab) {
    TypedSettings typed;
    typed.properties = {"security.protocol=SASL_SSL", "sasl.mechanism=GSSAPI"};
    EXPECT_EQ(readClusterSettings(typed)->properties.at("sasl.kerberos.min.time.before.relogin"), "0");
    typed.properties.emplace_back("sasl.kerberos.min.time.before.relogin=60000");
    EXPECT_EQ(readClusterSettings(typed)->properties.at("sasl.kerberos.min.time.before.relogin"), "0")
        << "librdkafka's default, as Java files say it too";
    EXPECT_EQ(readClusterSettings(typed)->notes.size(), 1U);
    typed.properties.back() = "sasl.kerberos.keytab=/k";
    EXPECT_FALSE(readClusterSettings(typed)->properties.contains("sasl.kerberos.min.time.before.relogin"));
}

/// What the translation believes of librdkafka, asked of librdkafka.
TEST(ClusterSettings, EveryTranslatedNameAndBoundIsLibrdkafkas) {
    std::size_t bounded = 0;
    for (const auto& name : settings::translatedNames()) {
        const auto ours = std::string(settings::renamedTo(name));
        EXPECT_TRUE(kafka::isProperty(ours)) << ours;
        if (const auto bounds = settings::boundsOf(ours)) {
            ++bounded;
            EXPECT_TRUE(kafka::checkProperty(ours, std::to_string(bounds->least))) << ours;
            EXPECT_TRUE(kafka::checkProperty(ours, std::to_string(bounds->most))) << ours;
            EXPECT_FALSE(kafka::checkProperty(ours, std::to_string(bounds->least - 1))) << ours;
            EXPECT_FALSE(kafka::checkProperty(ours, std::to_string(bounds->most + 1))) << ours;
        }
    }
    EXPECT_GT(bounded, 8U);
}

TEST(ClusterSettings, IllegalValuesAndOurOwnNames) {
    const SettingsFile file("group.id=mine\nisolation.level=read_uncommitted\n");
    const auto settings = readFile(file);
    ASSERT_TRUE(settings.has_value());
    EXPECT_TRUE(settings->properties.empty());
    EXPECT_EQ(settings->notes.size(), 2U);
    const SettingsFile bad("\nsocket.timeout.ms=soon\n");
    const auto illegal = readFile(bad);
    ASSERT_FALSE(illegal.has_value());
    EXPECT_EQ(illegal.error().where, bad.path + ":2");
}

TEST(ClusterSettings, ASecretThatOthersCanReadIsNoted) {
    const SettingsFile file("security.protocol=SASL_SSL\nsasl.password=x\n");
    std::filesystem::permissions(file.path, std::filesystem::perms::group_read,
                                 std::filesystem::perm_options::add);
    const auto settings = readFile(file);
    ASSERT_TRUE(settings.has_value());
    ASSERT_EQ(settings->notes.size(), 1U);
    EXPECT_EQ(settings->notes[0].hint, "chmod 600 " + file.path);
}

TEST(ClusterSettings, WhatNeverEndsIsNoFile) {
    TypedSettings typed;
    for (const auto* path : {"/dev/zero", "/", "/no/such/file"}) {
        typed.file = path;
        const auto refused = readClusterSettings(typed);
        ASSERT_FALSE(refused.has_value()) << path;
        EXPECT_EQ(refused.error().where, path);
    }
    const SettingsFile file("ssl.truststore.location=/dev/zero\n");
    EXPECT_NE(readFile(file, "java").error().text().find("longer than"), std::string::npos);
}

TEST(ClusterSettings, TheFormCanBeNamed) {
    const SettingsFile file("client.id=a\\tb\n");
    EXPECT_EQ(readFile(file)->properties.at("client.id"), "a\\tb");
    EXPECT_EQ(readFile(file, "java")->properties.at("client.id"), "a\tb");
    EXPECT_FALSE(readFile(file, "yaml").has_value());
}

TEST(ClusterSettings, BootstrapComesFromTheNearest) {
    const SettingsFile file("bootstrap.servers=file:1\n");
    TypedSettings typed;
    typed.file = file.path;
    EXPECT_EQ(readClusterSettings(typed)->bootstrap, "file:1");
    typed.properties = {"bootstrap.servers=option:1"};
    EXPECT_EQ(readClusterSettings(typed)->bootstrap, "option:1");
    typed.bootstrap = "typed:1";
    EXPECT_EQ(readClusterSettings(typed)->bootstrap, "typed:1");
}
