// SPDX-License-Identifier: Apache-2.0
// From a log to what the console would say: which records count, which are shown as findings, who is asked.
#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case_builder.h"
#include "case_expectations.h"
#include "coordination/record_codec.h"
#include "coordination/role_partition.h"

namespace bellwether {
namespace {

using testing::HasSubstr;
using testing_support::CaseBuilder;
using testing_support::exported;
using testing_support::hex;
using testing_support::viewOf;
using Json = nlohmann::json;

std::string nameOf(const std::optional<MemberId>& member) {
    return member ? member->str() : "nobody";
}

TEST(Explain, RolesAreThoseOfTheKeysAndThoseOfTheCoordinator) {
    CaseBuilder builder;
    builder.bounds(0, 9, 9)
        .registration(0, "role-10", "node-1")
        .lease(1, "role-9", "node-1", {1, 1}, "aborted")
        .coordinatorError("role-2", 105);

    const auto answer = builder.answer();

    std::vector<std::string> names;
    for (const auto& role : answer.roles) {
        names.push_back(role.role.str());
    }
    EXPECT_EQ(names, (std::vector<std::string>{"role-2", "role-9", "role-10"}));
    EXPECT_EQ(viewOf(answer, "role-2").verdict.kind, VerdictKind::vacant);
    EXPECT_EQ(viewOf(answer, "role-10").coordinator.kind, CoordinatorAnswer::Kind::notAsked);
    EXPECT_EQ(viewOf(answer, "role-10").verdict.kind, VerdictKind::unknown);
}

TEST(Explain, ACoordinatorThatRefusesMakesTheVerdictUnknownAndIsNamed) {
    const std::vector<std::tuple<int, ErrorCode, std::string>> refusals{
        {53, ErrorCode::refused, "53 TRANSACTIONAL_ID_AUTHORIZATION_FAILED"},
        {15, ErrorCode::busy, "15 COORDINATOR_NOT_AVAILABLE"},
        {16, ErrorCode::busy, "16 NOT_COORDINATOR"},
        {7, ErrorCode::timeout, "7 REQUEST_TIMED_OUT"},
        {-1, ErrorCode::broker, "-1 UNKNOWN_SERVER_ERROR"},
        {999, ErrorCode::broker, "error 999"},
    };
    for (const auto& [code, kind, text] : refusals) {
        CaseBuilder builder;
        builder.bounds(0, 3, 3)
            .registration(0, "controller", "node-1")
            .lease(1, "controller", "node-1", {1, 1})
            .coordinatorError("controller", code);
        const auto answer = builder.answer();
        const auto& view = viewOf(answer, "controller");
        EXPECT_EQ(view.verdict.kind, VerdictKind::unknown) << code;
        EXPECT_EQ(view.verdict.holder, std::nullopt) << code;
        EXPECT_THAT(view.verdict.reason, HasSubstr(text));
        ASSERT_EQ(view.coordinator.kind, CoordinatorAnswer::Kind::failed);
        EXPECT_EQ(view.coordinator.error->code, kind) << code;
        EXPECT_EQ(view.coordinator.error->kafkaCode, code);
        EXPECT_EQ(view.coordinator.error->where, "role controller");
    }
}

TEST(Explain, ANullAnswerIsARoleThatWasNotAsked) {
    CaseBuilder builder;
    builder.document["coordinator"]["controller"] = nullptr;
    const auto answer = builder.answer();
    EXPECT_EQ(viewOf(answer, "controller").coordinator.kind, CoordinatorAnswer::Kind::notAsked);
    EXPECT_TRUE(exported(answer).at("roles").at(0).at("coordinator").is_null());
}

TEST(Explain, TheCommittedViewEndsAtTheLastStableOffset) {
    CaseBuilder builder;
    builder.bounds(0, 3, 6)
        .registration(0, "controller", "node-1")
        .lease(1, "controller", "node-1", {7, 0})
        .registration(3, "controller", "node-2")
        .lease(4, "controller", "node-2", {7, 2})
        .coordinator("controller", "CompleteCommit", {7, 2});

    const auto answer = builder.answer();
    const auto& view = viewOf(answer, "controller");

    EXPECT_EQ(view.visibleLease->lease.member.str(), "node-1");
    ASSERT_EQ(view.roster.size(), 1U);
    EXPECT_EQ(view.roster[0].entry.member.str(), "node-1");
    EXPECT_EQ(nameOf(view.verdict.holder), "node-2");
    EXPECT_TRUE(view.verdict.leaseHidden);
}

TEST(Explain, AnAbortedLeaseBelowTheLastStableOffsetNeverCounts) {
    CaseBuilder builder;
    builder.bounds(0, 6, 6)
        .registration(0, "controller", "node-1")
        .lease(1, "controller", "node-1", {7, 0})
        .registration(2, "controller", "node-2", "aborted")
        .lease(3, "controller", "node-2", {7, 1}, "aborted")
        .coordinator("controller", "CompleteAbort", {7, 1});

    const auto answer = builder.answer();
    const auto& view = viewOf(answer, "controller");

    EXPECT_EQ(view.visibleLease->lease.member.str(), "node-1");
    EXPECT_EQ(view.roster.size(), 1U);
    EXPECT_EQ(view.verdict.kind, VerdictKind::inDoubt);
    EXPECT_NE(nameOf(view.verdict.holder), "node-2");
}

/// A record above the last stable offset may be called aborted by the file's maker; a live console cannot
/// know it.
TEST(Explain, AboveTheLastStableOffsetNoStatusIsTaken) {
    const auto reasonWith = [](const char* status) {
        CaseBuilder builder;
        builder.bounds(0, 3, 6)
            .registration(0, "controller", "node-1")
            .lease(1, "controller", "node-1", {7, 0})
            .lease(4, "controller", "node-2", {7, 1}, status)
            .coordinator("controller", "CompleteCommit", {7, 1});
        const auto answer = builder.answer();
        return exported(answer);
    };
    const auto undecided = reasonWith("undecided");
    EXPECT_EQ(reasonWith("aborted"), undecided);
    EXPECT_EQ(reasonWith("committed"), undecided);
}

TEST(Explain, ProducersComeFromTheOpenRecords) {
    CaseBuilder builder;
    builder.bounds(0, 4, 7)
        .registration(0, "controller", "node-1")
        .lease(1, "controller", "node-1", {4242, 7})
        .lease(6, "controller", "node-1", {4242, 7}, "open", FencingToken{4242, 8})
        .lease(4, "controller", "node-1", {4242, 7}, "open", FencingToken{4242, 8})
        .coordinator("controller", "Ongoing", {4242, 8});
    const auto answer = builder.answer();
    const auto& view = viewOf(answer, "controller");
    EXPECT_EQ(view.verdict.kind, VerdictKind::authoritative);
    EXPECT_TRUE(view.verdict.writingNow);
    EXPECT_THAT(view.verdict.reason, HasSubstr("open since offset 4"));
}

TEST(Explain, ProducersOfTheFileCountInsteadOfDerivedOnes) {
    CaseBuilder builder;
    builder.bounds(0, 4, 7)
        .registration(0, "controller", "node-1")
        .lease(1, "controller", "node-1", {4242, 7})
        .lease(5, "controller", "node-1", {4242, 7}, "undecided", FencingToken{4242, 8})
        .coordinator("controller", "Ongoing", {4242, 8});
    EXPECT_EQ(viewOf(builder.answer(), "controller").verdict.kind, VerdictKind::inDoubt)
        << "an undecided record alone does not say that its transaction is open";

    builder.document["producers"] = Json::parse(R"({"0": [{"producer": "4242:8", "openSince": 5}]})");
    EXPECT_EQ(viewOf(builder.answer(), "controller").verdict.kind, VerdictKind::authoritative);

    builder.document["producers"] = Json::parse(R"({"0": [{"producer": "4242:8", "openSince": 6}]})");
    EXPECT_EQ(viewOf(builder.answer(), "controller").verdict.kind, VerdictKind::inDoubt)
        << "the record is older than the open transaction";

    builder.document["producers"] = Json::parse(R"({"0": [{"producer": "4242:8", "openSince": null}]})");
    EXPECT_EQ(viewOf(builder.answer(), "controller").verdict.kind, VerdictKind::inDoubt);
}

TEST(Explain, WhoPinsTheLogIsNamed) {
    CaseBuilder builder;
    builder.bounds(0, 4, 7)
        .registration(0, "controller", "node-1")
        .lease(1, "controller", "node-1", {7, 0})
        .lease(4, "other", "node-9", {77, 3}, "open")
        .lease(5, "controller", "node-2", {7, 2})
        .coordinator("controller", "CompleteCommit", {7, 3})
        .coordinator("other", "Ongoing", {77, 3});
    EXPECT_THAT(viewOf(builder.answer(), "controller").verdict.reason,
                HasSubstr("77:3 (role other), open since offset 4"));
}

TEST(Explain, AMisplacedRecordIsAFindingAndIsNotFolded) {
    CaseBuilder builder(16);
    const auto home = rolePartition(Role::of("controller").value(), 16);
    ASSERT_EQ(home, 12);
    builder.bounds(3, 9, 9).bounds(12, 9, 9);
    builder.partition(12).registration(0, "controller", "node-1").lease(1, "controller", "node-1", {1, 1});
    builder.partition(3).registration(5, "controller", "node-2").lease(6, "controller", "node-2", {1, 2});
    builder.partition(3).registration(7, "elsewhere-only", "node-3");
    builder.coordinator("controller", "CompleteCommit", {1, 1});

    const auto answer = builder.answer();
    const auto& view = viewOf(answer, "controller");

    EXPECT_EQ(view.partition, 12);
    EXPECT_EQ(view.roster.size(), 1U);
    EXPECT_EQ(nameOf(view.verdict.holder), "node-1");
    const auto elsewhere = rolePartition(Role::of("elsewhere-only").value(), 16);
    ASSERT_NE(elsewhere, 3);
    ASSERT_EQ(answer.findings.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(answer.findings[i].part, "partition");
        EXPECT_EQ(answer.findings[i].position.partition, 3);
        EXPECT_EQ(answer.findings[i].position.offset, 5 + static_cast<std::int64_t>(i));
        EXPECT_EQ(answer.findings[i].what,
                  "misplaced record: rule says partition " + std::to_string(i < 2 ? home : elsewhere));
    }
    EXPECT_TRUE(viewOf(answer, "elsewhere-only").roster.empty()) << "named, although nothing of it counts";
}

TEST(Explain, AValueThatNamesAnotherMemberIsAFindingAndTheKeyCounts) {
    const auto controller = Role::of("controller").value();
    const auto keyed = MemberId::of("node-1").value();
    const auto named = MemberId::of("node-\xE2\x80\xAE"
                                    "2")
                           .value();
    CaseBuilder builder;
    builder.bounds(0, 3, 3)
        .raw(0, hex(encodeRegistrationKey(controller, keyed)),
             hex(encodeRegistrationValue({named, wallTime(5)})))
        .coordinatorError("controller", 105);

    const auto answer = builder.answer();

    ASSERT_EQ(answer.findings.size(), 1U);
    EXPECT_EQ(answer.findings[0].part, "registration value");
    EXPECT_THAT(answer.findings[0].what, HasSubstr("node-\\u{202E}2"));
    const auto& roster = viewOf(answer, "controller").roster;
    ASSERT_EQ(roster.size(), 1U);
    EXPECT_EQ(roster[0].entry.member, keyed);
    EXPECT_EQ(roster[0].entry.registeredAt, wallTime(5));
}

TEST(Explain, FindingsCarryTheirPartAndStandInLogOrder) {
    const auto controller = Role::of("controller").value();
    const auto node = MemberId::of("node-1").value();
    CaseBuilder builder(1);
    builder.bounds(0, 9, 9)
        .raw(8, hex(encodeLeaseKey(controller)), "0000")
        .raw(4, hex(encodeRegistrationKey(controller, node)), "0001")
        .raw(6, "00", "")
        .coordinatorError("controller", 105);
    const auto answer = builder.answer();
    ASSERT_EQ(answer.findings.size(), 3U);
    EXPECT_EQ(answer.findings[0].part, "registration value");
    EXPECT_EQ(answer.findings[0].position.offset, 4);
    EXPECT_THAT(answer.findings[0].what, HasSubstr("version 1"));
    EXPECT_EQ(answer.findings[1].part, "key");
    EXPECT_EQ(answer.findings[1].position.offset, 6);
    EXPECT_THAT(answer.findings[1].what, HasSubstr("truncated"));
    EXPECT_EQ(answer.findings[2].part, "lease value");
    EXPECT_EQ(answer.findings[2].position.offset, 8);
}

TEST(Explain, AnyOrderOfRecordsGivesTheSameAnswer) {
    CaseBuilder builder(4);
    std::mt19937_64 random(20231114);
    std::vector<std::string> roles{"a", "b", "controller", "dispatcher"};
    for (std::int32_t partition = 0; partition < 4; ++partition) {
        builder.bounds(partition, 60, 80);
    }
    for (std::int64_t offset = 0; offset < 80; ++offset) {
        const auto& name = roles[random() % roles.size()];
        const auto home = rolePartition(Role::of(name).value(), 4);
        builder.partition(random() % 16 == 0 ? (home + 1) % 4 : home);
        const auto node = "node-" + std::to_string(random() % 4);
        switch (random() % 4) {
        case 0: builder.registration(offset, name, node); break;
        case 1: builder.leaseTombstone(offset, name, offset < 60 ? "committed" : "undecided"); break;
        default:
            builder.lease(offset, name, node, {1, static_cast<std::int16_t>(offset)},
                          random() % 4 == 0 ? "aborted" : (offset < 60 ? "committed" : "open"));
            break;
        }
    }
    for (const auto& name : roles) {
        builder.coordinator(name, "CompleteCommit", {1, 90});
    }
    const auto expected = exported(builder.answer());
    ASSERT_FALSE(expected.at("findings").empty());
    for (int round = 0; round < 50; ++round) {
        auto& records = builder.document.at("records");
        std::shuffle(records.begin(), records.end(), random);
        ASSERT_EQ(exported(builder.answer()), expected) << "round " << round;
    }
}

} // namespace
} // namespace bellwether
