// SPDX-License-Identifier: Apache-2.0
// The two forms of an answer: one for programs, one for a person who was woken.
#include <algorithm>
#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case_builder.h"
#include "case_expectations.h"
#include "coordination/display_text.h"
#include "report/answer.h"

namespace bellwether {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_support::CaseBuilder;
using testing_support::exported;
using Json = nlohmann::json;

std::vector<const RoleView*> pointers(const CaseAnswer& answer) {
    std::vector<const RoleView*> roles;
    for (const auto& role : answer.roles) {
        roles.push_back(&role);
    }
    return roles;
}

std::string textOf(const CaseBuilder& builder) {
    const auto file = builder.file();
    const auto answer = explain(file);
    return answerText(pointers(answer), answer.findings, file.now);
}

CaseBuilder healthy() {
    CaseBuilder builder;
    builder.bounds(0, 5, 5)
        .registration(0, "controller", "node-1")
        .registration(1, "controller", "node-2")
        .lease(2, "controller", "node-1", {9007199254740993, 7})
        .coordinator("controller", "CompleteCommit", {9007199254740993, 7});
    return builder;
}

TEST(AnswerJson, EveryNamedMemberIsAlwaysThere) {
    CaseBuilder nothing;
    nothing.coordinatorError("empty", 105).coordinatorError("refused", 53);
    nothing.document["coordinator"]["silent"] = nullptr;
    for (const auto& answer : {exported(healthy().answer()), exported(nothing.answer())}) {
        ASSERT_FALSE(answer.at("roles").empty());
        EXPECT_TRUE(answer.at("findings").is_array());
        for (const auto& role : answer.at("roles")) {
            for (const auto* member : {"role", "verdict", "reason", "holder", "token", "claimant", "fenced",
                                       "lastHolder", "lease", "coordinator", "roster", "row", "expiredForMs",
                                       "leaseHidden", "writingNow", "askAgain", "visibleLease"}) {
                EXPECT_TRUE(role.contains(member)) << member << " of " << role;
            }
            if (role.at("lease").is_object()) {
                for (const auto* member :
                     {"member", "token", "grantedAt", "deadline", "partition", "offset"}) {
                    EXPECT_TRUE(role.at("lease").contains(member)) << member;
                }
            }
            if (role.at("coordinator").is_object()) {
                for (const auto* member : {"state", "producerId", "producerEpoch", "asOf", "error"}) {
                    EXPECT_TRUE(role.at("coordinator").contains(member)) << member;
                }
            }
            for (const auto& row : role.at("roster")) {
                for (const auto* member :
                     {"member", "offset", "rank", "registeredAt", "challengesAt", "now"}) {
                    EXPECT_TRUE(row.contains(member)) << member;
                }
            }
        }
    }
}

TEST(AnswerJson, ValuesOfAHealthyRole) {
    const auto answer = exported(healthy().answer());
    const auto& role = answer.at("roles").at(0);
    EXPECT_EQ(role.at("verdict"), "authoritative");
    EXPECT_EQ(role.at("row"), "8");
    EXPECT_EQ(role.at("token"), "9007199254740993:7");
    EXPECT_EQ(role.at("coordinator").at("producerId"), 9007199254740993);
    EXPECT_EQ(role.at("coordinator").at("producerEpoch"), 7);
    EXPECT_EQ(role.at("coordinator").at("state"), "CompleteCommit");
    EXPECT_EQ(role.at("coordinator").at("asOf"), CaseBuilder::kStart + 5'000);
    EXPECT_TRUE(role.at("coordinator").at("error").is_null());
    EXPECT_EQ(role.at("lease"), Json({{"member", "node-1"},
                                      {"token", "9007199254740993:7"},
                                      {"grantedAt", CaseBuilder::kStart},
                                      {"deadline", CaseBuilder::kStart + 30'000},
                                      {"partition", 0},
                                      {"offset", 2}}));
    EXPECT_EQ(role.at("visibleLease"), role.at("lease"));
    EXPECT_TRUE(role.at("claimant").is_null());
    EXPECT_EQ(role.at("fenced"), Json::array());
    const auto& holder = role.at("roster").at(0);
    EXPECT_EQ(holder.at("rank"), 0);
    EXPECT_EQ(holder.at("now"), "hold");
    EXPECT_TRUE(holder.at("challengesAt").is_null());
    const auto& standby = role.at("roster").at(1);
    EXPECT_EQ(standby.at("rank"), 0);
    EXPECT_EQ(standby.at("now"), "wait");
    EXPECT_EQ(standby.at("challengesAt"), CaseBuilder::kStart + 30'000);
    EXPECT_EQ(standby.at("registeredAt"), CaseBuilder::kStart);
}

TEST(AnswerJson, RefusalsKeepTheirCode) {
    CaseBuilder builder;
    builder.coordinatorError("expired", 105).coordinatorError("refused", 53);
    const auto answer = exported(builder.answer());
    EXPECT_EQ(answer.at("roles").at(0).at("coordinator").at("error"), 105);
    EXPECT_TRUE(answer.at("roles").at(0).at("coordinator").at("problem").is_null());
    EXPECT_EQ(answer.at("roles").at(1).at("coordinator").at("error"), 53);
    EXPECT_THAT(answer.at("roles").at(1).at("coordinator").at("problem").get<std::string>(),
                HasSubstr("TRANSACTIONAL_ID_AUTHORIZATION_FAILED"));
}

/// Names that try to leave their place: controls, marks, quotes, formulas, escapes, a terminal's commands.
const std::array<std::string, 8> kHostile{"line\nbreak\ttab",
                                          "a\xE2\x80\xAE"
                                          "b",
                                          "=cmd()|' /C calc'!A0",
                                          "\"},{\"role\":\"x",
                                          "back\\slash \\u0041",
                                          "\xC2\x9B"
                                          "31mred \x1B[31m",
                                          std::string("nul\0nul", 7),
                                          "\xF0\x9F\x90\x8F, \x7F"};

CaseBuilder hostile() {
    CaseBuilder builder;
    builder.bounds(0, 100, 100);
    std::int64_t offset = 0;
    for (const auto& role : kHostile) {
        for (const auto& member : kHostile) {
            builder.registration(offset++, role, member);
        }
    }
    for (const auto& role : kHostile) {
        builder.lease(offset, role, kHostile[static_cast<std::size_t>(offset) % kHostile.size()], {1, 1});
        ++offset;
        builder.coordinator(role, "CompleteCommit", {1, 1});
    }
    return builder;
}

TEST(AnswerJson, NamesRoundTripByteForByte) {
    const auto answer = hostile().answer();
    for (const int indent : {-1, 0, 1, 4}) {
        const auto text = answerJson(pointers(answer), answer.findings, {}, indent);
        EXPECT_TRUE(std::all_of(text.begin(), text.end(), [](char c) {
            return (c >= ' ' && c <= '~') || c == '\n';
        })) << "nothing that steers a terminal";
        const auto json = Json::parse(text);
        ASSERT_EQ(json.at("roles").size(), kHostile.size());
        for (const auto& role : json.at("roles")) {
            EXPECT_NE(std::find(kHostile.begin(), kHostile.end(), role.at("role").get<std::string>()),
                      kHostile.end());
            ASSERT_EQ(role.at("roster").size(), kHostile.size());
            for (std::size_t i = 0; i < kHostile.size(); ++i) {
                EXPECT_EQ(role.at("roster").at(i).at("member").get<std::string>(), kHostile[i]);
            }
            EXPECT_NE(std::find(kHostile.begin(), kHostile.end(), role.at("holder").get<std::string>()),
                      kHostile.end());
        }
    }
}

TEST(AnswerJson, AnErrorTextOfAnyBytesDoesNoHarm) {
    auto answer = healthy().answer();
    answer.roles[0].coordinator.kind = CoordinatorAnswer::Kind::failed;
    answer.roles[0].coordinator.error =
        Error{ErrorCode::protocol, "peer said \xFF\xFE\n\x1B[2J", "h:1", "", false, false, false, false, 0};
    answer.roles[0].verdict.reason = "peer said \xFF";
    const auto json = exported(answer);
    EXPECT_THAT(json.at("roles").at(0).at("coordinator").at("problem").get<std::string>(),
                HasSubstr("peer said"));
    EXPECT_TRUE(json.at("roles").at(0).at("coordinator").at("error").is_null());
    const auto text = answerText(pointers(answer), {}, wallTime(0));
    EXPECT_THAT(text, HasSubstr("peer said \\xFF\\xFE\\n\\u{001B}[2J"));
}

TEST(AnswerText, AHealthyRole) {
    EXPECT_EQ(textOf(healthy()),
              "controller  AUTHORITATIVE  holder node-1 under 9007199254740993:7\n"
              "  why          lease token 9007199254740993:7 = coordinator token; lease live; topic read to "
              "the end\n"
              "  lease        node-1 under 9007199254740993:7, partition 0 offset 2\n"
              "    granted    2023-11-14T22:13:20.000Z (5 s ago) by the holder's clock\n"
              "    deadline   2023-11-14T22:13:50.000Z (in 25 s) by the holder's clock\n"
              "  coordinator  CompleteCommit 9007199254740993:7, as of 2023-11-14T22:13:25.000Z (now)\n"
              "  roster       node-1, offset 0, registered 2023-11-14T22:13:20.000Z, holds the lease that "
              "readers see\n"
              "               node-2, offset 1, registered 2023-11-14T22:13:20.000Z, rank 0, challenges from "
              "2023-11-14T22:13:50.000Z (in 25 s)\n"
              "\n"
              "findings: none\n");
}

TEST(AnswerText, OverdueSaysForHowLong) {
    auto builder = healthy();
    builder.document["now"] = CaseBuilder::kStart + 30'000 + 1'920'000;
    const auto text = textOf(builder);
    EXPECT_THAT(text, HasSubstr("OVERDUE  holder node-1"));
    EXPECT_THAT(text, HasSubstr("expired for 32 min"));
    EXPECT_THAT(text, HasSubstr("(32 min ago)"));
}

TEST(AnswerText, VacantClaimingAndInDoubt) {
    CaseBuilder builder;
    builder.bounds(0, 6, 9)
        .registration(0, "a", "node-1")
        .lease(1, "a", "node-1", {1, 1})
        .leaseTombstone(2, "a")
        .registration(3, "b", "node-1")
        .lease(4, "b", "node-1", {2, 1})
        .lease(5, "c", "node-3", {3, 1})
        .lease(7, "b", "node-2", {2, 2}, "open")
        .coordinator("a", "CompleteCommit", {1, 1})
        .coordinator("b", "Ongoing", {2, 2})
        .coordinator("c", "CompleteAbort", {3, 2});
    const auto text = textOf(builder);
    EXPECT_THAT(text, HasSubstr("a  VACANT  last holder node-1\n"));
    EXPECT_THAT(text, HasSubstr("  lease        none\n"));
    EXPECT_THAT(text, HasSubstr("b  CLAIMING  claimant node-2\n"));
    EXPECT_THAT(text, HasSubstr("fenced       node-1: cannot commit any more\n"));
    EXPECT_THAT(text, HasSubstr("c  IN DOUBT  presumed holder node-3 under 3:1\n"));
    EXPECT_THAT(text, HasSubstr("(ask again)"));
    EXPECT_THAT(text, HasSubstr("  roster       nobody is registered\n"));
    EXPECT_LT(text.find("a  VACANT"), text.find("b  CLAIMING"));
}

TEST(AnswerText, TheHiddenLeaseAndTheOneThatReadersSee) {
    CaseBuilder builder;
    builder.bounds(0, 4, 7)
        .registration(0, "controller", "node-1")
        .lease(1, "controller", "node-1", {7, 0})
        .lease(4, "other", "node-9", {77, 3}, "open")
        .lease(5, "controller", "node-2", {7, 2})
        .coordinator("controller", "CompleteCommit", {7, 3})
        .coordinator("other", "Ongoing", {77, 3});
    const auto text = textOf(builder);
    EXPECT_THAT(
        text,
        HasSubstr("lease        node-2 under 7:2, partition 0 offset 5, hidden from readers until now\n"));
    EXPECT_THAT(text, HasSubstr("readers see  node-1 under 7:0, partition 0 offset 1\n"));
}

TEST(AnswerText, FindingsComeLast) {
    auto builder = healthy();
    builder.raw(3, "0001", "").raw(4, "0000", "");
    const auto text = textOf(builder);
    EXPECT_THAT(
        text, testing::EndsWith("findings: 2\n"
                                "  partition 0 offset 3: key: version 1, only 0 is known\n"
                                "  partition 0 offset 4: key: truncated: kind needs 2 bytes, 0 are left\n"));
}

TEST(AnswerText, HostileNamesStayInTheirPlace) {
    const auto text = textOf(hostile());
    for (const auto byte : text) {
        ASSERT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= ' ')
            << "a control character got through";
    }
    EXPECT_THAT(text, Not(HasSubstr("\xE2\x80\xAE")));
    EXPECT_THAT(text, Not(HasSubstr("\xC2\x9B")));
    EXPECT_THAT(text, HasSubstr("\"line\\nbreak\\ttab\""));
    EXPECT_THAT(text, HasSubstr("\"back\\\\slash \\\\u0041\""));
    // Six lines of frame per role and one per member: no name made a line of its own.
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    EXPECT_EQ(lines, kHostile.size() * (7 + kHostile.size()) + 1);
}

TEST(AnswerText, AbsurdInstantsStayReadable) {
    auto builder = healthy();
    auto answer = builder.answer();
    answer.roles[0].verdict.lease->lease.deadline = wallTime(INT64_MAX);
    answer.roles[0].verdict.lease->lease.grantedAt = wallTime(INT64_MIN);
    const auto text = answerText(pointers(answer), answer.findings, wallTime(CaseBuilder::kStart));
    EXPECT_THAT(text, HasSubstr("deadline   9223372036854775807 ms since 1970 (in 292 million years)"));
    EXPECT_THAT(text, HasSubstr("granted    -9223372036854775808 ms since 1970 (292 million years ago)"));
}

} // namespace
} // namespace bellwether
