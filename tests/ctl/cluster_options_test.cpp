// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "ctl/cluster_options.h"

namespace bellwether::ctl {

namespace {

class PropertyFile {
public:
    explicit PropertyFile(const std::string& text)
        : path_(testing::TempDir() + "bellwether-" + std::to_string(::getpid()) + ".properties") {
        std::ofstream(path_, std::ios::binary) << text;
    }

    ~PropertyFile() { std::filesystem::remove(path_); }

    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_;
};

} // namespace

TEST(WorldOptions, JoinsFileAndOptionsAndTheOptionsWin) {
    const PropertyFile file(
        "# a comment\n\n bootstrap.servers = file:1 \r\nsocket.timeout.ms=1\nclient.id=from file\n");
    ClusterOptions typed;
    typed.propertyFile = file.path();
    typed.properties = {"socket.timeout.ms=2", "sasl.password= p,a\"s\\s;=word é "};
    typed.timeout = "1500ms";
    typed.topic = "__other";

    const auto options = worldOptions(typed);

    ASSERT_TRUE(options) << options.error().text();
    EXPECT_EQ(options->bootstrap, "file:1");
    EXPECT_EQ(options->topic, "__other");
    EXPECT_EQ(options->timeout, Millis{1'500});
    const std::map<std::string, std::string> expected{
        {"client.id", "from file"}, {"socket.timeout.ms", "2"}, {"sasl.password", " p,a\"s\\s;=word é "}};
    EXPECT_EQ(options->properties, expected);
}

TEST(WorldOptions, TheBootstrapOptionWins) {
    ClusterOptions typed;
    typed.bootstrap = "typed:1";
    typed.properties = {"bootstrap.servers=property:1"};
    const auto options = worldOptions(typed);
    ASSERT_TRUE(options);
    EXPECT_EQ(options->bootstrap, "typed:1");
    EXPECT_TRUE(options->properties.empty());
}

TEST(WorldOptions, WithoutAClusterItSaysWhatToGive) {
    const auto options = worldOptions({});
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().code, ErrorCode::invalidArgument);
    EXPECT_NE(options.error().text().find("-b HOST:PORT"), std::string::npos);
}

TEST(WorldOptions, ABadLineIsNamedAndItsTextKeptSecret) {
    const PropertyFile file("a=b\nsecret-without-equals\n");
    ClusterOptions typed;
    typed.bootstrap = "a:1";
    typed.propertyFile = file.path();
    const auto options = worldOptions(typed);
    ASSERT_FALSE(options);
    EXPECT_NE(options.error().where.find(file.path() + ":2"), std::string::npos) << options.error().where;
    EXPECT_EQ(options.error().text().find("secret"), std::string::npos);
}

TEST(WorldOptions, BadOptionsAreUsageErrors) {
    ClusterOptions good;
    good.bootstrap = "a:1";
    ASSERT_TRUE(worldOptions(good));
    for (const std::string property : {"", "novalue", "=x"}) {
        ClusterOptions typed = good;
        typed.properties = {property};
        const auto options = worldOptions(typed);
        ASSERT_FALSE(options) << property;
        EXPECT_EQ(options.error().code, ErrorCode::invalidArgument);
    }
    for (const std::string timeout : {"0", "-1s", "10", "soon"}) {
        ClusterOptions typed = good;
        typed.timeout = timeout;
        EXPECT_FALSE(worldOptions(typed)) << timeout;
    }
    ClusterOptions folder = good;
    folder.propertyFile = testing::TempDir();
    const auto unread = worldOptions(folder);
    ASSERT_FALSE(unread);
    EXPECT_NE(unread.error().what.find("Is a directory"), std::string::npos) << unread.error().what;
    const PropertyFile empty("");
    ClusterOptions nothing = good;
    nothing.propertyFile = empty.path();
    EXPECT_TRUE(worldOptions(nothing));
    ClusterOptions typed = good;
    typed.propertyFile = "/no/such/file";
    const auto options = worldOptions(typed);
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().where, "/no/such/file");
    EXPECT_NE(options.error().what.find("No such file"), std::string::npos) << options.error().what;
}

} // namespace bellwether::ctl
