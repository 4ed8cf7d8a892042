// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ctl/member_event.h"

namespace bellwether::ctl {

namespace {

struct Printed {
    std::istringstream in;
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal{in, out, err};
};

MemberEvent leading() {
    MemberEvent event;
    event.kind = MemberEventKind::leading;
    event.at = wallTime(1'700'000'000'000);
    event.token = FencingToken{9'007'199'254'740'993, 7};
    event.until = wallTime(1'700'000'030'000);
    event.detail = "why";
    return event;
}

} // namespace

TEST(PrintEvents, TextIsOneLineWithEveryPart) {
    Printed printed;
    auto sink = printEvents(printed.terminal, Format::text, *Role::of("ctrl"), *MemberId::of("node-1"));
    EXPECT_TRUE(sink(leading()));
    EXPECT_EQ(printed.out.str(), "2023-11-14T22:13:20.000Z ctrl node-1 9007199254740993:7 leading until "
                                 "2023-11-14T22:13:50.000Z (why)\n");
}

TEST(PrintEvents, NamesCannotBreakTheLine) {
    Printed printed;
    auto sink = printEvents(printed.terminal, Format::text, *Role::of("a\nb"), *MemberId::of("\x1b[31m"));
    MemberEvent event;
    event.kind = MemberEventKind::registered;
    event.at = wallTime(0);
    EXPECT_TRUE(sink(event));
    const std::string line = printed.out.str();
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1);
    EXPECT_EQ(line.find('\x1b'), std::string::npos);
    EXPECT_NE(line.find(" - registered"), std::string::npos) << line;
}

TEST(PrintEvents, JsonKeepsEveryDigitAndSaysNullForAbsent) {
    Printed printed;
    auto sink = printEvents(printed.terminal, Format::jsonl, *Role::of("a\nb"), *MemberId::of("node-1"));
    EXPECT_TRUE(sink(leading()));
    MemberEvent bare;
    bare.kind = MemberEventKind::lostRace;
    EXPECT_TRUE(sink(bare));
    std::istringstream lines(printed.out.str());
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const auto first = nlohmann::json::parse(line);
    EXPECT_EQ(first.at("token"), "9007199254740993:7");
    EXPECT_EQ(first.at("role"), "a\nb");
    EXPECT_EQ(first.at("event"), "leading");
    EXPECT_EQ(first.at("at"), 1'700'000'000'000);
    EXPECT_EQ(first.at("until"), 1'700'000'030'000);
    EXPECT_EQ(first.at("time"), "2023-11-14T22:13:20.000Z");
    ASSERT_TRUE(std::getline(lines, line));
    const auto second = nlohmann::json::parse(line);
    EXPECT_EQ(second.at("event"), "lost_race");
    EXPECT_TRUE(second.at("token").is_null());
    EXPECT_TRUE(second.at("until").is_null());
}

TEST(PrintEvents, SaysWhenNobodyReadsAnyMore) {
    Printed printed;
    auto sink = printEvents(printed.terminal, Format::text, *Role::of("ctrl"), *MemberId::of("node-1"));
    printed.out.setstate(std::ios::badbit);
    EXPECT_FALSE(sink(leading()));
}

} // namespace bellwether::ctl
