// SPDX-License-Identifier: Apache-2.0
#include "feed/timeline_lane.h"

#include <gtest/gtest.h>

#include "feed/watch_clock.h"

using namespace bellwether;
using namespace bellwether::feed;

namespace {

const MemberId kNode1 = *MemberId::of("node-1");
const MemberId kNode2 = *MemberId::of("node-2");

Verdict led(const MemberId& member, FencingToken token, VerdictKind kind = VerdictKind::authoritative) {
    Verdict verdict;
    verdict.kind = kind;
    verdict.holder = member;
    verdict.token = token;
    return verdict;
}

Verdict of(VerdictKind kind) {
    Verdict verdict;
    verdict.kind = kind;
    return verdict;
}

} // namespace

TEST(LaneBuilder, EqualNeighboursAreOneSegment) {
    LaneBuilder lane(*Role::of("r"));
    lane.note(led(kNode1, {7, 0}), wallTime(10));
    const auto before = lane.lane();
    lane.note(led(kNode1, {7, 0}), wallTime(20));
    lane.note(led(kNode1, {7, 0}, VerdictKind::overdue), wallTime(30));
    EXPECT_EQ(lane.lane(), before);
    ASSERT_EQ(before->segments.size(), 1U);
    EXPECT_TRUE(before->segments[0].beganBefore);
    EXPECT_EQ(before->segments[0].from, wallTime(10));
    EXPECT_FALSE(before->segments[0].to);
}

TEST(LaneBuilder, AFailoverIsThreeSegmentsWithoutGapsAndOldLanesStay) {
    LaneBuilder lane(*Role::of("r"));
    lane.note(led(kNode1, {7, 0}), wallTime(10));
    const auto before = lane.lane();
    lane.note(of(VerdictKind::claimed), wallTime(50));
    lane.note(of(VerdictKind::claiming), wallTime(55));
    lane.note(led(kNode2, {7, 1}), wallTime(60));
    const auto& segments = lane.lane()->segments;
    ASSERT_EQ(segments.size(), 3U);
    EXPECT_EQ(segments[0].to, wallTime(50));
    EXPECT_EQ(segments[1].kind, SegmentKind::changing);
    EXPECT_EQ(segments[1].to, segments[2].from);
    EXPECT_EQ(segments[2].holder, kNode2);
    EXPECT_FALSE(segments[2].beganBefore);
    EXPECT_FALSE(before->segments[0].to);
}

TEST(LaneBuilder, TheSameMemberUnderANewTokenIsANewSegment) {
    LaneBuilder lane(*Role::of("r"));
    lane.note(led(kNode1, {7, 0}), wallTime(10));
    lane.note(led(kNode1, {7, 1}), wallTime(20));
    EXPECT_EQ(lane.lane()->segments.size(), 2U);
}

TEST(LaneBuilder, TimeNotObservedIsASegmentOnlyAfterTheFirstVerdict) {
    LaneBuilder lane(*Role::of("r"));
    lane.note(of(VerdictKind::unknown), wallTime(1));
    EXPECT_TRUE(lane.lane()->segments.empty());
    lane.note(of(VerdictKind::vacant), wallTime(5));
    lane.note(of(VerdictKind::unknown), wallTime(9));
    ASSERT_EQ(lane.lane()->segments.size(), 2U);
    EXPECT_EQ(lane.lane()->segments[1].kind, SegmentKind::notObserved);
}

TEST(LaneBuilder, ASteppedClockNeverMakesASegmentEndBeforeItBegan) {
    LaneBuilder lane(*Role::of("r"));
    lane.note(led(kNode1, {7, 0}), wallTime(1'000));
    lane.note(of(VerdictKind::vacant), wallTime(400));
    const auto& segments = lane.lane()->segments;
    ASSERT_EQ(segments.size(), 2U);
    EXPECT_EQ(segments[0].to, wallTime(1'000));
    EXPECT_EQ(segments[1].from, wallTime(1'000));
}

TEST(WatchClock, AStepIsNoticedAndForgottenAgain) {
    WatchClock watch;
    const auto steady = [](std::int64_t ms) { return SteadyTime{Millis{ms}}; };
    watch.note(wallTime(100'000), steady(0));
    watch.note(wallTime(101'000), steady(1'000));
    EXPECT_FALSE(watch.stepped(steady(1'000)));
    watch.note(wallTime(102'300), steady(2'000)); // 300 ms of slewing is no step
    EXPECT_FALSE(watch.stepped(steady(2'000)));
    watch.note(wallTime(108'300), steady(3'000));
    EXPECT_TRUE(watch.stepped(steady(3'000)));
    watch.note(wallTime(109'300), steady(4'000));
    EXPECT_TRUE(watch.stepped(steady(62'999)));
    EXPECT_FALSE(watch.stepped(steady(63'000)));
    watch.note(wallTime(109'300 - 3'600'000), steady(70'000)); // an hour back
    EXPECT_TRUE(watch.stepped(steady(70'000)));
}
