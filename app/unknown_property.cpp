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

/// What names of security begin with, however they go on (sslEnabled).
constexpr std::array<std::string_view, 7> kOfSecurity{"ssl",  "sasl",       "security",   "tls",
                                                      "jaas", "enable.ssl", "enable.sasl"};

/// Last words of such names that say enough by themselves.
constexpr std::array<std::string_view, 5> kTelling{"protocol", "mechanism", "mechanisms", "username",
                                                   "password"};

/// Files of Connect, of MirrorMaker and of frameworks speak of several clients; a schema registry is none.
constexpr std::array<std::string_view, 9> kClients{"producer", "consumer", "admin",  "client", "kafka",
                                                   "source",   "target",   "spring", "streams"};

/// As typing goes: no case, some mark for a dot, and nothing of what cannot be seen (a byte order mark, say).
std::string normalized(std::string_view name) {
    constexpr std::string_view kDots = "_-./: \t";
    std::string out;
    for (const char c : name) {
        if (kDots.find(c) != std::string_view::npos) {
            out += out.empty() ? "" : ".";
        } else if (c > ' ' && c < 0x7F) {
            out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        }
    }
    return out;
}

bool isOfSecurity(std::string_view name) {
    return name.starts_with("https.") || std::any_of(kOfSecurity.begin(), kOfSecurity.end(),
                                                     [&](auto word) { return name.starts_with(word); });
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

struct Known {
    std::string name;
    bool onlyJava = false;
};

/// librdkafka's first.
std::vector<Known> knownNames() {
    std::vector<Known> out;
    for (auto& name : kafka::propertyNames()) {
        out.push_back({std::move(name), false});
    }
    for (auto& name : settings::javaSecurityNames()) {
        out.push_back({std::move(name), true});
    }
    return out;
}

const Known* nearestTo(std::string_view meant, const std::vector<Known>& names) {
    const Known* nearest = nullptr;
    std::size_t least = kFarthest + 1;
    for (const auto& known : names) {
        if (const auto distance = editDistance(meant, known.name); distance < least) {
            least = distance;
            nearest = &known;
        }
    }
    return nearest;
}

/// The name of security of which this is the end: truststore.location, password.
const Known* endingIn(std::string_view meant, const std::vector<Known>& names) {
    if (meant.find('.') == std::string_view::npos &&
        std::find(kTelling.begin(), kTelling.end(), meant) == kTelling.end()) {
        return nullptr;
    }
    const auto found = std::find_if(names.begin(), names.end(), [&](const Known& known) {
        return isOfSecurity(known.name) && known.name.size() > meant.size() && known.name.ends_with(meant) &&
               known.name[known.name.size() - meant.size() - 1] == '.';
    });
    return found == names.end() ? nullptr : &*found;
}

/// What stands behind the prefix of another client; empty when that is nothing of security.
std::string behindPrefix(std::string_view meant, const std::vector<Known>& names) {
    const auto first = meant.find('.');
    const bool ofClient =
        std::find(kClients.begin(), kClients.end(), meant.substr(0, first)) != kClients.end();
    const bool ofRegistry = meant.find("schema.registry.") != std::string_view::npos;
    for (auto dot = first; dot != std::string_view::npos; dot = meant.find('.', dot + 1)) {
        const auto rest = meant.substr(dot + 1);
        const auto* known = nearestTo(rest, names);
        if (known && !isOfSecurity(known->name)) {
            known = nullptr;
        }
        if (!known && dot == first) {
            known = endingIn(rest, names);
        }
        // An alias of MirrorMaker's can be any word.
        if (ofClient ? known || isOfSecurity(rest) : known && known->name == rest && !ofRegistry) {
            return known ? known->name : std::string(rest);
        }
    }
    return {};
}

} // namespace

Likeness likenessOf(const std::string& name) {
    const auto names = knownNames();
    const auto meant = normalized(std::string_view(name).substr(0, 256));
    const auto* nearest = nearestTo(meant, names);
    if (!nearest) {
        nearest = endingIn(meant, names);
    }
    Likeness out;
    if (nearest) {
        out.nearest = nearest->name;
        out.ofJava = nearest->onlyJava && nearest->name == name;
    }
    out.ofSecurity = isOfSecurity(meant) || isOfSecurity(out.nearest);
    out.behindPrefix = behindPrefix(meant, names);
    return out;
}

} // namespace bellwether::app
