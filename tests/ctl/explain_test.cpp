// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ctl_run.h"

namespace bellwether::ctl::test {

namespace {

using nlohmann::json;

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::filesystem::path> allCases() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BELLWETHER_TEST_DATA) + "/cases")) {
        files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

json roleOf(const json& answer, const std::string& name) {
    for (const auto& role : answer.at("roles")) {
        if (role.at("role") == name) {
            return role;
        }
    }
    return {};
}

} // namespace

TEST(Explain, EveryCaseIsAnsweredAsItsFileExpects) {
    ASSERT_FALSE(allCases().empty());
    for (const auto& path : allCases()) {
        const CtlRun run({"explain", path.string(), "-o", "json"});
        ASSERT_EQ(run.code, 0) << path << run.err;
        EXPECT_EQ(run.err, "");
        const json answer = json::parse(run.out);
        EXPECT_FALSE(answer.contains("file"));
        for (const auto& [name, expected] : json::parse(contents(path.string())).at("expect").items()) {
            if (name == "findings" || !expected.is_object() || !expected.contains("verdict")) {
                continue;
            }
            const json role = roleOf(answer, name);
            ASSERT_FALSE(role.is_null()) << path << name;
            std::vector<json> honest{expected.at("verdict")};
            if (expected.contains("allowed")) {
                honest.insert(honest.end(), expected.at("allowed").begin(), expected.at("allowed").end());
            }
            EXPECT_NE(std::find(honest.begin(), honest.end(), role.at("verdict")), honest.end())
                << path << " " << name << ": " << role.dump(1);
        }
    }
}

TEST(Explain, TextNamesRoleVerdictHolderAndToken) {
    const CtlRun run({"explain", caseFile("C01")});
    EXPECT_EQ(run.code, 0);
    for (const std::string word : {"controller", "AUTHORITATIVE", "node-1", "node-2", "4242:7"}) {
        EXPECT_NE(run.out.find(word), std::string::npos) << word << " in\n" << run.out;
    }
    EXPECT_EQ(run.err, "");
}

TEST(Explain, JsonKeepsTheAnswerForm) {
    const CtlRun run({"-ojson", "explain", caseFile("C01")});
    EXPECT_EQ(run.code, 2) << "-o belongs to the verb";
    const CtlRun right({"explain", "-ojson", caseFile("C01")});
    ASSERT_EQ(right.code, 0) << right.err;
    const json role = roleOf(json::parse(right.out), "controller");
    EXPECT_EQ(role.at("holder"), "node-1");
    EXPECT_EQ(role.at("token"), "4242:7");
    EXPECT_EQ(role.at("lease").at("deadline"), 1'700'000'030'000);
    EXPECT_EQ(role.at("coordinator").at("producerId"), 4242);
    EXPECT_EQ(role.at("roster").at(1).at("member"), "node-2");
}

TEST(Explain, SeveralFilesAreOneObjectEachWithTheFilesName) {
    const CtlRun run({"explain", caseFile("C01"), caseFile("C02"), "-o", "jsonl"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::istringstream lines(run.out);
    std::vector<std::string> files;
    for (std::string line; std::getline(lines, line);) {
        const json answer = json::parse(line);
        files.push_back(answer.at("file"));
        EXPECT_FALSE(answer.at("roles").empty());
    }
    EXPECT_EQ(files, (std::vector{caseFile("C01"), caseFile("C02")}));
}

TEST(Explain, SeveralFilesAsTextAreHeadedByTheirNames) {
    const CtlRun run({"explain", caseFile("C01"), caseFile("C02")});
    EXPECT_EQ(run.code, 0);
    const auto first = run.out.find("== " + caseFile("C01") + "\n");
    const auto second = run.out.find("== " + caseFile("C02") + "\n");
    EXPECT_EQ(first, 0U);
    EXPECT_NE(second, std::string::npos);
}

TEST(Explain, ReadsStandardInput) {
    const CtlRun fromFile({"explain", caseFile("C01"), "-o", "json"});
    const CtlRun fromInput({"explain", "-", "-o", "json"}, contents(caseFile("C01")));
    EXPECT_EQ(fromInput.code, 0) << fromInput.err;
    EXPECT_EQ(fromInput.out, fromFile.out);
}

TEST(Explain, AFileThatCannotBeReadIsNamedAndTheOthersAreAnswered) {
    const CtlRun run({"explain", "/no/such/file.json", caseFile("C01"), "-o", "jsonl"});
    EXPECT_EQ(run.code, 1);
    EXPECT_NE(run.err.find("/no/such/file.json"), std::string::npos) << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1);
    EXPECT_EQ(json::parse(run.out).at("file"), caseFile("C01"));
}

TEST(Explain, BadInputIsOneLineThatSaysWhatAndWhere) {
    const std::string cut = contents(caseFile("C01")).substr(0, 300);
    for (const std::string& text :
         {std::string(), std::string("nonsense"), std::string("[]"), std::string("{}"),
          std::string("{\"records\": 7}"), std::string("\xff\xfe"), cut}) {
        const CtlRun run({"explain", "-"}, text);
        EXPECT_EQ(run.code, 1) << text;
        EXPECT_EQ(run.out, "") << text;
        EXPECT_NE(run.err.find("standard input"), std::string::npos) << run.err;
        EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    }
    const CtlRun folder({"explain", BELLWETHER_TEST_DATA});
    EXPECT_EQ(folder.code, 1);
    EXPECT_NE(folder.err.find(BELLWETHER_TEST_DATA), std::string::npos);
}

TEST(Explain, ANameThatIsNotUtf8IsStillNamed) {
    const CtlRun run({"explain", "/no/such/\xff.json", "-", "-o", "jsonl"}, contents(caseFile("C01")));
    EXPECT_EQ(run.code, 1);
    EXPECT_EQ(json::parse(run.out).at("file"), "-");
}

} // namespace bellwether::ctl::test
