// SPDX-License-Identifier: Apache-2.0
#include "coordination/display_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "coordination/utf8.h"

namespace bellwether {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

/// Code points that show as nothing, as blank, or that change how their neighbours show. Sorted.
constexpr std::array kEscaped{
    Range{0x0000, 0x001F},   // C0 controls
    Range{0x005C, 0x005C},   // the backslash
    Range{0x007F, 0x00A0},   // delete, C1 controls, no-break space
    Range{0x00AD, 0x00AD},   // soft hyphen
    Range{0x034F, 0x034F},   // combining grapheme joiner
    Range{0x061C, 0x061C},   // Arabic letter mark
    Range{0x115F, 0x1160},   // Hangul fillers
    Range{0x1680, 0x1680},   // Ogham space
    Range{0x17B4, 0x17B5},   // invisible Khmer vowels
    Range{0x180B, 0x180F},   // Mongolian selectors and vowel separator
    Range{0x2000, 0x200F},   // spaces of every width, zero-width ones, directional marks
    Range{0x2028, 0x202F},   // line and paragraph separators, embeddings and overrides, narrow space
    Range{0x205F, 0x206F},   // mathematical space, invisible operators, isolates
    Range{0x2800, 0x2800},   // blank Braille pattern
    Range{0x3000, 0x3000},   // ideographic space
    Range{0x3164, 0x3164},   // Hangul filler
    Range{0xFDD0, 0xFDEF},   // noncharacters
    Range{0xFE00, 0xFE0F},   // variation selectors
    Range{0xFEFF, 0xFEFF},   // byte order mark
    Range{0xFFA0, 0xFFA0},   // halfwidth Hangul filler
    Range{0xFFF0, 0xFFFC},   // unassigned default ignorables, interlinear annotation, object replacement
    Range{0x13430, 0x1343F}, // Egyptian hieroglyph format controls
    Range{0x1BCA0, 0x1BCA3}, // shorthand format controls
    Range{0x1D173, 0x1D17A}, // musical format controls
    Range{0xE0000, 0xE0FFF}, // tags, more variation selectors
};

bool isEscaped(char32_t value) noexcept {
    if ((value & 0xFFFEU) == 0xFFFEU) { // U+nFFFE and U+nFFFF are no characters in any plane
        return true;
    }
    const auto range =
        std::lower_bound(kEscaped.begin(), kEscaped.end(), value,
                         [](const Range& candidate, char32_t wanted) { return candidate.last < wanted; });
    return range != kEscaped.end() && range->first <= value;
}

void appendEscape(std::string& out, char32_t value) {
    switch (value) {
    case U'\n': out += "\\n"; break;
    case U'\t': out += "\\t"; break;
    case U'\r': out += "\\r"; break;
    case U'\\': out += "\\\\"; break;
    default:
        fmt::format_to(std::back_inserter(out), "\\u{{{:04X}}}", static_cast<std::uint32_t>(value));
        break;
    }
}

std::optional<std::uint32_t> hexNumber(std::string_view digits) noexcept {
    std::uint32_t number = 0;
    const auto* end = digits.data() + digits.size();
    const auto [parsedTo, error] = std::from_chars(digits.data(), end, number, 16);
    if (digits.empty() || error != std::errc{} || parsedTo != end) {
        return std::nullopt;
    }
    return number;
}

/// Reads the escape at the front of `text` (which begins with a backslash) into `out`; returns its length, or
/// nought when it is none.
std::size_t readEscape(std::string_view text, std::string& out) {
    if (text.size() < 2) {
        return 0;
    }
    switch (text[1]) {
    case 'n': out += '\n'; return 2;
    case 't': out += '\t'; return 2;
    case 'r': out += '\r'; return 2;
    case '\\': out += '\\'; return 2;
    case 'x':
        if (text.size() >= 4) {
            if (const auto byte = hexNumber(text.substr(2, 2))) {
                out.push_back(static_cast<char>(static_cast<unsigned char>(*byte)));
                return 4;
            }
        }
        return 0;
    case 'u': {
        const auto close = text.find('}');
        if (text.size() < 5 || text[2] != '{' || close == std::string_view::npos || close > 3 + 6) {
            return 0;
        }
        const auto value = hexNumber(text.substr(3, close - 3));
        if (!value || *value > 0x10FFFF || (*value >= 0xD800 && *value <= 0xDFFF)) {
            return 0;
        }
        detail::appendUtf8(out, static_cast<char32_t>(*value));
        return close + 1;
    }
    default: return 0;
    }
}

bool isDigit(char c) noexcept {
    return c >= '0' && c <= '9';
}

/// The digit run at the front of `text`, cut off it.
std::string_view takeDigits(std::string_view& text) noexcept {
    std::size_t length = 0;
    while (length < text.size() && isDigit(text[length])) {
        ++length;
    }
    const auto run = text.substr(0, length);
    text.remove_prefix(length);
    return run;
}

std::string_view withoutLeadingZeros(std::string_view digits) noexcept {
    const auto first = digits.find_first_not_of('0');
    return first == std::string_view::npos ? std::string_view{} : digits.substr(first);
}

int compareNumbers(std::string_view a, std::string_view b) noexcept {
    const auto left = withoutLeadingZeros(a);
    const auto right = withoutLeadingZeros(b);
    if (left.size() != right.size()) {
        return left.size() < right.size() ? -1 : 1;
    }
    return left.compare(right);
}

} // namespace

std::string displayText(std::string_view bytes) {
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto point = detail::firstCodePoint(bytes);
        if (point.length == 0) {
            fmt::format_to(std::back_inserter(out), "\\x{:02X}", static_cast<unsigned char>(bytes.front()));
            bytes.remove_prefix(1);
            continue;
        }
        if (isEscaped(point.value)) {
            appendEscape(out, point.value);
        } else {
            out += bytes.substr(0, point.length);
        }
        bytes.remove_prefix(point.length);
    }
    return out;
}

std::string fromDisplayText(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto length = text.front() == '\\' ? readEscape(text, out) : 0;
        if (length == 0) {
            out += text.front();
            text.remove_prefix(1);
        } else {
            text.remove_prefix(length);
        }
    }
    return out;
}

int compareNatural(std::string_view a, std::string_view b) noexcept {
    auto left = a;
    auto right = b;
    while (!left.empty() && !right.empty()) {
        if (isDigit(left.front()) && isDigit(right.front())) {
            const auto leftRun = takeDigits(left);
            const auto rightRun = takeDigits(right);
            if (const int order = compareNumbers(leftRun, rightRun); order != 0) {
                return order;
            }
            continue;
        }
        if (left.front() != right.front()) {
            return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front()) ? -1
                                                                                                        : 1;
        }
        left.remove_prefix(1);
        right.remove_prefix(1);
    }
    if (left.empty() != right.empty()) {
        return left.empty() ? -1 : 1;
    }
    return a.compare(b);
}

} // namespace bellwether
