// SPDX-License-Identifier: Apache-2.0
// Every log of tests/data/cases: what is said of it is what the case expects, as a script would read it.
#include <algorithm>

#include <gtest/gtest.h>

#include "case_expectations.h"

namespace bellwether {
namespace {

using testing_support::caseFiles;
using testing_support::contentOf;
using testing_support::exported;
using testing_support::unmet;
using Json = nlohmann::json;

class Cases : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Cases, TheAnswerIsTheExpectedOne) {
    const auto document = Json::parse(contentOf(GetParam()));
    ASSERT_TRUE(document.contains("expect")) << "a case expects something";
    ASSERT_FALSE(document.at("expect").empty()) << "a case expects something";
    const auto file = loadCaseFile(GetParam());
    ASSERT_TRUE(file) << file.error().text();

    const auto answer = exported(explain(*file));

    for (const auto& line : unmet(document.at("expect"), answer, *file)) {
        ADD_FAILURE() << document.at("title") << ": " << line << "\n" << answer.dump(1);
    }
}

/// The answer depends on the log, not on the order in which a file lists it.
TEST_P(Cases, TheOrderOfTheRecordsInTheFileDoesNotMatter) {
    auto document = Json::parse(contentOf(GetParam()));
    const auto expected = exported(explain(parseCaseFile(document.dump(), "as it is").value()));
    auto& records = document.at("records");
    std::reverse(records.begin(), records.end());

    const auto file = parseCaseFile(document.dump(), "reversed");

    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(exported(explain(*file)), expected);
}

INSTANTIATE_TEST_SUITE_P(Folder, Cases, testing::ValuesIn(caseFiles()),
                         [](const auto& each) { return each.param.stem().string(); });

TEST(CaseFolder, IsNotEmpty) {
    EXPECT_GE(caseFiles().size(), 21U);
}

/// The check itself: a wrong expectation of every kind is noticed.
TEST(CaseCheck, NoticesAWrongExpectationOfEveryKind) {
    const auto folder = std::filesystem::path(BELLWETHER_TEST_DATA) / "cases";
    const auto file = loadCaseFile(folder / "C01.json").value();
    const auto answer = exported(explain(file));
    const Json right = Json::parse(contentOf(folder / "C01.json")).at("expect");
    ASSERT_TRUE(unmet(right, answer, file).empty());

    const std::vector<std::pair<std::string, Json>> wrong{
        {"verdict", "overdue"},
        {"holder", nullptr},
        {"token", "4242:8"},
        {"claimant", "node-2"},
        {"fenced", Json::array({"node-1"})},
        {"lastHolder", "node-9"},
        {"lease", {{"deadline", 1}}},
        {"lease", {{"nosuch", 1}}},
        {"roster", Json::array({Json::array({"node-1", 0})})},
        {"rosterSize", 3},
        {"rank", {{"node-2", 1}}},
        {"rank", {{"node-9", 0}}},
        {"challengesAt", {{"node-2", nullptr}}},
        {"expiredForMs", 0},
        {"never", Json::array({"node-1"})},
        {"never", Json::array({"authoritative"})},
        {"exportsRoundTrip", false},
        {"somethingNew", true},
    };
    for (const auto& [member, value] : wrong) {
        auto expect = right;
        expect["controller"][member] = value;
        EXPECT_EQ(unmet(expect, answer, file).size(), 1U) << member << " " << value;
    }
    auto findings = right;
    findings["findings"] = Json::array({{{"partition", 0}, {"offset", 1}}});
    EXPECT_EQ(unmet(findings, answer, file).size(), 1U);
    auto role = right;
    role["nobody"] = {{"verdict", "vacant"}};
    EXPECT_EQ(unmet(role, answer, file).size(), 1U);
}

} // namespace
} // namespace bellwether
