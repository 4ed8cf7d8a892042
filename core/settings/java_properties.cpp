// SPDX-License-Identifier: Apache-2.0
#include "settings/java_properties.h"

#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace bellwether::settings {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

void appendUtf8(std::string& out, std::uint32_t point) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0U | (point >> 6U)), put(0x80U | (point & 0x3FU));
    } else if (point < 0x10000) {
        put(0xE0U | (point >> 12U)), put(0x80U | ((point >> 6U) & 0x3FU)), put(0x80U | (point & 0x3FU));
    } else {
        put(0xF0U | (point >> 18U)), put(0x80U | ((point >> 12U) & 0x3FU));
        put(0x80U | ((point >> 6U) & 0x3FU)), put(0x80U | (point & 0x3FU));
    }
}

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\f';
}

/// The lines of a file with their numbers; \n, \r\n and \r end one.
class Lines {
public:
    explicit Lines(std::string_view text)
        : rest_(text) {}

    std::optional<std::string_view> next() {
        if (rest_.empty()) {
            return std::nullopt;
        }
        ++number_;
        const auto end = rest_.find_first_of("\r\n");
        const auto line = rest_.substr(0, end);
        if (end == std::string_view::npos) {
            rest_ = {};
        } else {
            const bool pair = rest_.substr(end, 2) == "\r\n";
            rest_.remove_prefix(end + (pair ? 2 : 1));
        }
        return line;
    }

    [[nodiscard]] int number() const noexcept { return number_; }

private:
    std::string_view rest_;
    int number_ = 0;
};

/// The line goes on: it ends in an odd number of backslashes.
bool continues(std::string_view line) {
    const auto last = line.find_last_not_of('\\');
    const auto slashes = last == std::string_view::npos ? line.size() : line.size() - last - 1;
    return slashes % 2 == 1;
}

std::string_view withoutBlanksInFront(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    return text;
}

/// Undoes escapes; `raw` is ISO-8859-1, surrogate pairs become one character.
Result<std::string> unescaped(std::string_view raw, std::string_view where) {
    std::string out;
    std::uint32_t high = 0; // a surrogate that waits for its other half
    const auto unit = [&](std::uint32_t value) {
        if (high != 0 && value >= 0xDC00 && value < 0xE000) {
            appendUtf8(out, 0x10000U + ((high - 0xD800U) << 10U) + (value - 0xDC00U));
            high = 0;
            return;
        }
        if (high != 0) {
            out += '?'; // as Java encodes half a pair
            high = 0;
        }
        if (value >= 0xD800 && value < 0xDC00) {
            high = value;
        } else if (value >= 0xDC00 && value < 0xE000) {
            out += '?';
        } else {
            appendUtf8(out, value);
        }
    };
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const auto c = static_cast<unsigned char>(raw[i]);
        if (c != '\\') {
            unit(c);
            continue;
        }
        if (++i == raw.size()) {
            break;
        }
        switch (raw[i]) {
        case 't': unit('\t'); break;
        case 'n': unit('\n'); break;
        case 'r': unit('\r'); break;
        case 'f': unit('\f'); break;
        case 'u': {
            const auto digits = raw.substr(i + 1, 4);
            if (digits.size() < 4 ||
                digits.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos) {
                return fail(ErrorCode::invalidArgument, "\\u without four hexadecimal digits",
                            std::string(where),
                            "write a backslash in a Java properties file twice, or name the file's form");
            }
            unit(static_cast<std::uint32_t>(std::stoul(std::string(digits), nullptr, 16)));
            i += 4;
            break;
        }
        default: unit(static_cast<unsigned char>(raw[i])); break;
        }
    }
    if (high != 0) {
        out += '?';
    }
    return out;
}

std::size_t endOfName(std::string_view line) {
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\\') {
            ++i;
        } else if (line[i] == '=' || line[i] == ':' || isBlank(line[i])) {
            return i;
        }
    }
    return line.size();
}

} // namespace

Result<Properties> parseJavaProperties(std::string_view bytes, std::string_view file) {
    Properties out;
    if (bytes.starts_with(kByteOrderMark)) {
        bytes.remove_prefix(kByteOrderMark.size());
    }
    Lines lines(bytes);
    while (const auto first = lines.next()) {
        auto line = std::string(withoutBlanksInFront(*first));
        if (line.empty() || line.front() == '#' || line.front() == '!') {
            continue;
        }
        const auto where = fmt::format("{}:{}", file, lines.number());
        while (continues(line)) {
            line.pop_back();
            const auto more = lines.next();
            if (!more) {
                break;
            }
            line += withoutBlanksInFront(*more);
        }
        const auto split = endOfName(line);
        auto rest = withoutBlanksInFront(std::string_view(line).substr(split));
        if (!rest.empty() && (rest.front() == '=' || rest.front() == ':')) {
            rest = withoutBlanksInFront(rest.substr(1));
        }
        auto name = unescaped(std::string_view(line).substr(0, split), where);
        auto value = unescaped(rest, where);
        if (!name || !value) {
            return fail(name ? std::move(value).error() : std::move(name).error());
        }
        out.push_back({std::move(*name), std::move(*value), where});
    }
    return out;
}

Result<Properties> parsePlainProperties(std::string_view bytes, std::string_view file) {
    const auto trimmed = [](std::string_view part) {
        constexpr std::string_view kBlank = " \t\r";
        const auto first = part.find_first_not_of(kBlank);
        return first == std::string_view::npos
                   ? std::string_view{}
                   : part.substr(first, part.find_last_not_of(kBlank) - first + 1);
    };
    Properties out;
    int number = 0;
    if (bytes.starts_with(kByteOrderMark)) {
        bytes.remove_prefix(kByteOrderMark.size());
    }
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const auto line = trimmed(bytes.substr(0, end));
        bytes = end == std::string_view::npos ? std::string_view{} : bytes.substr(end + 1);
        ++number;
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const auto where = fmt::format("{}:{}", file, number);
        const auto equals = line.find('=');
        const auto name = trimmed(line.substr(0, equals));
        if (equals == std::string_view::npos || name.empty()) {
            // The line is not repeated: it may hold a password.
            return fail(ErrorCode::invalidArgument, "not a property of the form name=value", where,
                        "write one name=value per line, # begins a comment");
        }
        out.push_back({std::string(name), std::string(trimmed(line.substr(equals + 1))), where});
    }
    return out;
}

} // namespace bellwether::settings
