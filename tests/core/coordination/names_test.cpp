// SPDX-License-Identifier: Apache-2.0
// Names are data: which are legal, how they show, how they sort.
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordination/display_text.h"
#include "coordination/fencing_token.h"
#include "coordination/ids.h"
#include "coordination/result.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing_support::below;
using testing_support::randomBytes;
using testing_support::randomName;

TEST(Utf8, WellFormedSequences) {
    for (const std::string text :
         {"", "plain", "\x7F", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
          "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
        EXPECT_TRUE(isUtf8(text)) << displayText(text);
    }
    EXPECT_TRUE(isUtf8(std::string(3, '\0')));
}

TEST(Utf8, IllFormedSequences) {
    const std::vector<std::pair<std::string, std::string>> bad{
        {"lone continuation", "\x80"},
        {"overlong slash, two bytes", "\xC0\xAF"},
        {"overlong, C1", "\xC1\xBF"},
        {"overlong, three bytes", "\xE0\x9F\xBF"},
        {"overlong, four bytes", "\xF0\x8F\xBF\xBF"},
        {"overlong nought", "\xC0\x80"},
        {"first surrogate", "\xED\xA0\x80"},
        {"last surrogate", "\xED\xBF\xBF"},
        {"surrogate pair", "\xED\xA0\xBD\xED\xB0\x8F"},
        {"above U+10FFFF", "\xF4\x90\x80\x80"},
        {"lead F5", "\xF5\x80\x80\x80"},
        {"five-byte form", "\xF8\x88\x80\x80\x80"},
        {"FE", "\xFE"},
        {"FF", "\xFF"},
        {"two-byte cut", "\xC3"},
        {"three-byte cut", "\xE2\x82"},
        {"four-byte cut", "\xF0\x9F\x90"},
        {"cut in front of ASCII", "\xE2\x82z"},
        {"lead in front of lead", "\xC3\xC3\xA9"},
        {"C3 28", "\xC3\x28"},
    };
    for (const auto& [what, bytes] : bad) {
        EXPECT_FALSE(isUtf8(bytes)) << what;
        EXPECT_FALSE(isUtf8("ab" + bytes)) << what;
        EXPECT_FALSE(isUtf8(bytes + "yz")) << what;
        EXPECT_EQ(nameProblem(bytes), "not UTF-8") << what;
    }
}

/// All three-byte patterns with a given lead, against the rule of RFC 3629 written the other way round.
TEST(Utf8, ThreeByteSequencesExhaustively) {
    for (unsigned lead = 0xE0; lead <= 0xEF; ++lead) {
        for (unsigned second = 0; second < 256; ++second) {
            const std::string text{static_cast<char>(lead), static_cast<char>(second), '\x80'};
            const unsigned least = lead == 0xE0 ? 0xA0 : 0x80;
            const unsigned most = lead == 0xED ? 0x9F : 0xBF;
            EXPECT_EQ(isUtf8(text), second >= least && second <= most) << displayText(text);
        }
    }
}

TEST(Names, BoundsAndReasons) {
    EXPECT_TRUE(Role::of("r"));
    EXPECT_TRUE(MemberId::of(std::string(249, 'm')));
    EXPECT_EQ(nameProblem(""), "empty");
    EXPECT_EQ(nameProblem(std::string(250, 'm')), "longer than 249 bytes");
    EXPECT_EQ(nameProblem("ok"), "");
    const auto bad = Role::of("");
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().code, ErrorCode::invalidArgument);
    EXPECT_EQ(bad.error().what, "role name is empty");
    EXPECT_EQ(MemberId::of("\xFF").error().what, "member name is not UTF-8");
    // 249 bytes are counted, not characters.
    std::string wide;
    for (int i = 0; i < 84; ++i) {
        wide += "\xE2\x82\xAC";
    }
    EXPECT_FALSE(Role::of(wide));
    EXPECT_TRUE(Role::of(wide.substr(3)));
}

TEST(Names, OrderIsByBytesAsUnsigned) {
    EXPECT_LT(Role::of("a").value(), Role::of("b").value());
    EXPECT_LT(Role::of("z").value(), Role::of("\xC3\xA9").value());
}

