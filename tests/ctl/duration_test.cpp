// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "ctl/duration.h"

namespace bellwether::ctl {

TEST(ParseDuration, KnowsItsUnitsAndSigns) {
    EXPECT_EQ(parseDuration("500ms"), Millis{500});
    EXPECT_EQ(parseDuration("30s"), Millis{30'000});
    EXPECT_EQ(parseDuration("2m"), Millis{120'000});
    EXPECT_EQ(parseDuration("1h"), Millis{3'600'000});
    EXPECT_EQ(parseDuration("-3s"), Millis{-3'000});
    EXPECT_EQ(parseDuration("+250ms"), Millis{250});
    EXPECT_EQ(parseDuration("0"), Millis{0});
    EXPECT_EQ(parseDuration("9223372036854775807ms"), Millis{INT64_MAX});
}

TEST(ParseDuration, RefusesTheRestAndNamesIt) {
    for (const std::string text :
         {"", "s", "30", "30 s", "1.5s", "s30", "--3s", "+-3s", "30S", "30sec", "ms", "-",
          "9223372036854775808ms", "9223372036854775807s", "99999999999999999999h"}) {
        const auto parsed = parseDuration(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_EQ(parsed.error().code, ErrorCode::invalidArgument);
        EXPECT_NE(parsed.error().what.find('"' + text + '"'), std::string::npos) << parsed.error().what;
    }
}

} // namespace bellwether::ctl
