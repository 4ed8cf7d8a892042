// SPDX-License-Identifier: Apache-2.0
// What a case file may hold, and what is said of one that is wrong: the file, the place, what was expected.
#include <fstream>
#include <functional>
#include <limits>

#include <unistd.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "case_builder.h"

namespace bellwether {
namespace {

using testing::HasSubstr;
using testing_support::CaseBuilder;
using Json = nlohmann::json;

CaseBuilder healthy() {
    CaseBuilder builder;
    builder.bounds(0, 4, 4)
        .registration(0, "controller", "node-1")
        .lease(2, "controller", "node-1", {4242, 7})
        .coordinator("controller", "CompleteCommit", {4242, 7});
    return builder;
}

TEST(CaseFileForm, EveryFieldArrives) {
    auto document = healthy().document;
    document["id"] = "C99";
    document["title"] = "a title";
    document["topic"] = "__other";
    document["timing"] = {{"leaseDurationMs", 9}, {"renewIntervalMs", 2}, {"challengeStaggerMs", 3}};
    document["records"][1]["timestampType"] = "LogAppendTime";
    document["records"][0]["status"] = "undecided";
    document["coordinator"]["controller"]["asOf"] = 77;
    document["coordinator"]["controller"]["transactionStartTimeMs"] = 78;
    document["coordinator"]["controller"]["transactionTimeoutMs"] = 60000;
    document["producers"] = Json::parse(R"({"0": [{"producer": "4242:8", "openSince": 4, "lastTimestamp": 5},
                                                  {"producer": "1:0", "openSince": null, "lastTimestamp": null}]})");

    const auto file = parseCaseFile(document.dump(), "x");

