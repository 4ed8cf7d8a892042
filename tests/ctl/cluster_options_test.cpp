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

Result<app::WorldOptions> read(const ClusterOptions& typed) {
    std::vector<Error> notes;
    return worldOptions(typed, notes);
}

} // namespace

TEST(WorldOptions, JoinsFileAndOptionsAndTheOptionsWin) {
    const PropertyFile file(
        "# a comment\n\n bootstrap.servers = file:1 \r\nsocket.timeout.ms=100\nclient.id=from file\n");
    ClusterOptions typed;
    typed.settings.file = file.path();
    typed.settings.properties = {"socket.timeout.ms=200", "sasl.password= p,a\"s\\s;=word é "};
    typed.timeout = "1500ms";
    typed.topic = "__other";

    const auto options = read(typed);

    ASSERT_TRUE(options) << options.error().text();
    EXPECT_EQ(options->bootstrap, "file:1");
    EXPECT_EQ(options->topic, "__other");
    EXPECT_EQ(options->timeout, Millis{1'500});
    const std::map<std::string, std::string> expected{
        {"client.id", "from file"}, {"socket.timeout.ms", "200"}, {"sasl.password", "p,a\"s\\s;=word é "}};
    EXPECT_EQ(options->properties, expected);
}

TEST(WorldOptions, TheBootstrapOptionWins) {
    ClusterOptions typed;
    typed.settings.bootstrap = "typed:1";
    typed.settings.properties = {"bootstrap.servers=property:1"};
    const auto options = read(typed);
    ASSERT_TRUE(options);
    EXPECT_EQ(options->bootstrap, "typed:1");
    EXPECT_TRUE(options->properties.empty());
}

TEST(WorldOptions, WithoutAClusterItSaysWhatToGive) {
    const auto options = read({});
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().code, ErrorCode::invalidArgument);
    EXPECT_NE(options.error().text().find("-b HOST:PORT"), std::string::npos);
}

TEST(WorldOptions, ABadLineIsNamedAndItsTextKeptSecret) {
    const PropertyFile file("a=b\nsecret-without-equals\n");
    ClusterOptions typed;
    typed.settings.bootstrap = "a:1";
    typed.settings.file = file.path();
    const auto options = read(typed);
    ASSERT_FALSE(options);
    EXPECT_NE(options.error().where.find(file.path() + ":2"), std::string::npos) << options.error().where;
    EXPECT_EQ(options.error().text().find("secret"), std::string::npos);
}

TEST(WorldOptions, BadOptionsAreUsageErrors) {
    ClusterOptions good;
    good.settings.bootstrap = "a:1";
    ASSERT_TRUE(read(good));
    for (const std::string property : {"", "novalue", "=x"}) {
        ClusterOptions typed = good;
        typed.settings.properties = {property};
        const auto options = read(typed);
        ASSERT_FALSE(options) << property;
        EXPECT_EQ(options.error().code, ErrorCode::invalidArgument);
    }
    for (const std::string timeout : {"0", "-1s", "10", "soon"}) {
        ClusterOptions typed = good;
        typed.timeout = timeout;
        EXPECT_FALSE(read(typed)) << timeout;
    }
    ClusterOptions folder = good;
    folder.settings.file = testing::TempDir();
    const auto unread = read(folder);
    ASSERT_FALSE(unread);
    EXPECT_NE(unread.error().what.find("Is a directory"), std::string::npos) << unread.error().what;
    const PropertyFile empty("");
    ClusterOptions nothing = good;
    nothing.settings.file = empty.path();
    EXPECT_TRUE(read(nothing));
    ClusterOptions typed = good;
    typed.settings.file = "/no/such/file";
    const auto options = read(typed);
    ASSERT_FALSE(options);
    EXPECT_EQ(options.error().where, "/no/such/file");
    EXPECT_NE(options.error().what.find("No such file"), std::string::npos) << options.error().what;
}

} // namespace bellwether::ctl
