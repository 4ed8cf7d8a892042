// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ctl/live_roles.h"
#include "ctl/role_table.h"
#include "snapshots.h"

namespace bellwether::ctl::test {

namespace {

struct Printed {
    Printed(const Snapshot& snapshot, LiveRolesOptions options, bool colour = false) {
        std::istringstream in;
        std::ostringstream outStream;
        std::ostringstream errStream;
        Terminal terminal{in, outStream, errStream, colour};
        code = printSnapshot(snapshot, options, terminal);
        out = outStream.str();
        err = errStream.str();
    }

    int code = -1;
    std::string out;
    std::string err;
};

Snapshot twoRoles() {
    Snapshot snapshot = liveSnapshot();
    snapshot.roles = {judgedRole("ctrl", VerdictKind::authoritative, 3),
                      judgedRole("disp", VerdictKind::claimed, 5)};
    snapshot.findings = {Finding{{3, 11, {}, {}}, "lease value", "truncated"},
                         Finding{{5, 12, {}, {}}, "key", "trailing bytes"}};
    snapshot.findingsTotal = 2;
    return snapshot;
}

LiveRolesOptions describe(const std::string& role, Format format = Format::text) {
    LiveRolesOptions options;
    options.role = role;
    options.format = format;
    return options;
}

} // namespace

TEST(LiveRoles, TheTableHasALinePerRoleAndSaysHowOldItIs) {
    const Printed printed(twoRoles(), {});
    EXPECT_EQ(printed.code, 0);
    EXPECT_EQ(printed.err, "");
    std::istringstream lines(printed.out);
    std::string header;
    std::string first;
    std::string second;
    std::string footer;
    std::getline(lines, header);
    std::getline(lines, first);
    std::getline(lines, second);
    std::getline(lines, footer);
    EXPECT_EQ(header, "VERDICT        ROLE  HOLDER  TOKEN   DEADLINE                            REASON");
    EXPECT_EQ(first,
              "authoritative  ctrl  node-1  4242:7  2023-11-14T22:13:50.000Z (in 20 s)  because of ctrl");
    EXPECT_EQ(second.substr(0, 8), "claimed ");
    EXPECT_EQ(footer,
              "2 roles, __coordination_state on 127.0.0.1:9092, as of 2023-11-14T22:13:30.000Z, 2 records "
              "not taken at face value (-o json lists them)");
}

TEST(LiveRoles, ColourIsNeverAlone) {
    const std::string plain = roleTable(twoRoles(), false);
    std::string coloured = roleTable(twoRoles(), true);
    EXPECT_EQ(plain.find('\x1b'), std::string::npos);
    EXPECT_NE(coloured.find("\x1b[32mauthoritative\x1b[0m"), std::string::npos);
    for (std::size_t at = 0; (at = coloured.find('\x1b')) != std::string::npos;) {
        coloured.erase(at, coloured.find('m', at) - at + 1);
    }
    EXPECT_EQ(coloured, plain);
}

TEST(LiveRoles, NamesStayOnTheirLine) {
    Snapshot snapshot = liveSnapshot();
    snapshot.roles = {judgedRole("a\nb\x1b[31m", VerdictKind::vacant)};
    const Printed printed(snapshot, {});
    EXPECT_EQ(std::count(printed.out.begin(), printed.out.end(), '\n'), 3);
    EXPECT_EQ(printed.out.find('\x1b'), std::string::npos);
}

TEST(LiveRoles, JsonIsTheAnswerForm) {
    LiveRolesOptions options;
    options.format = Format::json;
    const auto answer = nlohmann::json::parse(Printed(twoRoles(), options).out);
    ASSERT_EQ(answer.at("roles").size(), 2U);
    EXPECT_EQ(answer.at("roles").at(1).at("verdict"), "claimed");
    EXPECT_EQ(answer.at("findings").size(), 2U);
}

TEST(LiveRoles, DescribePrintsOneRoleAndTheFindingsOfItsPartition) {
    const Printed printed(twoRoles(), describe("disp", Format::jsonl));
    EXPECT_EQ(printed.code, 0) << printed.err;
    const auto answer = nlohmann::json::parse(printed.out);
    ASSERT_EQ(answer.at("roles").size(), 1U);
    EXPECT_EQ(answer.at("roles").at(0).at("role"), "disp");
    ASSERT_EQ(answer.at("findings").size(), 1U);
    EXPECT_EQ(answer.at("findings").at(0).at("partition"), 5);
    const Printed text(twoRoles(), describe("disp"));
    EXPECT_NE(text.out.find("because of disp"), std::string::npos);
    EXPECT_EQ(text.out.find("because of ctrl"), std::string::npos);
}

TEST(LiveRoles, DescribeTakesTheNameAsItIsShown) {
    Snapshot snapshot = liveSnapshot();
    snapshot.roles = {judgedRole("a\nb", VerdictKind::vacant)};
    EXPECT_EQ(Printed(snapshot, describe("a\nb")).code, 0);
    EXPECT_EQ(Printed(snapshot, describe("a\\nb")).code, 0);
    EXPECT_EQ(Printed(snapshot, describe("ab")).code, 1);
}

TEST(LiveRoles, AnUnknownRoleIsANegativeAnswer) {
    const Printed printed(twoRoles(), describe("nobody"));
    EXPECT_EQ(printed.code, 1);
    EXPECT_EQ(printed.out, "");
    EXPECT_NE(printed.err.find("no record of role nobody"), std::string::npos) << printed.err;
}

TEST(LiveRoles, WithoutAnyReadNothingIsPrintedAndTheTroubleIsTold) {
    Snapshot snapshot = twoRoles();
    snapshot.connection.lastGoodRead.reset();
    snapshot.connection.phase = ConnectionPhase::lost;
    snapshot.connection.problem =
        Error{ErrorCode::unreachable, "no connection", "127.0.0.1:9092", "start it"};
    const Printed told(snapshot, {});
    EXPECT_EQ(told.code, 3);
    EXPECT_EQ(told.out, "");
    EXPECT_EQ(told.err, "bellwetherctl: no connection (127.0.0.1:9092): start it\n");

    snapshot.connection.problem.reset();
    const Printed silent(snapshot, {});
    EXPECT_EQ(silent.code, 3);
    EXPECT_NE(silent.err.find("no answer within 10 s"), std::string::npos) << silent.err;
}

TEST(LiveRoles, AnOldOrPartialAnswerIsPrintedAndCalledIncomplete) {
    Snapshot degraded = twoRoles();
    degraded.connection.phase = ConnectionPhase::degraded;
    degraded.connection.problem = Error{ErrorCode::timeout, "broker 2 does not answer", {}, {}};
    const Printed partial(degraded, {});
    EXPECT_EQ(partial.code, 1);
    EXPECT_NE(partial.out.find("ctrl"), std::string::npos);
    EXPECT_NE(partial.err.find("broker 2 does not answer"), std::string::npos);

    Snapshot unknown = twoRoles();
    unknown.roles.push_back(judgedRole("lost", VerdictKind::unknown));
    const Printed unjudged(unknown, {});
    EXPECT_EQ(unjudged.code, 1);
    EXPECT_NE(unjudged.err.find("1 of 3 roles"), std::string::npos) << unjudged.err;
    EXPECT_EQ(Printed(unknown, describe("ctrl")).code, 0) << "the described role is whole";

    RoleView old = *judgedRole("old", VerdictKind::authoritative);
    old.stale = true;
    Snapshot stale = liveSnapshot();
    stale.roles = {std::make_shared<const RoleView>(old)};
    const Printed shown(stale, {});
    EXPECT_EQ(shown.code, 1);
    EXPECT_NE(shown.out.find("authoritative (stale)"), std::string::npos);
}

TEST(LiveRoles, AnExpiredDeadlineIsWords) {
    RoleView late = *judgedRole("late", VerdictKind::overdue);
    late.verdict.lease->lease.deadline = kNow - Millis{32 * 60'000};
    Snapshot snapshot = liveSnapshot();
    snapshot.roles = {std::make_shared<const RoleView>(late)};
    EXPECT_NE(roleTable(snapshot, false).find("(expired 32 min ago)"), std::string::npos);
}

} // namespace bellwether::ctl::test