TEST(DisplayText, WhatIsEscaped) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"plain node-1 (a)", "plain node-1 (a)"},
        {"gr\xC3\xBC\xC3\x9F \xE7\xBE\x8A \xF0\x9F\x90\x8F",
         "gr\xC3\xBC\xC3\x9F \xE7\xBE\x8A \xF0\x9F\x90\x8F"},
        {"line\nbreak\ttab\rreturn", "line\\nbreak\\ttab\\rreturn"},
        {"back\\slash", "back\\\\slash"},
        {"\\n", "\\\\n"},
        {std::string("nul\0", 4), "nul\\u{0000}"},
        {"\x1B[2J", "\\u{001B}[2J"},
        {"\x7F", "\\u{007F}"},
        {"\xC2\x9B", "\\u{009B}"},
        {"\xC2\xA0", "\\u{00A0}"},
        {"\xC2\xAD", "\\u{00AD}"},
        {"a\xE2\x80\xAE"
         "b",
         "a\\u{202E}b"},
        {"\xE2\x80\x8B\xE2\x80\x8D\xE2\x80\x8F", "\\u{200B}\\u{200D}\\u{200F}"},
        {"\xE2\x80\xA8\xE2\x80\xA9", "\\u{2028}\\u{2029}"},
        {"\xE2\x81\xA6\xE2\x81\xA9", "\\u{2066}\\u{2069}"},
        {"\xD8\x9C", "\\u{061C}"},
        {"\xEF\xBB\xBF", "\\u{FEFF}"},
        {"\xE3\x85\xA4", "\\u{3164}"},
        {"\xE3\x80\x80", "\\u{3000}"},
        {"\xEF\xBF\xBE", "\\u{FFFE}"},
        {"\xF3\xA0\x81\xA1", "\\u{E0061}"},
        {"\xF4\x8F\xBF\xBF", "\\u{10FFFF}"},
        {"\xC3\x28", "\\xC3("},
        {"\xED\xA0\x80", "\\xED\\xA0\\x80"},
        {"\xE2\x82", "\\xE2\\x82"},
        {"", ""},
    };
    for (const auto& [bytes, text] : cases) {
        EXPECT_EQ(displayText(bytes), text);
        EXPECT_EQ(fromDisplayText(text), bytes) << text;
    }
}

TEST(DisplayText, WhatIsNoEscapeIsTakenLiterally) {
    for (const std::string text :
         {"\\", "\\q", "\\x", "\\x1", "\\xZZ", "\\x1Z", "\\u", "\\u{", "\\u{}", "\\u{41", "\\u{110000}",
          "\\u{D800}", "\\u{DFFF}", "\\u{0000041}", "\\u{+41}", "\\u{ 41}", "\\u0041", "\\N"}) {
        EXPECT_EQ(fromDisplayText(text), text);
    }
    EXPECT_EQ(fromDisplayText("\\u{41}\\u{000041}\\x41"), "AAA");
    EXPECT_EQ(fromDisplayText("\\u{1F40F}"), "\xF0\x9F\x90\x8F");
}

/// True when every code point of the text may stand on a line: no control, nothing invisible, well-formed.
bool isPrintable(const std::string& text) {
    return isUtf8(text) && std::none_of(text.begin(), text.end(), [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return byte < 0x20 || byte == 0x7F;
           });
}

TEST(DisplayText, AnyBytesRoundTripAndArePrintable) {
    std::mt19937_64 random(7);
    for (int i = 0; i < 30'000; ++i) {
        auto bytes = i % 2 == 0 ? randomBytes(random, 60) : randomName(random, 60);
        for (std::uint64_t extra = below(random, 3); extra > 0; --extra) {
            constexpr std::string_view kPieces[] = {"\\", "\\n", "\\u{41}", "\\x41", "\xE2\x80", "{", "}"};
            bytes.insert(below(random, bytes.size() + 1), kPieces[below(random, std::size(kPieces))]);
        }
        const auto text = displayText(bytes);
        ASSERT_EQ(fromDisplayText(text), bytes) << text;
        ASSERT_TRUE(isPrintable(text)) << text;
    }
}

TEST(DisplayText, DifferentBytesNeverShowTheSame) {
    for (unsigned first = 0; first < 256; ++first) {
        const std::string one(1, static_cast<char>(first));
        EXPECT_EQ(fromDisplayText(displayText(one)), one);
        for (unsigned second = 0; second < 256; ++second) {
            const auto two = one + static_cast<char>(second);
            EXPECT_EQ(fromDisplayText(displayText(two)), two);
        }
    }
}

