// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <csignal>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "program.h"

namespace bellwether::ctl::test {

namespace {

std::vector<std::string> ctl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), BELLWETHERCTL);
    return arguments;
}

std::string caseFile(const std::string& id) {
    return std::string(BELLWETHER_TEST_DATA) + "/cases/" + id + ".json";
}

std::vector<std::string> sandboxMember(std::vector<std::string> more = {}) {
    std::vector<std::string> command = ctl({"-b", "sandbox", "join", "a-role-of-its-own", "--member", "me"});
    command.insert(command.end(), more.begin(), more.end());
    return command;
}

} // namespace

TEST(Program, Version) {
    Program program(ctl({"--version"}));
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(program.out().find("bellwetherctl " BELLWETHER_VERSION "\nlibrdkafka 2."), 0U) << program.out();
    EXPECT_EQ(program.err(), "");
}

TEST(Program, ExplainAnswersInJson) {
    Program program(ctl({"explain", caseFile("C16"), "-o", "json"}));
    ASSERT_EQ(program.wait(), 0) << program.err();
    const auto answer = nlohmann::json::parse(program.out());
    EXPECT_EQ(answer.at("roles").at(0).at("token"), "9007199254740993:7");
}

TEST(Program, ExitCodes) {
    Program missing(ctl({"explain", "/no/such/file"}));
    EXPECT_EQ(missing.wait(), 1);
    Program usage(ctl({"explain"}));
    EXPECT_EQ(usage.wait(), 2);
    Program unreachable(ctl({"-b", "127.0.0.1:1", "--timeout", "500ms", "roles"}));
    EXPECT_EQ(unreachable.wait(), 3);
}

TEST(Program, AClosedPipeEndsItQuietly) {
    Program program(ctl({"explain", caseFile("C01"), caseFile("C02")}), Program::Out::closed);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(program.err(), "");
}

TEST(Program, AFullDiskIsAnError) {
    Program program(ctl({"explain", caseFile("C01")}), Program::Out::full);
    EXPECT_EQ(program.wait(), 1);
    EXPECT_NE(program.err().find("could not be written: No space left"), std::string::npos) << program.err();
    EXPECT_EQ(std::count(program.err().begin(), program.err().end(), '\n'), 1);
}

TEST(Program, AClosedPipeMakesAMemberLeave) {
    Program program(sandboxMember(), Program::Out::closed);
    EXPECT_EQ(program.wait(), 0);
    EXPECT_EQ(program.err(), "");
}

TEST(Program, InterruptAndTerminateLeaveCleanly) {
    for (const int number : {SIGINT, SIGTERM}) {
        Program program(sandboxMember());
        ASSERT_TRUE(program.waitForOutput(" leading ")) << program.out() << program.err();
        program.signal(number);
        EXPECT_EQ(program.wait(), 0);
        EXPECT_NE(program.out().find(" deregistered\n"), std::string::npos) << program.out();
        EXPECT_NE(program.out().find(" resigned\n"), std::string::npos) << program.out();
        EXPECT_EQ(program.err(), "");
    }
}

TEST(Program, ASecondInterruptGoesAtOnce) {
    // Nobody listens on port 1, so leaving takes as long as the timeout.
    Program program(ctl({"-b", "127.0.0.1:1", "--timeout", "20s", "join", "r", "--member", "m"}));
    int code = program.wait(std::chrono::seconds{1});
    for (int i = 0; i < 10 && code == Program::kRunning; ++i) {
        program.signal(SIGINT);
        code = program.wait(std::chrono::seconds{1});
    }
    EXPECT_EQ(code, 130) << program.out() << program.err();
}

TEST(Program, ColourNeedsATerminal) {
    Program program(ctl({"-b", "sandbox", "roles"}));
    EXPECT_EQ(program.wait(), 0) << program.err();
    EXPECT_EQ(program.out().find('\x1b'), std::string::npos);
}

} // namespace bellwether::ctl::test
