// SPDX-License-Identifier: Apache-2.0
// Stores made by the tools that users have: openssl, and keytool where a JDK is installed.
#include "settings/stores.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "settings/java_client.h"
#include "settings/java_properties.h"

using namespace bellwether;
using namespace bellwether::settings;

namespace {

class Stores : public testing::Test {
protected:
    void SetUp() override {
        std::string pattern = testing::TempDir() + "bellwether-stores-XXXXXX";
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        for (const auto* name : {"one", "two"}) {
            ASSERT_TRUE(
                run("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=" +
                    std::string(name) + " -keyout " + path(std::string(name) + ".key") + " -out " +
                    path(std::string(name) + ".pem") + " -days 30"));
        }
    }

    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return (folder_ / name).string(); }

    static bool run(const std::string& command) {
        return std::system(("(" + command + ") >/dev/null 2>&1").c_str()) == 0; // NOLINT: a test's own words
    }

    static bool hasKeytool() { return run("keytool -help"); }

    static int certificatesIn(const std::string& pem) {
        int count = 0;
        for (auto at = pem.find("BEGIN CERTIFICATE"); at != std::string::npos;
             at = pem.find("BEGIN CERTIFICATE", at + 1)) {
            ++count;
        }
        return count;
    }

    [[nodiscard]] Result<ClientSettings> trusting(const std::string& store,
                                                  const std::string& password) const {
        return fromJava(
            {{"ssl.truststore.location", path(store), "f:1"}, {"ssl.truststore.password", password, "f:2"}});
    }

    std::filesystem::path folder_;
};

} // namespace

TEST_F(Stores, ATrustStoreOfOpenssl) {
    ASSERT_TRUE(run("cat " + path("one.pem") + " " + path("two.pem") + " > " + path("both.pem")));
    ASSERT_TRUE(run("openssl pkcs12 -export -nokeys -in " + path("both.pem") + " -out " + path("t.p12") +
                    " -passout pass:changeit"));
    const auto settings = trusting("t.p12", "changeit");
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    ASSERT_EQ(settings->properties.size(), 1U);
    EXPECT_EQ(settings->properties[0].name, "ssl.ca.pem");
    EXPECT_EQ(certificatesIn(settings->properties[0].value), 2);

    const auto wrong = trusting("t.p12", "sesame");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_NE(wrong.error().what.find("wrong password"), std::string::npos);
    EXPECT_EQ(wrong.error().text().find("sesame"), std::string::npos);
    EXPECT_EQ(wrong.error().where, "f:1");
}

TEST_F(Stores, StoresOfKeytool) {
    if (!hasKeytool()) {
        GTEST_SKIP() << "no keytool: install a JDK";
    }
    for (const auto* name : {"one", "two"}) {
        ASSERT_TRUE(run("keytool -importcert -noprompt -alias " + std::string(name) + " -file " +
                        path(std::string(name) + ".pem") + " -storetype PKCS12 -keystore " + path("k.p12") +
                        " -storepass changeit"));
    }
    const auto settings = trusting("k.p12", "changeit");
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    EXPECT_EQ(certificatesIn(settings->properties[0].value), 2);

    ASSERT_TRUE(run("keytool -importcert -noprompt -alias one -file " + path("one.pem") +
                    " -storetype JKS -keystore " + path("old.jks") + " -storepass changeit"));
    const auto jks = trusting("old.jks", "changeit");
    ASSERT_FALSE(jks.has_value());
    EXPECT_NE(jks.error().text().find("keytool -importkeystore -srckeystore " + path("old.jks")),
              std::string::npos)
        << jks.error().text();
    EXPECT_NE(jks.error().text().find("-deststoretype PKCS12"), std::string::npos);
}

