// SPDX-License-Identifier: Apache-2.0
#include "unknown_property.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "kafka/kafka_config.h"
#include "settings/java_names.h"

namespace bellwether::app {

namespace {

constexpr std::size_t kFarthest = 3; // further away is another word

/// First words of names of security.
constexpr std::array<std::string_view, 4> kSecurityWords{"ssl", "sasl", "security", "https"};

/// Files of Connect, of MirrorMaker and of frameworks speak of several clients; a schema registry is none.
constexpr std::array<std::string_view, 9> kClients{"producer", "consumer", "admin",  "client", "kafka",
                                                   "source",   "target",   "spring", "streams"};

std::string normalized(std::string_view name) {
    std::string out;
    for (const char c : name) {
        out += c == '_' || c == '-' ? '.' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
    return out;
}

bool isOfSecurity(std::string_view name) {
    const auto word = name.substr(0, name.find('.'));
    return std::find(kSecurityWords.begin(), kSecurityWords.end(), word) != kSecurityWords.end() ||
           name.starts_with("enable.ssl.") || name.starts_with("enable.sasl.");
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

} // namespace

Likeness likenessOf(const std::string& name) {
    Likeness out;
    const auto meant = normalized(name.substr(0, 256));
    std::size_t least = kFarthest + 1;
    const auto consider = [&](const std::string& known, bool ofJava) {
        if (const auto distance = editDistance(meant, known); distance < least) {
            least = distance;
            out.nearest = known;
            out.ofJava = ofJava && known == name;
        }
    };
    for (const auto& known : kafka::propertyNames()) {
        consider(known, false);
    }
    for (const auto& known : settings::javaSecurityNames()) {
        consider(known, true);
    }
    out.ofSecurity = isOfSecurity(meant) || isOfSecurity(out.nearest);
    const auto prefix = std::string_view(meant).substr(0, meant.find('.'));
    if (std::find(kClients.begin(), kClients.end(), prefix) != kClients.end()) {
        for (auto dot = meant.find('.'); dot != std::string::npos; dot = meant.find('.', dot + 1)) {
            if (auto rest = meant.substr(dot + 1); isOfSecurity(rest)) {
                out.behindPrefix = std::move(rest);
                break;
            }
        }
    }
    return out;
}

} // namespace bellwether::app
