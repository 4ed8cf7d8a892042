// SPDX-License-Identifier: Apache-2.0
#include "feed/role_table.h"

#include <gtest/gtest.h>

#include "coordination/role_partition.h"

using namespace bellwether;
using namespace bellwether::feed;

namespace {

const Role kRole = *Role::of("controller");
const MemberId kNode1 = *MemberId::of("node-1");
const MemberId kNode2 = *MemberId::of("node-2");

SteadyTime steady(std::int64_t ms) {
    return SteadyTime{Millis{ms}};
}

ConsumedRecord lease(std::int64_t offset, const MemberId& member, FencingToken token,
                     std::int64_t granted = 1'000) {
    return {{0, offset, wallTime(granted), TimestampType::createTime},
            encodeLeaseKey(kRole),
            encodeLeaseValue({member, token, wallTime(granted), wallTime(granted + 30'000)})};
}

ConsumedRecord registration(std::int64_t offset, const MemberId& member) {
    return {{0, offset, wallTime(1'000), TimestampType::createTime},
            encodeRegistrationKey(kRole, member),
            encodeRegistrationValue({member, wallTime(1'000)})};
}

class RoleTableTest : public ::testing::Test {
protected:
    RoleEntry& entry() { return table.roles().at("controller"); }

    void read(Isolation isolation, std::vector<ConsumedRecord> records, std::int64_t now = 10) {
        table.take(isolation, {std::move(records), {}, {}}, wallTime(5'000), steady(now));
    }

    RoleTable table{1};
};

} // namespace

TEST_F(RoleTableTest, PositionsFollowRecordsAndEndsAndNeverGoBack) {
    read(Isolation::readCommitted, {registration(3, kNode1)});
    EXPECT_EQ(table.next(Isolation::readCommitted, 0), 4);
    table.take(Isolation::readCommitted, {{}, {{0, 9}}, {}}, wallTime(0), steady(0));
    EXPECT_EQ(table.next(Isolation::readCommitted, 0), 9);
    table.take(Isolation::readCommitted, {{}, {{0, 5}, {7, 100}, {-1, 2}}, {}}, wallTime(0), steady(0));
    EXPECT_EQ(table.next(Isolation::readCommitted, 0), 9);
    EXPECT_EQ(table.next(Isolation::readUncommitted, 0), 0);
    EXPECT_EQ(table.readSince({{0, 2}}), 7);
}

TEST_F(RoleTableTest, ATailRecordIsUndecidedThenAbortedUnlessTheCommittedReaderShowsIt) {
    read(Isolation::readCommitted, {registration(0, kNode1), lease(1, kNode1, {7, 0})});
    read(Isolation::readUncommitted, {lease(4, kNode2, {7, 1}), lease(6, kNode2, {7, 1})});
    auto tail = entry().tail(3);
    ASSERT_EQ(tail.size(), 2U);
    EXPECT_EQ(tail[0].fate, TailLease::Fate::undecided);
    EXPECT_EQ(tail[1].position.offset, 6);

    tail = entry().tail(5); // the committed reader went past offset 4 and did not show it
    ASSERT_EQ(tail.size(), 2U);
    EXPECT_EQ(tail[0].fate, TailLease::Fate::aborted);
    EXPECT_EQ(tail[1].fate, TailLease::Fate::undecided);

    tail = entry().tail(9); // of several aborted ones only the newest is kept
    ASSERT_EQ(tail.size(), 1U);
    EXPECT_EQ(tail[0].position.offset, 6);
    EXPECT_EQ(tail[0].fate, TailLease::Fate::aborted);

    read(Isolation::readCommitted, {lease(10, kNode2, {7, 2})});
    EXPECT_TRUE(entry().tail(11).empty());
}

TEST_F(RoleTableTest, ACommittedRecordIsNotKeptInTheTailWhicheverReaderIsFirst) {
    read(Isolation::readUncommitted, {lease(4, kNode1, {7, 0})});
    read(Isolation::readCommitted, {lease(4, kNode1, {7, 0})});
    EXPECT_TRUE(entry().tail(5).empty());
    read(Isolation::readCommitted, {lease(8, kNode1, {7, 0})});
    read(Isolation::readUncommitted, {lease(8, kNode1, {7, 0})});
    EXPECT_TRUE(entry().tail(9).empty());
}

TEST_F(RoleTableTest, TheNewestLeaseIsSeenWhenTheFirstReaderSeesIt) {
    read(Isolation::readUncommitted, {lease(4, kNode1, {7, 0})}, 20);
    read(Isolation::readCommitted, {lease(4, kNode1, {7, 0})}, 35);
    EXPECT_EQ(entry().newestLeaseSeen(), steady(20));
    read(Isolation::readCommitted, {lease(8, kNode1, {7, 0})}, 50);
    read(Isolation::readUncommitted, {lease(8, kNode1, {7, 0})}, 60);
    EXPECT_EQ(entry().newestLeaseSeen(), steady(50));
    read(Isolation::readCommitted, {registration(9, kNode2)}, 70);
    EXPECT_EQ(entry().newestLeaseSeen(), steady(50));
}

TEST_F(RoleTableTest, OneBadRecordIsAFindingOnceAndHidesNothing) {
    ConsumedRecord bad{
        {0, 2, wallTime(0), TimestampType::createTime}, std::string("\0\0\0\7", 4), std::string("x")};
    read(Isolation::readCommitted, {registration(0, kNode1), bad, registration(3, kNode2)});
    read(Isolation::readUncommitted, {bad});
    ASSERT_EQ(table.findings().size(), 1U);
    EXPECT_EQ(table.findings()[0].position.offset, 2);
    EXPECT_EQ(table.findings()[0].part, "key");
    EXPECT_EQ(entry().fold().roster().size(), 2U);
}

TEST_F(RoleTableTest, AValueThatNamesAnotherMemberIsReportedAndNotTrusted) {
    auto record = registration(0, kNode1);
    record.value = encodeRegistrationValue({kNode2, wallTime(1'000)});
    read(Isolation::readCommitted, {record});
    ASSERT_EQ(table.findingsTotal(), 1U);
    EXPECT_EQ(table.findings()[0].part, "registration value");
    EXPECT_EQ(entry().fold().roster().at(0).member, kNode1);
}

TEST_F(RoleTableTest, ALeaseThatDoesNotDecodeIsKeptAsUntrusted) {
    auto future = lease(7, kNode2, {7, 1});
    (*future.value)[1] = 1; // version 1
    read(Isolation::readCommitted, {lease(2, kNode1, {7, 0}), future}, 40);
    ASSERT_EQ(entry().untrusted().size(), 1U);
    EXPECT_EQ(entry().untrusted()[0].position.offset, 7);
    EXPECT_FALSE(entry().untrusted()[0].misplaced);
    EXPECT_EQ(entry().newestLeaseSeen(), steady(40));
}

TEST(RoleTable, AMisplacedLeaseIsKeptAsUntrustedWithItsToken) {
    RoleTable table(16);
    const auto right = rolePartition(kRole, 16);
    auto record = lease(0, kNode2, {7, 4});
    record.position.partition = (right + 1) % 16;
    table.take(Isolation::readUncommitted, {{record}, {}, {}}, wallTime(0), steady(9));
    const auto& entry = table.roles().at("controller");
    EXPECT_EQ(entry.partition(), right);
    ASSERT_EQ(entry.untrusted().size(), 1U);
    EXPECT_EQ(entry.untrusted()[0].token, (FencingToken{7, 4}));
    EXPECT_TRUE(entry.untrusted()[0].misplaced);
}

TEST(RoleTable, AMisplacedRecordIsAFindingAndNoMember) {
    RoleTable table(16);
    const auto right = rolePartition(kRole, 16);
    const auto wrong = (right + 1) % 16;
    auto record = registration(0, kNode1);
    record.position.partition = wrong;
    table.take(Isolation::readCommitted, {{record}, {}, {}}, wallTime(0), steady(0));
    EXPECT_TRUE(table.roles().empty());
    ASSERT_EQ(table.findingsTotal(), 1U);
    EXPECT_EQ(table.findings()[0].part, "partition");
    EXPECT_NE(table.findings()[0].what.find("partition " + std::to_string(right)), std::string::npos);
}

TEST(RoleTable, FindingsAreBoundedAndCounted) {
    RoleTable table(1);
    PollBatch batch;
    for (std::int64_t offset = 0; offset < 10'050; ++offset) {
        batch.records.push_back(
            {{0, offset, wallTime(0), TimestampType::createTime}, std::nullopt, std::nullopt});
    }
    table.take(Isolation::readCommitted, batch, wallTime(0), steady(0));
    EXPECT_EQ(table.findings().size(), RoleTable::kMostFindings);
    EXPECT_EQ(table.findingsTotal(), 10'050U);
    EXPECT_EQ(table.findings().back().position.offset, 10'049);
}

TEST_F(RoleTableTest, OnlyLiveRecordsTellOfTheConsolesClock) {
    table.liveFrom(0, 5);
    read(Isolation::readCommitted, {lease(4, kNode1, {7, 0}, 1'000)});
    EXPECT_FALSE(entry().skewOf(kNode1));
    read(Isolation::readCommitted, {lease(6, kNode1, {7, 0}, 4'950)}); // arrives at 5,000 on this clock
    ASSERT_TRUE(entry().skewOf(kNode1));
    EXPECT_EQ(entry().skewOf(kNode1)->upperBound, Millis{50});
    EXPECT_EQ(entry().skewOf(kNode1)->reference, SkewReference::console);
}

TEST_F(RoleTableTest, ABrokersTimestampIsTheBetterReference) {
    auto record = lease(6, kNode1, {7, 0}, 4'950);
    record.position.timestampType = TimestampType::logAppendTime;
    record.position.timestamp = wallTime(4'960);
    table.liveFrom(0, 5);
    read(Isolation::readCommitted, {record});
    EXPECT_EQ(entry().skewOf(kNode1)->upperBound, Millis{10});
    EXPECT_EQ(entry().skewOf(kNode1)->reference, SkewReference::broker);
}