TEST_F(Stores, KeyStoresAndPem) {
    ASSERT_TRUE(run("openssl pkcs12 -export -inkey " + path("one.key") + " -in " + path("one.pem") +
                    " -out " + path("k.p12") + " -passout pass:changeit"));
    const auto p12 = fromJava(
        {{"ssl.keystore.location", path("k.p12"), "f:1"}, {"ssl.keystore.password", "changeit", "f:2"}});
    ASSERT_TRUE(p12.has_value());
    EXPECT_EQ(p12->properties[0], (Property{"ssl.keystore.location", path("k.p12"), "f:1"}));
    EXPECT_EQ(p12->properties[1], (Property{"ssl.keystore.password", "changeit", "f:2"}));

    ASSERT_TRUE(run("cat " + path("one.key") + " " + path("one.pem") + " > " + path("k.pem")));
    const auto pem = fromJava({{"ssl.keystore.type", "PEM", "f:1"},
                               {"ssl.keystore.location", path("k.pem"), "f:2"},
                               {"ssl.truststore.location", path("two.pem"), "f:3"}});
    ASSERT_TRUE(pem.has_value());
    EXPECT_EQ(pem->properties[0], (Property{"ssl.ca.location", path("two.pem"), "f:3"}));
    EXPECT_EQ(pem->properties[1], (Property{"ssl.certificate.location", path("k.pem"), "f:2"}));
    EXPECT_EQ(pem->properties[2], (Property{"ssl.key.location", path("k.pem"), "f:2"}));
}

/// As keytool of Java 15 and older writes them.
TEST_F(Stores, ATrustStoreInAnOldEncryption) {
    ASSERT_TRUE(run("openssl pkcs12 -export -legacy -nokeys -certpbe PBE-SHA1-RC2-40 -in " + path("one.pem") +
                    " -out " + path("old.p12") + " -passout pass:changeit"));
    const auto settings = trusting("old.p12", "changeit");
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    EXPECT_EQ(certificatesIn(settings->properties[0].value), 1);
    const auto wrong = trusting("old.p12", "sesame");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_NE(wrong.error().what.find("wrong password"), std::string::npos) << wrong.error().text();
    EXPECT_TRUE(trusting("old.p12", "changeit").has_value()) << "again";
}

TEST_F(Stores, APemTrustStoreOnOneLine) {
    ASSERT_TRUE(run("tr '\\n' ' ' < " + path("one.pem") + " > " + path("line.pem")));
    const auto settings = fromJava({{"ssl.truststore.location", path("line.pem"), "f:1"}});
    ASSERT_TRUE(settings.has_value());
    ASSERT_EQ(settings->properties.size(), 1U);
    EXPECT_EQ(settings->properties[0].name, "ssl.ca.pem");
    std::ifstream whole(path("one.pem"));
    EXPECT_EQ(settings->properties[0].value,
              std::string(std::istreambuf_iterator<char>(whole), std::istreambuf_iterator<char>()));
}

TEST_F(Stores, WithoutAMacAndWithoutAPassword) {
    ASSERT_TRUE(run("cat " + path("one.pem") + " " + path("two.pem") + " > " + path("both.pem")));
    ASSERT_TRUE(run("openssl pkcs12 -export -nokeys -nomac -certpbe AES-256-CBC -in " + path("both.pem") +
                    " -out " + path("nomac.p12") + " -passout pass:changeit"));
    const auto noMac = trusting("nomac.p12", "changeit");
    ASSERT_TRUE(noMac.has_value()) << noMac.error().text();
    EXPECT_EQ(certificatesIn(noMac->properties[0].value), 2);
    const auto wrong = trusting("nomac.p12", "sesame");
    ASSERT_FALSE(wrong.has_value());
    EXPECT_NE(wrong.error().what.find("wrong password"), std::string::npos) << wrong.error().text();

    const auto none = fromJava({{"ssl.truststore.location", path("nomac.p12"), "f:1"}});
    ASSERT_FALSE(none.has_value());
    EXPECT_NE(none.error().what.find("needs a password"), std::string::npos) << none.error().text();

    ASSERT_TRUE(run("openssl pkcs12 -export -nokeys -certpbe NONE -in " + path("both.pem") + " -out " +
                    path("open.p12") + " -passout pass:changeit"));
    const auto open = fromJava({{"ssl.truststore.location", path("open.p12"), "f:1"}});
    ASSERT_TRUE(open.has_value()) << open.error().text();
    EXPECT_EQ(certificatesIn(open->properties[0].value), 2) << "as in Java: not encrypted, not checked";
}

