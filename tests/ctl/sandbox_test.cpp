// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ctl_run.h"

namespace bellwether::ctl::test {

namespace {

using nlohmann::json;

std::vector<std::string> kinds(const std::string& lines) {
    std::vector<std::string> kinds;
    std::istringstream stream(lines);
    for (std::string line; std::getline(stream, line);) {
        kinds.push_back(json::parse(line).at("event"));
    }
    return kinds;
}

} // namespace

TEST(Sandbox, RolesAreJudgedAndDescribed) {
    const CtlRun roles({"-b", "sandbox", "roles", "-o", "json"});
    ASSERT_EQ(roles.code, 0) << roles.err;
    const json answer = json::parse(roles.out);
    ASSERT_GE(answer.at("roles").size(), 2U);
    for (const auto& role : answer.at("roles")) {
        EXPECT_NE(role.at("verdict"), "unknown") << role.dump(1);
        EXPECT_NE(role.at("verdict"), "contradictory") << role.dump(1);
        EXPECT_FALSE(role.at("roster").empty()) << role.dump(1);
    }
    const std::string name = answer.at("roles").at(0).at("role");
    const CtlRun described({"-b", "sandbox", "describe", name, "-o", "json"});
    ASSERT_EQ(described.code, 0) << described.err;
    EXPECT_EQ(json::parse(described.out).at("roles").at(0).at("role"), name);

    const CtlRun text({"-b", "sandbox", "roles"});
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find(name), std::string::npos);
    const CtlRun nobody({"-b", "sandbox", "describe", "no-such-role"});
    EXPECT_EQ(nobody.code, 1);
}

TEST(Sandbox, AMemberTakesAFreeRoleAndLeaves) {
    const CtlRun run(
        {"join", "free-role", "--member", "me", "--hold-for", "0", "-o", "jsonl", "-b", "sandbox"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(kinds(run.out),
              (std::vector<std::string>{"registered", "leading", "deregistered", "resigned"}));
    EXPECT_EQ(run.err, "");
}

TEST(Sandbox, ASlowRenewalIsWarnedAbout) {
    const CtlRun run(
        {"-b", "sandbox", "join", "free-role", "--member", "me", "--hold-for", "0", "--renew", "20s"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err.find("bellwetherctl: warning: "), 0U) << run.err;
}

TEST(Sandbox, TheClockOffsetShowsInTheLease) {
    const CtlRun plain({"-b", "sandbox", "join", "r", "--member", "me", "--hold-for", "0", "-o", "jsonl"});
    const CtlRun ahead({"-b", "sandbox", "join", "r", "--member", "me", "--hold-for", "0", "-o", "jsonl",
                        "--clock-offset", "-1h"});
    ASSERT_EQ(plain.code, 0) << plain.err;
    ASSERT_EQ(ahead.code, 0) << ahead.err;
    const auto until = [](const CtlRun& run) {
        std::istringstream lines(run.out);
        std::string line;
        std::getline(lines, line);
        std::getline(lines, line);
        return json::parse(line).at("until").get<std::int64_t>();
    };
    // The second run is later by less than the hour it is set back.
    EXPECT_LT(until(ahead), until(plain));
}

} // namespace bellwether::ctl::test