TEST(NaturalOrder, Examples) {
    // Equal numbers of different length ("02" and "2") fall back to bytes, after everything else is equal.
    const std::vector<std::string> sorted{"",
                                          "0",
                                          "00",
                                          "01",
                                          "1",
                                          "2",
                                          "10",
                                          "a",
                                          "a1",
                                          "a1b",
                                          "a2",
                                          "a10",
                                          "a10b2",
                                          "a10b10",
                                          "node-",
                                          "node-02",
                                          "node-2",
                                          "node-02a",
                                          "node-2b",
                                          "node-10",
                                          "node-10a",
                                          "node-99999999999999999999",
                                          "node-100000000000000000000",
                                          "nodes",
                                          "z",
                                          "\xC3\xA9"};
    const auto sign = [](int value) { return (value > 0) - (value < 0); };
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        for (std::size_t j = 0; j < sorted.size(); ++j) {
            const int wanted = i == j ? 0 : (i < j ? -1 : 1);
            EXPECT_EQ(sign(compareNatural(sorted[i], sorted[j])), wanted) << sorted[i] << " / " << sorted[j];
        }
    }
}

TEST(NaturalOrder, IsATotalOrder) {
    std::mt19937_64 random(11);
    const auto word = [&random] {
        std::string text;
        for (std::uint64_t i = below(random, 6); i > 0; --i) {
            text += "0019a-\xC3"[below(random, 7)];
        }
        return text;
    };
    for (int i = 0; i < 20'000; ++i) {
        const auto a = word();
        const auto b = word();
        const auto c = word();
        ASSERT_EQ(compareNatural(a, b) == 0, a == b) << a << " / " << b;
        ASSERT_EQ(compareNatural(a, b) < 0, compareNatural(b, a) > 0) << a << " / " << b;
        if (compareNatural(a, b) < 0 && compareNatural(b, c) < 0) {
            ASSERT_LT(compareNatural(a, c), 0) << a << " / " << b << " / " << c;
        }
    }
}

TEST(Token, ParseTakesExactlyWhatTextWrites) {
    for (const std::string text :
         {"-1:-1", "0:0", "4242:7", "9007199254740993:32767", "9223372036854775807:0"}) {
        const auto token = FencingToken::parse(text);
        ASSERT_TRUE(token) << text;
        EXPECT_EQ(token->text(), text);
    }
    for (const std::string text : {"",     ":",    "1",     "1:",    ":1",      "1:1:1",
                                   "-1:0", "0:-1", "-1:-2", "-2:-1", "1:32768", "9223372036854775808:0",
                                   "+1:1", "1:+1", " 1:1",  "1: 1",  "1:1 ",    "01:1",
                                   "1:01", "-0:0", "0x1:1", "1.0:1", "a:b"}) {
        const auto token = FencingToken::parse(text);
        ASSERT_FALSE(token) << text;
        EXPECT_EQ(token.error().code, ErrorCode::invalidArgument);
    }
    EXPECT_TRUE(FencingToken::none().isNone());
    EXPECT_FALSE((FencingToken{0, 0}).isNone());
}

TEST(ErrorText, ThreeParts) {
    EXPECT_EQ(
        (Error{.code = ErrorCode::timeout, .what = "no answer", .where = "h:1", .hint = "try later"}).text(),
        "no answer (h:1): try later");
    EXPECT_EQ(
        (Error{.code = ErrorCode::timeout, .what = "no answer", .where = "", .hint = "try later"}).text(),
        "no answer: try later");
    EXPECT_EQ((Error{.code = ErrorCode::timeout, .what = "no answer", .where = "h:1", .hint = ""}).text(),
              "no answer (h:1)");
}

TEST(ErrorText, EveryCodeHasANameOfItsOwn) {
    std::vector<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(ErrorCode::internal); ++code) {
        names.push_back(toString(static_cast<ErrorCode>(code)));
        EXPECT_FALSE(names.back().empty());
        EXPECT_EQ(names.back().find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
    }
    std::sort(names.begin(), names.end());
    EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
    EXPECT_EQ(toString(ErrorCode::topicMissing), "topic_missing");
}

} // namespace
} // namespace bellwether