/// As in Java: the CAs of a key's own chain are not trusted ones.
TEST_F(Stores, AKeysChainIsNotTrusted) {
    ASSERT_TRUE(run("openssl pkcs12 -export -inkey " + path("one.key") + " -in " + path("one.pem") +
                    " -certfile " + path("two.pem") + " -out " + path("key.p12") +
                    " -passout pass:changeit"));
    const auto chain = trusting("key.p12", "changeit");
    ASSERT_FALSE(chain.has_value());
    EXPECT_NE(chain.error().what.find("no trusted certificate"), std::string::npos) << chain.error().text();
    if (!hasKeytool()) {
        GTEST_SKIP() << "no keytool: install a JDK";
    }
    ASSERT_TRUE(run("keytool -importcert -noprompt -alias ca -file " + path("two.pem") +
                    " -storetype PKCS12 -keystore " + path("key.p12") + " -storepass changeit"));
    const auto both = trusting("key.p12", "changeit");
    ASSERT_TRUE(both.has_value()) << both.error().text();
    EXPECT_EQ(certificatesIn(both->properties[0].value), 1);
}

TEST_F(Stores, KeyStoresThatLibrdkafkaWouldRefuse) {
    const auto keyStore = [&](const std::string& options) {
        EXPECT_TRUE(run("openssl pkcs12 -export " + options + " -inkey " + path("one.key") + " -in " +
                        path("one.pem") + " -out " + path("k.p12") + " -passout pass:changeit"));
        return Properties{{"ssl.keystore.location", path("k.p12"), "f:1"},
                          {"ssl.keystore.password", "changeit", "f:2"}};
    };
    const auto refusedWith = [](const Properties& java) {
        const auto settings = fromJava(java);
        return settings ? std::string("taken") : settings.error().text();
    };
    auto java = keyStore("");
    EXPECT_EQ(refusedWith(java), "taken");
    java[1].value = "sesame";
    EXPECT_NE(refusedWith(java).find("wrong password"), std::string::npos) << refusedWith(java);
    java.pop_back();
    EXPECT_NE(refusedWith(java).find("needs a password"), std::string::npos) << refusedWith(java);
    // The command of the message, with the answers to its questions, makes a store that is taken.
    const auto afterItsCommand = [&](const std::string& message) {
        const std::string begin = "write it anew: ";
        const auto from = message.find(begin) + begin.size();
        auto command = message.substr(from, message.find(", and name ") - from);
        const std::string program = "openssl pkcs12 ";
        for (auto at = command.find(program); at != std::string::npos; at = command.find(program, at + 1)) {
            command.insert(at + program.size(), "-passin pass:changeit -passout pass:changeit ");
        }
        EXPECT_TRUE(run(command)) << command;
        EXPECT_FALSE(std::filesystem::exists(path("k.p12.pem"))) << "no key lies about";
        return refusedWith({{"ssl.keystore.location", path("k.p12.new"), "f:1"},
                            {"ssl.keystore.password", "changeit", "f:2"}});
    };
    const auto old = refusedWith(keyStore("-legacy -certpbe PBE-SHA1-RC2-40"));
    EXPECT_NE(old.find("openssl pkcs12 -legacy -in " + path("k.p12")), std::string::npos) << old;
    EXPECT_EQ(afterItsCommand(old), "taken");
    const auto noMac = refusedWith(keyStore("-nomac"));
    EXPECT_NE(noMac.find("integrity"), std::string::npos) << noMac;
    EXPECT_EQ(afterItsCommand(noMac), "taken");
}

TEST_F(Stores, ACommandQuotesThePath) {
    const auto hint = [](const std::string& path) {
        return jksError(path, {"ssl.truststore.location", "", "f:1"}).hint;
    };
    EXPECT_NE(
        hint("/a b/it's.jks").find("-srckeystore '/a b/it'\\''s.jks' -destkeystore '/a b/it'\\''s.jks.p12'"),
        std::string::npos)
        << hint("/a b/it's.jks");
    EXPECT_NE(hint("/a/b.jks").find("-srckeystore /a/b.jks "), std::string::npos);
}

TEST_F(Stores, GarbageAndTruncations) {
    ASSERT_TRUE(run("openssl pkcs12 -export -nokeys -in " + path("one.pem") + " -out " + path("t.p12") +
                    " -passout pass:x"));
    const auto whole = readStore(path("t.p12"), {"ssl.truststore.location", "", "f:1"});
    ASSERT_TRUE(whole.has_value());
    for (std::size_t size = 0; size < whole->size(); size += 7) {
        EXPECT_FALSE(certificatesOf(whole->substr(0, size), "x", "t", {"n", "", "f:1"}).has_value()) << size;
    }
    EXPECT_FALSE(readStore(path("none"), {"n", "", "f:1"}).has_value());
    EXPECT_FALSE(readStore(folder_.string(), {"n", "", "f:1"}).has_value());
}
