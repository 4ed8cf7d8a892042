// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include "ctl_run.h"

namespace bellwether::ctl::test {

namespace {

void expectUsageError(const std::vector<std::string>& arguments, const std::string& mentioned) {
    const CtlRun run(arguments);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_NE(run.err.find(mentioned), std::string::npos) << run.err;
}

} // namespace

TEST(CommandLine, VersionNamesBothVersions) {
    const CtlRun run({"--version"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.out.find("bellwetherctl 0."), 0U) << run.out;
    EXPECT_NE(run.out.find("\nlibrdkafka 2."), std::string::npos) << run.out;
    EXPECT_EQ(run.err, "");
}

TEST(CommandLine, HelpListsVerbsAndExitCodes) {
    const CtlRun run({"--help"});
    EXPECT_EQ(run.code, 0);
    for (const std::string word :
         {"explain", "roles", "describe", "join", "Exit codes", "130", "-b,--bootstrap"}) {
        EXPECT_NE(run.out.find(word), std::string::npos) << word;
    }
    EXPECT_EQ(run.err, "");
    const CtlRun verb({"join", "--help"});
    EXPECT_EQ(verb.code, 0);
    EXPECT_NE(verb.out.find("--clock-offset"), std::string::npos) << verb.out;
}

TEST(CommandLine, UsageErrorsAreOneLineAndCodeTwo) {
    expectUsageError({}, "no verb was given");
    expectUsageError({"-b", "a:1"}, "no verb was given");
    expectUsageError({"dance"}, "dance");
    expectUsageError({"explain"}, "FILE");
    expectUsageError({"explain", "-o", "xml", "f"}, "xml");
    expectUsageError({"roles"}, "no cluster was named");
    expectUsageError({"-b", "localhost", "roles"}, "localhost");
    expectUsageError({"-b", "sandbox", "-X", "client.id=x", "roles"}, "client.id");
    expectUsageError({"-b", "a:1", "-X", "nonsense", "roles"}, "-X");
    expectUsageError({"-b", "a:1", "-F", "/no/such/file", "roles"}, "/no/such/file");
    expectUsageError({"-b", "a:1", "--timeout", "soon", "roles"}, "soon");
    expectUsageError({"-b", "a:1", "describe"}, "ROLE");
}

TEST(CommandLine, JoinChecksItsOptionsBeforeItOpensAnything) {
    const std::vector<std::string> good{"-b", "127.0.0.1:1", "join", "r", "--member", "m"};
    const auto with = [&good](std::vector<std::string> more) {
        auto all = good;
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    expectUsageError({"-b", "a:1", "join", "r"}, "--member");
    expectUsageError({"-b", "a:1", "join", "", "--member", "m"}, "role name is empty");
    expectUsageError({"-b", "a:1", "join", "r", "--member", std::string(250, 'm')}, "longer than 249 bytes");
    expectUsageError({"-b", "a:1", "join", "r", "--member", "\xff"}, "not UTF-8");
    expectUsageError(with({"--lease", "30"}), "--lease");
    expectUsageError(with({"--lease", "0s"}), "duration");
    expectUsageError(with({"--renew", "30s"}), "renew");
    expectUsageError(with({"--stagger", "x"}), "--stagger");
    expectUsageError(with({"--clock-offset", "3"}), "--clock-offset");
    expectUsageError(with({"--hold-for", "-3s"}), "--hold-for");
    expectUsageError(with({"-o", "json"}), "json");
}

TEST(CommandLine, AnUnreachableClusterIsCodeThree) {
    // Nobody listens on port 1 of the loopback.
    const CtlRun run({"-b", "127.0.0.1:1", "--timeout", "1s", "roles"});
    EXPECT_EQ(run.code, 3) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find("127.0.0.1:1"), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
}

TEST(CommandLine, AStopBeforeTheAnswerIsCode130) {
    std::stop_source stop;
    stop.request_stop();
    const CtlRun run({"-b", "127.0.0.1:1", "roles"}, {}, stop.get_token());
    EXPECT_EQ(run.code, 130);
    EXPECT_EQ(run.out, "");
}

} // namespace bellwether::ctl::test
