// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kafka/wire/sasl_oauth.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::string_view kProperty = "sasl.oauthbearer.config";

auto refuse(std::string what) {
    return fail(ErrorCode::invalidArgument, fmt::format("property \"{}\": {}", kProperty, std::move(what)),
                {}, "write e.g. principal=ann scope=a,b lifeSeconds=3600 extension_team=blue");
}

/// Without padding (RFC 7515, appendix C).
std::string base64Url(std::string_view bytes) {
    static constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    std::string out;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : bytes) {
        bits = (bits << 8) | static_cast<unsigned char>(c);
        for (count += 8; count >= 6; count -= 6) {
            out += kDigits[(bits >> (count - 6)) & 0x3F];
        }
    }
    if (count > 0) {
        out += kDigits[(bits << (6 - count)) & 0x3F];
    }
    return out;
}

std::vector<std::string> splitAt(std::string_view text, char separator) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        const auto end = text.find(separator);
        if (end != 0) {
            parts.emplace_back(text.substr(0, end));
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return parts;
}

} // namespace

Result<void> checkExtension(std::string_view property, const std::string& name, const std::string& value) {
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto isPrintable = [](char c) {
        return (c >= 0x20 && c <= 0x7E) || c == '\t' || c == '\r' || c == '\n';
    };
    if (name.empty() || name == "auth" || !std::all_of(name.begin(), name.end(), isLetter)) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("property \"{}\": \"{}\" is no name of a SASL extension", property, name), {},
                    "use letters only, and not the word auth");
    }
    if (value.empty() || !std::all_of(value.begin(), value.end(), isPrintable)) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("property \"{}\": the extension \"{}\" has no printable value", property, name), {},
            "write name=value in ASCII");
    }
    return {};
}

Result<UnsecuredTokenSettings> parseUnsecuredToken(std::string_view text) {
    UnsecuredTokenSettings out;
    for (const auto& part : splitAt(text, ' ')) {
        const auto equals = part.find('=');
        const auto name = part.substr(0, equals);
        const auto value = equals == std::string::npos ? std::string{} : part.substr(equals + 1);
        if (value.empty()) {
            return refuse(fmt::format("\"{}\" has no value", name));
        }
        if (name == "principal") {
            out.principal = value;
        } else if (name == "principalClaimName") {
            out.principalClaimName = value;
        } else if (name == "scopeClaimName") {
            out.scopeClaimName = value;
        } else if (name == "scope") {
            out.scope = splitAt(value, ',');
        } else if (name == "lifeSeconds") {
            const auto [end, failure] =
                std::from_chars(value.data(), value.data() + value.size(), out.lifeSeconds);
            if (failure != std::errc{} || end != value.data() + value.size() || out.lifeSeconds < 1 ||
                out.lifeSeconds > 2'147'483'647) {
                return refuse(fmt::format("lifeSeconds={} is no number of seconds", value));
            }
        } else if (constexpr std::string_view kPrefix = "extension_"; name.rfind(kPrefix, 0) == 0) {
            const auto extension = name.substr(kPrefix.size());
            if (auto legal = checkExtension(kProperty, extension, value); !legal) {
                return fail(std::move(legal).error());
            }
            out.extensions[extension] = value;
        } else {
            return refuse(fmt::format("\"{}\" is not known", name));
        }
    }
    if (out.principal.empty()) {
        return refuse("principal is missing");
    }
    const auto isTime = [](const std::string& claim) { return claim == "iat" || claim == "exp"; };
    if (isTime(out.principalClaimName) || isTime(out.scopeClaimName) ||
        out.principalClaimName == out.scopeClaimName) {
        return refuse("the claims of principal and scope need names of their own");
    }
    return out;
}

OauthToken makeUnsecuredToken(const UnsecuredTokenSettings& settings, WallTime now) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
    nlohmann::json claims;
    claims[settings.principalClaimName] = settings.principal;
    claims["iat"] = seconds;
    claims["exp"] = seconds + settings.lifeSeconds;
    if (!settings.scope.empty()) {
        claims[settings.scopeClaimName] = settings.scope;
    }
    constexpr auto kReplace = nlohmann::json::error_handler_t::replace; // a name that is not UTF-8
    OauthToken out;
    out.token = base64Url(R"({"alg":"none"})") + "." + base64Url(claims.dump(-1, ' ', false, kReplace)) + ".";
    out.principal = settings.principal;
    out.expires = WallTime{std::chrono::seconds{seconds + settings.lifeSeconds}};
    out.extensions = settings.extensions;
    return out;
}

} // namespace bellwether::kafka::wire
