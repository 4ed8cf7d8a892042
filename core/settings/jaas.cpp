// SPDX-License-Identifier: Apache-2.0
#include "settings/jaas.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include <fmt/format.h>

namespace bellwether::settings {

namespace {

class Tokens {
public:
    struct Token {
        enum class Kind { end, word, quoted, symbol } kind = Kind::end;
        std::string text;
        bool closed = true; ///< of quoted: the quote was ended
    };

    explicit Tokens(std::string_view text)
        : rest_(text) {}

    Token next() {
        skipBlanksAndComments();
        if (rest_.empty()) {
            return {};
        }
        const char c = rest_.front();
        if (c == '"' || c == '\'') {
            return quoted(c);
        }
        if (!isWord(c)) {
            rest_.remove_prefix(1);
            return {Token::Kind::symbol, std::string(1, c), true};
        }
        std::size_t size = 0;
        while (size < rest_.size() && isWord(rest_[size])) {
            ++size;
        }
        Token token{Token::Kind::word, std::string(rest_.substr(0, size)), true};
        rest_.remove_prefix(size);
        return token;
    }

private:
    static bool isWord(char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_' ||
               c == '$' || static_cast<unsigned char>(c) >= 0x80;
    }

    void skipBlanksAndComments() {
        while (!rest_.empty()) {
            if (static_cast<unsigned char>(rest_.front()) <= ' ') {
                rest_.remove_prefix(1);
            } else if (rest_.starts_with("//")) {
                rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
            } else if (rest_.starts_with("/*")) {
                const auto end = rest_.find("*/", 2);
                rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
            } else {
                return;
            }
        }
    }

    Token quoted(char quote) {
        rest_.remove_prefix(1);
        Token token{Token::Kind::quoted, {}, false};
        while (!rest_.empty() && rest_.front() != '\n' && rest_.front() != '\r') {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == quote) {
                token.closed = true;
                break;
            }
            token.text += c == '\\' ? escaped() : std::string(1, c);
        }
        return token;
    }

    std::string escaped() {
        if (rest_.empty()) {
            return {};
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        if (c >= '0' && c <= '7') {
            int value = c - '0';
            const std::size_t most = c <= '3' ? 2 : 1;
            for (std::size_t i = 0;
                 i < most && !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '7'; ++i) {
                value = value * 8 + (rest_.front() - '0');
                rest_.remove_prefix(1);
            }
            // Above 127 it is a character of ISO-8859-1, written here in UTF-8.
            return value < 0x80 ? std::string(1, static_cast<char>(value))
                                : std::string{static_cast<char>(0xC0 | (value >> 6)),
                                              static_cast<char>(0x80 | (value & 0x3F))};
        }
        static constexpr std::array<std::pair<char, char>, 7> kNamed{
            {{'a', '\a'}, {'b', '\b'}, {'f', '\f'}, {'n', '\n'}, {'r', '\r'}, {'t', '\t'}, {'v', '\v'}}};
        const auto* named =
            std::find_if(kNamed.begin(), kNamed.end(), [c](const auto& each) { return each.first == c; });
        return {named == kNamed.end() ? c : named->second};
    }

    std::string_view rest_;
};

auto wrong(std::string what, const std::string& where) {
    return fail(
        ErrorCode::invalidArgument, "sasl.jaas.config: " + what, where,
        "write MODULE required name=\"value\" ... ; and inside the quotes \\\" for \" and \\\\ for \\");
}

} // namespace

Result<JaasEntry> parseJaas(std::string_view text, const std::string& where) {
    using Kind = Tokens::Token::Kind;
    Tokens tokens(text);
    JaasEntry entry;
    auto token = tokens.next();
    if (token.kind != Kind::word) {
        return wrong("it begins with no login module", where);
    }
    entry.module = token.text.substr(token.text.rfind('.') + 1);
    token = tokens.next();
    auto flag = token.text;
    std::transform(flag.begin(), flag.end(), flag.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (flag != "required" && flag != "requisite" && flag != "sufficient" && flag != "optional") {
        return wrong(fmt::format("no \"required\" behind {}", entry.module), where);
    }
    for (token = tokens.next(); token.kind == Kind::word || token.kind == Kind::quoted;
         token = tokens.next()) {
        const auto name = token.text;
        if (const auto equals = tokens.next(); equals.kind != Kind::symbol || equals.text != "=") {
            return wrong(fmt::format("no = behind the option {}", name), where);
        }
        const auto value = tokens.next();
        if (value.kind != Kind::word && value.kind != Kind::quoted) {
            return wrong(fmt::format("the option {} has no value, or one that needs quotes", name), where);
        }
        if (!value.closed) {
            return wrong(fmt::format("the quotes of the option {} are not closed", name), where);
        }
        entry.options[name] = value.text;
    }
    if (token.kind != Kind::symbol || token.text != ";") {
        return wrong(token.kind == Kind::end
                         ? std::string("no ; at its end")
                         : fmt::format("an unexpected {}, is a value without quotes?", token.text),
                     where);
    }
    if (tokens.next().kind != Kind::end) {
        return wrong("more than one login module", where);
    }
    return entry;
}

} // namespace bellwether::settings
