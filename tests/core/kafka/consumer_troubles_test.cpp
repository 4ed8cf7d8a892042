// SPDX-License-Identifier: Apache-2.0
#include "kafka/consumer_troubles.h"

#include <gtest/gtest.h>

namespace bellwether::kafka {
namespace {

const Place kPlace{"h:9092", "t", {}, {}, {}};

TEST(ConsumerTroubles, ATroubleIsTold_OnceUntilItIsTakenAway) {
    ConsumerTroubles troubles(kPlace);
    EXPECT_TRUE(troubles.drain().empty());
    const Fault refused{-195, "h:9092/1: Connect failed: Connection refused", false, false, false};
    troubles.problem(refused);
    troubles.problem(refused);
    auto taken = troubles.drain();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken.front().code, ErrorCode::unreachable);
    EXPECT_TRUE(taken.front().retriable);
    EXPECT_EQ(taken.front().where, "t, h:9092");
    EXPECT_TRUE(troubles.drain().empty());
    troubles.problem(refused);
    EXPECT_EQ(troubles.drain().size(), 1U);
}

TEST(ConsumerTroubles, AnErrorOfOnePartitionNamesIt) {
    ConsumerTroubles troubles(kPlace);
    troubles.partitionProblem({29, "Broker: Topic authorization failed", false, false, false}, 4);
    const auto taken = troubles.drain();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken.front().code, ErrorCode::refused);
    EXPECT_EQ(taken.front().where, "t[4], h:9092");
}

TEST(ConsumerTroubles, AResetOfTheOffsetIsATrouble) {
    ConsumerTroubles troubles(kPlace);
    const auto* text =
        "[thrd:main]: t [0]: offset reset (at offset 10000, broker 1) to cached BEGINNING offset 0: fetch "
        "failed due to requested offset not available on the broker: Broker: Offset out of range";
    troubles.log(4, "OFFSET", text);
    troubles.log(7, "OFFSET", text); // a start that was asked for
    troubles.log(4, "FETCH", text);
    const auto taken = troubles.drain();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_EQ(taken.front().kafkaCode, 1);
    EXPECT_NE(taken.front().what.find("offset 10000"), std::string::npos);
}

TEST(ConsumerTroubles, AWrongPortIsATroubleAlsoWhereOnlyTheLogTells) {
    ConsumerTroubles troubles(kPlace);
    troubles.log(
        6, "FAIL",
        "[thrd:h:9092/bootstrap]: h:9092/bootstrap: Disconnected (after 1ms in state APIVERSION_QUERY)");
    troubles.log(6, "FAIL", "[thrd:h:9092/1]: h:9092/1: Disconnected (after 900ms in state UP)");
    const auto taken = troubles.drain();
    ASSERT_EQ(taken.size(), 1U);
    EXPECT_FALSE(taken.front().retriable);
    EXPECT_NE(taken.front().hint.find("security.protocol=ssl"), std::string::npos);
}

TEST(ConsumerTroubles, WhatTheGroupCoordinatorThinksIsNone) {
    ConsumerTroubles troubles(kPlace);
    troubles.problem({30, "Broker: Group authorization failed", false, false, false});
    EXPECT_TRUE(troubles.drain().empty());
}

TEST(ConsumerTroubles, ACallerThatDoesNotPollIsNotDrowned) {
    ConsumerTroubles troubles(kPlace);
    for (int i = 0; i < 10'000; ++i) {
        troubles.partitionProblem({29, "x", false, false, false}, i);
    }
    const auto taken = troubles.drain();
    EXPECT_EQ(taken.size(), 100U);
    EXPECT_EQ(taken.front().where, "t[0], h:9092");
}

} // namespace
} // namespace bellwether::kafka
