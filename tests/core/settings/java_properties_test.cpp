// SPDX-License-Identifier: Apache-2.0
#include "settings/java_properties.h"

#include <gtest/gtest.h>

#include "settings/client_file.h"
#include "settings/jaas.h"

using namespace bellwether;
using namespace bellwether::settings;

namespace {

std::string valueOf(std::string_view line) {
    const auto read = parseJavaProperties(line, "f");
    EXPECT_TRUE(read.has_value());
    return read && read->size() == 1 ? read->front().value : std::string("?");
}

} // namespace

/// What java.util.Properties makes of each, tried with Java 17.
TEST(JavaProperties, EscapesAreJavas) {
    EXPECT_EQ(valueOf("a=b"), "b");
    EXPECT_EQ(valueOf("  a : b "), "b ");
    EXPECT_EQ(valueOf("a b c"), "b c");
    EXPECT_EQ(valueOf("a="), "");
    EXPECT_EQ(valueOf("a"), "");
    EXPECT_EQ(valueOf("a==b"), "=b");
    EXPECT_EQ(valueOf("a=p,a\"s\\\\s;=word #x! "), "p,a\"s\\s;=word #x! ");
    EXPECT_EQ(valueOf("a=\\t\\n\\r\\f|\\q"), "\t\n\r\f|q");
    EXPECT_EQ(valueOf("a=\\u00e9\\u20AC"), "\u00e9\u20ac");
    EXPECT_EQ(valueOf("a=\\uD83D\\uDE00"), "\U0001F600");
    EXPECT_EQ(valueOf("a=\xe9"), "\u00e9") << "a byte is a character of ISO-8859-1";
    EXPECT_EQ(valueOf("a=one\\\n   two"), "onetwo");
    EXPECT_EQ(valueOf("a=one\\\\\n"), "one\\") << "two backslashes end no line";
    EXPECT_EQ(valueOf("a=end\\"), "end");
    EXPECT_EQ(valueOf("! no\n# no\n\n\ta=x\r\n"), "x");
}

TEST(JavaProperties, NamesAndLinesAreKept) {
    const auto read = parseJavaProperties("# c\na\\ b\\:c=1\nlong=x\\\n y\nz=3", "client.properties");
    ASSERT_TRUE(read.has_value());
    ASSERT_EQ(read->size(), 3U);
    EXPECT_EQ(read->at(0), (Property{"a b:c", "1", "client.properties:2"}));
    EXPECT_EQ(read->at(1).where, "client.properties:3");
    EXPECT_EQ(read->at(2), (Property{"z", "3", "client.properties:5"}));
}

TEST(JavaProperties, AHalfEscapeIsNamedAndItsLineKeptSecret) {
    const auto read = parseJavaProperties("x=1\nsasl.password=secret\\user", "f");
    ASSERT_FALSE(read.has_value());
    EXPECT_EQ(read.error().where, "f:2");
    EXPECT_EQ(read.error().text().find("secret"), std::string::npos);
}

TEST(JavaProperties, EveryTruncationEndsWell) {
    const std::string text =
        "a=\\u00e9\\\n  b\\\\ \nsasl.jaas.config=x.PlainLoginModule required username=\"u\\\"\";\n";
    for (std::size_t size = 0; size <= text.size(); ++size) {
        const auto read = parseJavaProperties(std::string_view(text).substr(0, size), "f");
        EXPECT_TRUE(read.has_value() || !read.error().what.empty());
    }
}

TEST(PlainProperties, NothingIsAnEscape) {
    const auto read =
        parsePlainProperties("\xEF\xBB\xBF# c\n sasl.password = p,a\"s\\s;=word #\u00e9 \r\nb=2\n", "f");
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_EQ(read->at(0), (Property{"sasl.password", "p,a\"s\\s;=word #\u00e9", "f:2"}));
    EXPECT_EQ(read->at(1).where, "f:3");
    EXPECT_FALSE(parsePlainProperties("a=1\nnoequals\n", "f").has_value());
}

TEST(Jaas, TheLineOfALoginModule) {
    const auto entry = parseJaas("org.apache.kafka.common.security.scram.ScramLoginModule required\n"
                                 "  username=\"o'brien\" password='a\"b\\'c\\\\d\\n\\101' flag=true;",
                                 "f:1");
    ASSERT_TRUE(entry.has_value()) << entry.error().text();
    EXPECT_EQ(entry->module, "ScramLoginModule");
    EXPECT_EQ(entry->options.at("username"), "o'brien");
    EXPECT_EQ(entry->options.at("password"), "a\"b'c\\d\nA");
    EXPECT_EQ(entry->options.at("flag"), "true");
}

TEST(Jaas, WhatIsWrongIsSaidWithoutTheSecret) {
    for (const auto* text :
         {"", "Module", "Module maybe a=\"secret\";", "Module required a=\"secret\"",
          "Module required a=\"secret;", "Module required a \"secret\";", "Module required a=;",
          "Module required a=se,cret;", "Module required a=\"x\"; Module required b=\"secret\";"}) {
        const auto entry = parseJaas(text, "f:1");
        ASSERT_FALSE(entry.has_value()) << text;
        EXPECT_EQ(entry.error().where, "f:1");
        EXPECT_EQ(entry.error().text().find("secret"), std::string::npos) << entry.error().text();
    }
}

TEST(FileForm, IsSeenByItsNames) {
    EXPECT_EQ(detectForm("sasl.username=u\nsecurity.protocol=SASL_SSL\n").form, FileForm::librdkafka);
    EXPECT_EQ(detectForm("security.protocol=SSL\n").form, FileForm::librdkafka);
    EXPECT_TRUE(detectForm("security.protocol=SSL\n").because.empty()) << "undecided";
    const auto java =
        detectForm("security.protocol=SASL_SSL\nsasl.jaas.config=a.PlainLoginModule required \\\n"
                   " username=\"u\" password=\"p\";\n");
    EXPECT_EQ(java.form, FileForm::java);
    EXPECT_EQ(java.because, "sasl.jaas.config");
    EXPECT_EQ(detectForm("").form, FileForm::librdkafka);
    EXPECT_EQ(detectForm("just a line without anything\nssl.truststore.location : /a\n").form,
              FileForm::java);
}