    ASSERT_TRUE(file) << file.error().text();
    EXPECT_EQ(file->id, "C99");
    EXPECT_EQ(file->title, "a title");
    EXPECT_EQ(file->topic, "__other");
    EXPECT_EQ(file->partitions, 1);
    EXPECT_EQ(file->timing, (LeaseTiming{Millis{9}, Millis{2}, Millis{3}}));
    EXPECT_EQ(file->now, wallTime(CaseBuilder::kStart + 5'000));
    EXPECT_EQ(file->log.at(0).lastStableOffset, 4);
    EXPECT_EQ(file->log.at(0).highWatermark, 4);
    ASSERT_EQ(file->records.size(), 2U);
    EXPECT_EQ(file->records[0].status, CaseFile::Status::undecided);
    EXPECT_EQ(file->records[0].producer, std::nullopt);
    EXPECT_EQ(file->records[1].position,
              (RecordPosition{0, 2, wallTime(CaseBuilder::kStart), TimestampType::logAppendTime}));
    EXPECT_EQ(file->records[1].producer, (FencingToken{4242, 7}));
    EXPECT_EQ(file->records[1].key->size(), 18U);
    const auto& answer = file->coordinator.at("controller");
    EXPECT_EQ(answer.kind, CoordinatorAnswer::Kind::described);
    EXPECT_EQ(answer.state, TransactionState::completeCommit);
    EXPECT_EQ(answer.token, (FencingToken{4242, 7}));
    EXPECT_EQ(answer.asOf, wallTime(77));
    EXPECT_EQ(answer.transactionStart, wallTime(78));
    EXPECT_EQ(answer.transactionTimeout, Millis{60'000});
    EXPECT_EQ(file->producers.at(0), (std::vector<PartitionProducer>{{{4242, 8}, 4, wallTime(5)},
                                                                     {{1, 0}, std::nullopt, std::nullopt}}));
}

TEST(CaseFileForm, WhatMayBeLeftOut) {
    const auto file = healthy().file();
    EXPECT_EQ(file.topic, kDefaultTopic);
    EXPECT_EQ(file.timing, LeaseTiming{});
    EXPECT_TRUE(file.producers.empty());
    EXPECT_EQ(file.records[1].position.timestampType, TimestampType::unknown);
    EXPECT_EQ(file.coordinator.at("controller").asOf, file.now);
}

TEST(CaseFileForm, Int64IsExact) {
    for (const auto number : {std::int64_t{9007199254740993}, std::int64_t{9007199254740992},
                              std::numeric_limits<std::int64_t>::max()}) {
        auto document = healthy().document;
        document["coordinator"]["controller"]["producerId"] = number;
        EXPECT_EQ(parseCaseFile(document.dump(), "x").value().coordinator.at("controller").token.producerId,
                  number);
    }
    for (const auto number :
         {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()}) {
        auto document = healthy().document;
        document["now"] = number;
        EXPECT_EQ(parseCaseFile(document.dump(), "x").value().now, wallTime(number));
    }
}

TEST(CaseFileForm, UnknownMembersAreIgnored) {
    auto document = healthy().document;
    document["news"] = {{"of", "the day"}};
    document["records"][0]["colour"] = "green";
    document["coordinator"]["controller"]["mood"] = 1;
    EXPECT_TRUE(parseCaseFile(document.dump(), "x"));
}

struct Wrong {
    std::string change; ///< JSON merge patch or, beginning with '/', a pointer and a value
    std::string path;
    std::string expected;
};

void PrintTo(const Wrong& wrong, std::ostream* out) {
    *out << wrong.change;
}

class WrongCaseFile : public testing::TestWithParam<Wrong> {};

TEST_P(WrongCaseFile, NamesFilePathAndExpectation) {
    auto document = healthy().document;
    const auto& change = GetParam().change;
    const auto equals = change.find('=');
    const Json::json_pointer pointer(change.substr(0, equals));
    if (equals == std::string::npos) {
        const auto name = pointer.back();
        document.at(pointer.parent_pointer()).erase(name);
    } else {
        document[pointer] = Json::parse(change.substr(equals + 1));
    }

    const auto file = parseCaseFile(document.dump(), "night.json");

    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(file.error().where, "night.json");
    EXPECT_THAT(file.error().what, testing::StartsWith(GetParam().path + ": expected "));
    EXPECT_THAT(file.error().what, HasSubstr(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    Fields, WrongCaseFile,
    testing::Values(
        Wrong{"/partitions", "partitions", "found nothing"},
        Wrong{"/partitions=0", "partitions", "from 1 to"},
        Wrong{"/partitions=1.0", "partitions", "a whole number"},
        Wrong{"/partitions=\"1\"", "partitions", "\"1\""},
        Wrong{"/partitions=4294967297", "partitions", "4294967297"}, Wrong{"/now", "now", "found nothing"},
        Wrong{"/now=9223372036854775808", "now", "9223372036854775808"},
        Wrong{"/now=-9223372036854775809", "now", "a whole number"},
        Wrong{"/now=1e3", "now", "a whole number"}, Wrong{"/now=null", "now", "found null"},
        Wrong{"/id=5", "id", "a text"}, Wrong{"/topic=[]", "topic", "a text"},
        Wrong{"/timing=[]", "timing", "an object"},
        Wrong{"/timing={\"leaseDurationMs\":0}", "timing", "lease duration is 0 ms"},
        Wrong{"/timing={\"renewIntervalMs\":30000}", "timing", "renew interval is 30000 ms"},
        Wrong{"/timing={\"renewIntervalMs\":\"x\"}", "timing.renewIntervalMs", "a whole number"},
        Wrong{"/log", "log", "an object"},
        Wrong{"/log/0/lastStableOffset", "log.0.lastStableOffset", "found nothing"},
        Wrong{"/log/0/lastStableOffset=5", "log.0", "not above the highWatermark"},
        Wrong{"/log/0/highWatermark=-1", "log.0.highWatermark", "from 0 to"},
        Wrong{"/log/1={\"lastStableOffset\":0,\"highWatermark\":0}", "log.1", "a partition from 0 to 0"},
        Wrong{"/log/00={\"lastStableOffset\":0,\"highWatermark\":0}", "log.00", "a partition from 0 to 0"},
        Wrong{"/log/x={\"lastStableOffset\":0,\"highWatermark\":0}", "log.x", "a partition from 0 to 0"},
        Wrong{"/records={}", "records", "an array"}, Wrong{"/records/1=7", "records[1]", "an object"},
        Wrong{"/records/1/partition=1", "records[1].partition", "from 0 to 0"},
        Wrong{"/records/1/offset=-1", "records[1].offset", "from 0 to"},
        Wrong{"/records/1/offset=0", "records[1].offset", "an offset of its own"},
        Wrong{"/records/1/offset", "records[1].offset", "found nothing"},
        Wrong{"/records/1/timestamp=\"noon\"", "records[1].timestamp", "a whole number"},
        Wrong{"/records/1/timestampType=\"noon\"", "records[1].timestampType", "CreateTime or LogAppendTime"},
        Wrong{"/records/1/key", "records[1].key", "hex digits"},
        Wrong{"/records/1/value", "records[1].value", "hex"},
        Wrong{"/records/1/key=\"0\"", "records[1].key", "see character 1"},
        Wrong{"/records/1/key=\"00 0\"", "records[1].key", "see character 2"},
        Wrong{"/records/1/key=\"0g\"", "records[1].key", "see character 1"},
        Wrong{"/records/1/value=\"0x00\"", "records[1].value", "see character 1"},
        Wrong{"/records/1/value=17", "records[1].value", "hex digits in a text, or null"},
        Wrong{"/records/1/status", "records[1].status", "a text"},
        Wrong{"/records/1/status=\"Committed\"", "records[1].status",
              "committed, open, aborted or undecided"},
        Wrong{"/records/1/producer=\"4242\"", "records[1].producer", "producerId:producerEpoch"},
        Wrong{"/records/1/producer=\"-1:-1\"", "records[1].producer", "producerId:producerEpoch"},
        Wrong{"/records/1/producer=4242", "records[1].producer", "a text"},
        Wrong{"/coordinator", "coordinator", "an object"},
        Wrong{"/coordinator/controller=[]", "coordinator.controller", "an object"},
        Wrong{"/coordinator/controller/state", "coordinator.controller.state", "a text"},
        Wrong{"/coordinator/controller/producerId=-2", "coordinator.controller.producerId", "from -1 to"},
        Wrong{"/coordinator/controller/producerId=9223372036854775808", "coordinator.controller.producerId",
              "found 9223372036854775808"},
        Wrong{"/coordinator/controller/producerEpoch=32768", "coordinator.controller.producerEpoch",
              "to 32767"},
        Wrong{"/coordinator/controller/producerEpoch=-1", "coordinator.controller.producerEpoch",
              "exactly when"},
        Wrong{"/coordinator/controller/asOf=true", "coordinator.controller.asOf", "a whole number"},
        Wrong{"/coordinator/x={\"error\":0}", "coordinator.x.error", "which is not 0"},
        Wrong{"/coordinator/x={\"error\":\"105\"}", "coordinator.x.error", "a whole number"},
        Wrong{"/coordinator/a b={\"error\":\"105\"}", "coordinator[\"a b\"].error", "a whole number"},
        Wrong{"/coordinator/={\"error\":105}", "coordinator[\"\"]", "a role's name (this one is empty)"},
        Wrong{"/producers=[]", "producers", "an object"},
        Wrong{"/producers={\"1\":[]}", "producers.1", "a partition from 0 to 0"},
        Wrong{"/producers={\"0\":{}}", "producers.0", "an array"},
        Wrong{"/producers={\"0\":[{}]}", "producers.0[0].producer", "producerId:producerEpoch"},
        Wrong{"/producers={\"0\":[{\"producer\":\"1:1\",\"openSince\":-1}]}", "producers.0[0].openSince",
              "from 0"}));

TEST(WrongCaseFile, RecordOfAPartitionWithoutBounds) {
    auto document = healthy().document;
    document["partitions"] = 2;
    document["records"][1]["partition"] = 1;
    const auto file = parseCaseFile(document.dump(), "x");
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().what,
                HasSubstr("records[1].partition: expected a partition whose bounds stand under log"));
}

TEST(WrongCaseFile, NotJson) {
    for (const std::string text :
         {"", "{", "[1,2", "nonsense", "{\"a\":\"\xFF\"}", "{\"a\":\"\\ud800\"}", "{} trailing"}) {
        const auto file = parseCaseFile(text, "x.json");
        ASSERT_FALSE(file) << text;
        EXPECT_EQ(file.error().code, ErrorCode::invalidArgument);
        EXPECT_EQ(file.error().where, "x.json");
        EXPECT_THAT(file.error().what, testing::StartsWith("not JSON: "));
    }
}

TEST(WrongCaseFile, NotAnObject) {
    for (const std::string text : {"[]", "1", "null", "\"text\""}) {
        const auto file = parseCaseFile(text, "x.json");
        ASSERT_FALSE(file) << text;
        EXPECT_THAT(file.error().what, testing::StartsWith("the document: expected an object"));
    }
}

TEST(WrongCaseFile, DeeplyNestedJsonIsNoTrouble) {
    const std::string text(100'000, '[');
    EXPECT_FALSE(parseCaseFile(text, "x"));
    EXPECT_FALSE(parseCaseFile(text + std::string(100'000, ']'), "x"));
}

TEST(WrongCaseFile, ANameThatStandsTwice) {
    auto text = healthy().document.dump();
    const std::string once = "\"coordinator\":{";
    text.replace(text.find(once), once.size(), once + R"("controller":{"error":105},)");
    const auto file = parseCaseFile(text, "x");
    ASSERT_FALSE(file);
    EXPECT_THAT(file.error().what, HasSubstr("\"controller\" stands twice"));
}

TEST(LoadCaseFile, FromDisk) {
    const auto path =
        std::filesystem::temp_directory_path() / ("bellwether-case-" + std::to_string(getpid()) + ".json");
    const auto write = [&path](const std::string& text) { std::ofstream(path, std::ios::binary) << text; };

    const auto absent = loadCaseFile(path);
    ASSERT_FALSE(absent);
    EXPECT_EQ(absent.error().what, "the file cannot be opened");
    EXPECT_EQ(absent.error().where, path.string());

    write("");
    const auto empty = loadCaseFile(path);
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().where, path.string());

    write(healthy().document.dump(2));
    const auto good = loadCaseFile(path);
    std::filesystem::remove(path);
    ASSERT_TRUE(good) << good.error().text();
    EXPECT_EQ(good->records.size(), 2U);

    const auto folder = loadCaseFile(std::filesystem::temp_directory_path());
    EXPECT_FALSE(folder);
}

} // namespace
} // namespace bellwether
