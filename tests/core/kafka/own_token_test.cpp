// SPDX-License-Identifier: Apache-2.0
#include "kafka/own_token.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "kafka/producer_identity.h"

namespace bellwether::kafka {
namespace {

std::string statistics(std::string_view state, std::int64_t id, std::int64_t epoch, int count) {
    return fmt::format(
        R"({{ "name": "rdkafka#producer-1", "brokers":{{}}, "eos": {{ "idemp_state": "{}", )"
        R"("idemp_stateage": 1, "txn_state": "Ready", "producer_id": {}, "producer_epoch": {}, )"
        R"("epoch_cnt": {} }} }})",
        state, id, epoch, count);
}

std::string acquired(std::int64_t id, int epoch) {
    return fmt::format("[thrd:main]: Acquired PID{{Id:{},Epoch:{}}}", id, epoch);
}

TEST(TokenFromStatistics, IsThePairOfAnAssignedProducer) {
    EXPECT_EQ(tokenFromStatistics(statistics("Assigned", 7, 3, 1)), (FencingToken{7, 3}));
    EXPECT_EQ(tokenFromStatistics(statistics("Assigned", 9'223'372'036'854'775'807, 32767, 4)),
              (FencingToken{9'223'372'036'854'775'807, 32767}));
    EXPECT_EQ(tokenFromStatistics(statistics("Assigned", 0, 0, 1)), (FencingToken{0, 0}));
}

TEST(TokenFromStatistics, IsNothingBeforeOrWhileItIsReplaced) {
    EXPECT_FALSE(tokenFromStatistics(statistics("Assigned", -1, -1, 1)));
    EXPECT_FALSE(tokenFromStatistics(statistics("Assigned", 7, -1, 1)));
    EXPECT_FALSE(tokenFromStatistics(statistics("Assigned", 7, 3, 0)));
    EXPECT_FALSE(tokenFromStatistics(statistics("Assigned", 7, 32768, 1)));
    for (const auto* state : {"Init", "Terminate", "FatalError", "RequestPID", "WaitTransport", "WaitPID",
                              "DrainReset", "DrainBump", "WaitTxnAbort", "assigned", ""}) {
        EXPECT_FALSE(tokenFromStatistics(statistics(state, 7, 3, 1))) << state;
    }
}

TEST(TokenFromStatistics, IsNothingForTextOfAnotherShape) {
    for (const auto* text :
         {"", "{", "[]", "null", "7", "{}", R"({"eos":7})", R"({"eos":{}})",
          R"({"eos":{"idemp_state":"Assigned","epoch_cnt":1,"producer_id":"7","producer_epoch":3}})",
          R"({"eos":{"idemp_state":7,"epoch_cnt":1,"producer_id":7,"producer_epoch":3}})",
          R"({"eos":{"idemp_state":"Assigned","epoch_cnt":1,"producer_id":7.5,"producer_epoch":3}})",
          R"({"eos":{"idemp_state":"Assigned","epoch_cnt":1,"producer_id":7}})"}) {
        EXPECT_FALSE(tokenFromStatistics(text)) << text;
    }
}

TEST(TokenFromLogLine, IsThePairThatWasAcquired) {
    EXPECT_EQ(tokenFromLogLine("[thrd:main]: Acquired PID{Id:7,Epoch:3}"), (FencingToken{7, 3}));
    EXPECT_EQ(tokenFromLogLine("Acquired PID{Id:7,Epoch:4} (previous PID{Id:7,Epoch:3})"),
              (FencingToken{7, 4}));
}

TEST(TokenFromLogLine, IsNothingForAnyOtherLine) {
    for (const auto* text :
         {"", "[thrd:main]: Acquired PID{Invalid}", "Acquired invalid PID{-1,-1}: ignoring",
          "Acquired PID{Id:-1,Epoch:0}", "Acquired PID{Id:7,Epoch:32768}", "Acquired PID{Id:7,Epoch:3",
          "Acquired PID{Id:7;Epoch:3}", "Acquired PID{Id:,Epoch:3}", "x Acquired PID{Id:7,Epoch:3}",
          "Acquiring ProducerId: Acquired PID{Id:7,Epoch:3}",
          "Acquired PID{Id:99999999999999999999,Epoch:3}"}) {
        EXPECT_FALSE(tokenFromLogLine(text)) << text;
    }
}

TEST(FenceCode, IsTheBrokersOwnInTheLinesAboutARefusal) {
    EXPECT_EQ(fenceCodeFromLogLine("ADDPARTS",
                                   "[thrd:main]: TxnCoordinator/1: Failed to add partition \"t\" [0] to "
                                   "transaction: Broker: Producer attempted an operation with an old epoch"),
              47);
    EXPECT_EQ(fenceCodeFromLogLine("ENDTXN",
                                   "EndTxn returned INVALID_PRODUCER_EPOCH in state CommittingTransaction"),
              47);
    EXPECT_EQ(
        fenceCodeFromLogLine("ENDTXN", "EndTxn returned PRODUCER_FENCED in state CommittingTransaction"), 90);
    EXPECT_FALSE(fenceCodeFromLogLine("ENDTXN", "EndTxn returned NO_ERROR in state CommittingTransaction"));
    EXPECT_FALSE(fenceCodeFromLogLine("ENDTXN", "EndTxn returned INVALID_PRODUCER_ID_MAPPING in state X"));
    EXPECT_FALSE(fenceCodeFromLogLine("FAIL", "INVALID_PRODUCER_EPOCH"));
}

TEST(OwnToken, TakesTheLogAtOnceAndTheStatisticsWhereThereIsNoLog) {
    OwnToken fromLog;
    EXPECT_FALSE(fromLog.current());
    fromLog.log(7, "GETPID", acquired(7, 3));
    EXPECT_EQ(fromLog.current(), (FencingToken{7, 3}));

    OwnToken fromStatistics;
    fromStatistics.log(7, "TXNSTATE", acquired(1, 1));
    EXPECT_FALSE(fromStatistics.current());
    fromStatistics.statistics(statistics("WaitPID", -1, -1, 0));
    EXPECT_FALSE(fromStatistics.current());
    fromStatistics.statistics(statistics("Assigned", 8, 0, 1));
    EXPECT_EQ(fromStatistics.current(), (FencingToken{8, 0}));
    fromStatistics.statistics(statistics("Assigned", 8, 1, 2));
    EXPECT_EQ(fromStatistics.current(), (FencingToken{8, 1}));
}

TEST(OwnToken, OneStaleSnapshotDoesNotUndoTheLogTwoDo) {
    OwnToken own;
    own.log(7, "GETPID", acquired(7, 3));
    own.log(7, "GETPID", acquired(7, 4));
    own.statistics(statistics("Assigned", 7, 3, 1)); // taken before the second line, served after it
    EXPECT_EQ(own.current(), (FencingToken{7, 4}));
    own.statistics(statistics("Assigned", 7, 4, 2));
    own.statistics(statistics("Assigned", 7, 5, 3));
    EXPECT_EQ(own.current(), (FencingToken{7, 4}));
    own.statistics(statistics("Assigned", 7, 5, 3)); // a change that no line told of
    EXPECT_EQ(own.current(), (FencingToken{7, 5}));
}

TEST(OwnToken, KeepsTheReportOfTheRecordThatIsWaitedFor) {
    OwnToken own;
    const auto first = own.newTicket();
    own.delivered(first, Fault{-152, "purged", false, false, false});
    const auto second = own.newTicket();
    EXPECT_NE(first, second);
    own.delivered(second, Fault{});
    own.delivered(first, Fault{});
    const auto report = own.waitForDelivery(second, Millis{0});
    ASSERT_TRUE(report);
    EXPECT_EQ(report->code, 0);
    EXPECT_FALSE(own.waitForDelivery(second, Millis{0}));
}

} // namespace
} // namespace bellwether::kafka
