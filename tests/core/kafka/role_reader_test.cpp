// SPDX-License-Identifier: Apache-2.0
#include "kafka/role_reader.h"

#include <gtest/gtest.h>

#include <deque>

#include "coordination/role_partition.h"

namespace bellwether::kafka {
namespace {

constexpr std::int32_t kPartitions = 5;

Role role(std::string_view name) {
    return *Role::of(name);
}

MemberId member(std::string_view name) {
    return *MemberId::of(name);
}

ConsumedRecord recordAt(std::int64_t offset, std::optional<std::string> key, std::optional<std::string> value,
                        std::int32_t partition = rolePartition(role("lead"), kPartitions)) {
    ConsumedRecord record;
    record.position.partition = partition;
    record.position.offset = offset;
    record.key = std::move(key);
    record.value = std::move(value);
    return record;
}

ConsumedRecord registrationAt(std::int64_t offset, std::string_view of, std::string_view name = "lead") {
    const auto who = member(of);
    return recordAt(offset, encodeRegistrationKey(role(name), who),
                    encodeRegistrationValue({who, wallTime(1)}));
}

/// Gives what it is told to, batch by batch; then nothing more.
class ScriptedConsumer final : public LogConsumer {
public:
    Result<std::int32_t> partitionCount(Millis timeout) override {
        static_cast<void>(timeout);
        return count;
    }

    Result<void> assign(const std::vector<PartitionOffset>& start) override {
        assigned.push_back(start);
        return {};
    }

    Result<PollBatch> poll(Millis timeout, std::size_t maxRecords) override {
        static_cast<void>(timeout), static_cast<void>(maxRecords);
        ++polls;
        if (batches.empty()) {
            return PollBatch{};
        }
        auto batch = std::move(batches.front());
        batches.pop_front();
        return batch;
    }

    Result<std::vector<PartitionBounds>> bounds(const std::vector<std::int32_t>& partitions,
                                                Millis timeout) override {
        static_cast<void>(timeout);
        asked = partitions;
        return offsets;
    }

    void wakeUp() override {}

    void close() override {}

    PollBatch& next() { return batches.emplace_back(); }

    Result<std::int32_t> count = kPartitions;
    Result<std::vector<PartitionBounds>> offsets{std::vector<PartitionBounds>{}};
    std::deque<PollBatch> batches;
    std::vector<std::vector<PartitionOffset>> assigned;
    std::vector<std::int32_t> asked;
    int polls = 0;
};

class RoleReader : public testing::Test {
protected:
    void bounds(std::int64_t beginning, std::int64_t end) {
        consumer.offsets = {{{partition, beginning, end}}};
    }

    /// The call's time is over after `polls` looks at the clock.
    Result<std::vector<CoordinationEntry>> read(int looks = 50) {
        return readRole(consumer, role("lead"), "h:9092", "t",
                        [looks]() mutable { return looks-- > 0 ? Millis{1000} : Millis{0}; });
    }

