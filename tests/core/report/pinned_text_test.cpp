// SPDX-License-Identifier: Apache-2.0
#include "report/pinned_text.h"

#include <gtest/gtest.h>

#include "coordination/display_text.h"
#include "report/answer.h"

using namespace bellwether;

namespace {

PinnedLog pinned() {
    PinnedLog log;
    log.partition = 3;
    log.lastStableOffset = 5;
    log.highWatermark = 13;
    log.records = 7;
    log.seenSince = wallTime(1'700'000'000'000);
    OpenTransaction open;
    open.producer = {7, 2};
    open.startOffset = 5;
    log.open.push_back(open);
    return log;
}

PinnedPlace place() {
    return {"b:9092", "__coordination_state", wallTime(1'700'000'012'000),
            [](WallTime instant) { return rfc3339Utc(instant); }};
}

} // namespace

TEST(PinnedText, WhoWhatSinceWhen) {
    auto log = pinned();
    auto& open = log.open[0];
    open.transactionalId = "scheduler";
    open.role = Role::of("scheduler").value();
    open.member = MemberId::of("node-9").value();
    open.startedAt = wallTime(1'699'999'990'000);
    open.timeout = Millis{60'000};
    log.hidden = {Role::of("a").value(), Role::of("b").value(), Role::of("c").value(), Role::of("d").value(),
                  Role::of("e").value()};
    log.undecided = {Role::of("b").value()};
    const auto words = wordsOf(log, place());
    EXPECT_EQ(words.what, "Partition 3 is held back at offset 5: 7 records wait behind 7:2 (transactional id "
                          "scheduler, member node-9)");
    EXPECT_EQ(
        words.since,
        "seen since 2023-11-14T22:13:20.000Z, begun 2023-11-14T22:13:10.000Z by the coordinator's clock");
    EXPECT_EQ(words.hint, "the coordinator aborts it at 2023-11-14T22:14:10.000Z; members do not see the "
                          "newest of a, b, c and 2 more; not decided: b");
    open.timeout = Millis{5'000};
    EXPECT_NE(wordsOf(log, place()).hint.find("should have aborted it at"), std::string::npos);
}

TEST(PinnedText, AHangingTransactionComesWithTheCommandThatEndsIt) {
    auto log = pinned();
    log.open[0].transactionalId = "billing\n";
    log.open[0].hanging = true;
    const auto words = wordsOf(log, place());
    EXPECT_NE(
        words.hint.find("kafka-transactions.sh --bootstrap-server b:9092 abort --topic __coordination_state "
                        "--partition 3 --start-offset 5"),
        std::string::npos)
        << words.hint;
    EXPECT_NE(words.what.find("billing\\n"), std::string::npos) << "names cannot break the line";
}

TEST(PinnedText, WhatIsNotKnownIsSaid) {
    auto log = pinned();
    log.recordsExact = false;
    EXPECT_NE(wordsOf(log, place()).what.find("at least 7 records wait"), std::string::npos);
    EXPECT_NE(wordsOf(log, place()).hint.find("no coordinator names its transactional id"),
              std::string::npos);
    log.open.push_back(log.open[0]);
    EXPECT_NE(wordsOf(log, place()).what.find("and 1 more open transaction"), std::string::npos);
    log.open.clear();
    EXPECT_NE(wordsOf(log, place()).what.find("no leader says behind whom"), std::string::npos);
    log.recordsExact = true;
    log.records = 0;
    EXPECT_NE(wordsOf(log, place()).what.find("no record of a role waits"), std::string::npos);
}

TEST(PinnedText, ScriptsGetEveryFact) {
    auto log = pinned();
    log.open[0].member = MemberId::of("node-9").value();
    log.hidden = {Role::of("a").value()};
    EXPECT_EQ(answerJson({}, {}, {log}, -1),
              R"({"roles":[],"findings":[],"pinned":[{"partition":3,"lastStableOffset":5,"highWatermark":13,)"
              R"("records":7,"recordsExact":true,"seenSince":1700000000000,"open":[{"producerId":7,)"
              R"("producerEpoch":2,"startOffset":5,"transactionalId":null,"role":null,"member":"node-9",)"
              R"("startedAt":null,"firstRecordAt":null,"timeoutMs":null,"hanging":false}],"hidden":["a"],)"
              R"("undecided":[]}]})");
}