    const std::int32_t partition = rolePartition(role("lead"), kPartitions);
    ScriptedConsumer consumer;
};

TEST_F(RoleReader, ReadsTheRolesPartitionFromItsFirstOffsetAndStopsFetching) {
    bounds(4, 6);
    consumer.next().records = {registrationAt(4, "a"), registrationAt(5, "b")};
    const auto entries = read();
    ASSERT_TRUE(entries) << entries.error().text();
    ASSERT_EQ(entries->size(), 2U);
    EXPECT_EQ(entries->at(1).position.offset, 5);
    EXPECT_EQ(entries->at(1).record.key.member, member("b"));
    EXPECT_EQ(consumer.asked, std::vector{partition});
    ASSERT_EQ(consumer.assigned.size(), 2U);
    EXPECT_EQ(consumer.assigned.front(), (std::vector<PartitionOffset>{{partition, 4}}));
    EXPECT_TRUE(consumer.assigned.back().empty());
}

TEST_F(RoleReader, TheRealPartitionCountDecides) {
    consumer.count = 3;
    const auto other = rolePartition(role("lead"), 3);
    consumer.offsets = {{{other, 0, 0}}};
    EXPECT_TRUE(read());
    EXPECT_EQ(consumer.asked, std::vector{other});
}

TEST_F(RoleReader, AnEmptyPartitionNeedsNoReading) {
    bounds(7, 7);
    const auto entries = read();
    ASSERT_TRUE(entries);
    EXPECT_TRUE(entries->empty());
    EXPECT_EQ(consumer.polls, 0);
}

TEST_F(RoleReader, AControlMarkerOrACompactedHoleAtTheTailEndsWithTheEndOfPartition) {
    bounds(0, 9);
    consumer.next().records = {registrationAt(2, "a")};
    consumer.next().reachedEnd = {{partition, 9}};
    const auto entries = read();
    ASSERT_TRUE(entries) << entries.error().text();
    EXPECT_EQ(entries->size(), 1U);
}

TEST_F(RoleReader, AnEndOfAnotherPartitionOrBelowTheBoundDoesNotCount) {
    bounds(0, 9);
    consumer.next().reachedEnd = {{partition + 1, 9}, {partition, 8}};
    const auto entries = read();
    ASSERT_FALSE(entries);
    EXPECT_EQ(entries.error().code, ErrorCode::incompleteRead);
}

TEST_F(RoleReader, AReadThatDoesNotGetThereIsAnErrorNeverAShorterRoster) {
    bounds(10, 15);
    auto& batch = consumer.next();
    batch.records = {registrationAt(10, "a"), registrationAt(11, "b")};
    Error away;
    away.what = "the broker is away";
    away.hint = "bring it back";
    batch.troubles = {away};
    const auto entries = read();
    ASSERT_FALSE(entries);
    EXPECT_EQ(entries.error().code, ErrorCode::incompleteRead);
    EXPECT_EQ(entries.error().what, "incomplete read, 2 of 5: the broker is away");
    EXPECT_EQ(entries.error().hint, "bring it back");
    EXPECT_NE(entries.error().where.find("role lead, t["), std::string::npos);
    EXPECT_TRUE(consumer.assigned.back().empty());
}

TEST_F(RoleReader, WhatIsAppendedDuringTheReadIsLeftForTheNext) {
    bounds(0, 1);
    consumer.next().records = {registrationAt(0, "a"), registrationAt(1, "b")};
    const auto entries = read();
    ASSERT_TRUE(entries);
    EXPECT_EQ(entries->size(), 1U);
}

TEST_F(RoleReader, AHoleUpToTheBoundIsPassedByTheRecordBehindIt) {
    bounds(0, 5);
    consumer.next().records = {registrationAt(0, "a"), registrationAt(8, "b")};
    const auto entries = read();
    ASSERT_TRUE(entries) << entries.error().text();
    EXPECT_EQ(entries->size(), 1U);
}

TEST_F(RoleReader, OtherRolesAndKeysThatSayNothingDoNotFailTheRead) {
    bounds(0, 6);
    consumer.next().records = {
        registrationAt(0, "a", "other"), recordAt(1, encodeLeaseKey(role("other")), "garbage"),
        recordAt(2, std::nullopt, "x"),  recordAt(3, "garbage", "x"),
        recordAt(4, "", std::nullopt),   registrationAt(5, "b"),
    };
    const auto entries = read();
    ASSERT_TRUE(entries) << entries.error().text();
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().position.offset, 5);
}

TEST_F(RoleReader, ABadRecordOfTheRoleFailsItWithItsPlace) {
    bounds(0, 2);
    consumer.next().records = {registrationAt(0, "a"), recordAt(1, encodeLeaseKey(role("lead")), "garbage")};
    const auto entries = read();
    ASSERT_FALSE(entries);
    EXPECT_EQ(entries.error().code, ErrorCode::undecodable);
    EXPECT_NE(entries.error().where.find("@1"), std::string::npos) << entries.error().where;
    EXPECT_NE(entries.error().what.find("lease value"), std::string::npos) << entries.error().what;
}

TEST_F(RoleReader, TombstonesAreRecords) {
    bounds(0, 2);
    consumer.next().records = {registrationAt(0, "a"),
                               recordAt(1, encodeRegistrationKey(role("lead"), member("a")), std::nullopt)};
    const auto entries = read();
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 2U);
    EXPECT_TRUE(entries->back().record.isTombstone());
}

TEST_F(RoleReader, AMissingTopicAndMissingOffsetsAreTheCallersToHear) {
    consumer.count = fail(ErrorCode::topicMissing, "no topic");
    EXPECT_EQ(read().error().code, ErrorCode::topicMissing);
    consumer.count = kPartitions;
    consumer.offsets = fail(ErrorCode::unreachable, "no leader");
    EXPECT_EQ(read().error().code, ErrorCode::unreachable);
    consumer.offsets = std::vector<PartitionBounds>{};
    EXPECT_EQ(read().error().code, ErrorCode::protocol);
}

} // namespace
} // namespace bellwether::kafka
