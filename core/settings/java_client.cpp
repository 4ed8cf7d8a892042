// SPDX-License-Identifier: Apache-2.0
#include "settings/java_client.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include <fmt/format.h>
#include <openssl/ssl.h>

#include "settings/java_names.h"
#include "settings/java_translation.h"

namespace bellwether::settings {

bool refersToProvider(std::string_view value) {
    for (auto at = value.find("${"); at != std::string_view::npos; at = value.find("${", at + 2)) {
        const auto inside = value.substr(at + 2, value.find('}', at) - at - 2);
        const auto name = inside.substr(0, inside.find(':'));
        const bool isName = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
        });
        if (isName && name.size() < inside.size() && value.find('}', at) != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

namespace {

std::vector<std::string> listOf(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const auto comma = text.find(',');
        auto item = std::string(text.substr(0, comma));
        std::erase(item, ' ');
        if (!item.empty()) {
            out.push_back(std::move(item));
        }
        text = comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
    }
    return out;
}

void cipherSuites(JavaTranslation& java, const Property& property) {
    std::string names;
    const auto suites = listOf(property.value);
    for (const auto& suite : suites) {
        // The suites of TLS 1.3 are not chosen by this list, in Java's sense or OpenSSL's.
        if (suite.starts_with("TLS_AES_") || suite.starts_with("TLS_CHACHA20_")) {
            continue;
        }
        const std::string_view translated = OPENSSL_cipher_name(suite.c_str());
        if (translated == "(NONE)") {
            java.ignore(property, fmt::format("OpenSSL has no cipher suite {}", suite));
            continue;
        }
        names += (names.empty() ? "" : ":") + std::string(translated);
    }
    if (!names.empty()) {
        java.put("ssl.cipher.suites", names, property);
    } else if (!suites.empty()) {
        java.ignore(property, "none of its suites is of TLS 1.2, whose usual ones are offered too");
    }
}

void enabledProtocols(JavaTranslation& java, const Property& property) {
    const auto protocols = listOf(property.value);
    const auto has = [&](std::string_view name) {
        return std::find(protocols.begin(), protocols.end(), name) != protocols.end();
    };
    if (!protocols.empty() && (!has("TLSv1.2") || !has("TLSv1.3"))) {
        java.ignore(property, "TLS 1.2 and 1.3 are both offered");
    }
}

Result<void> javaClass(const Property& property) {
    static constexpr std::string_view kOurs[]{"OAuthBearerLoginCallbackHandler", "DefaultJwtRetriever",
                                              "ClientCredentialsJwtRetriever"};
    const bool known =
        property.value.empty() || std::any_of(std::begin(kOurs), std::end(kOurs),
                                              [&](auto name) { return property.value.ends_with(name); });
    if (!known) {
        return refused(property, "a Java class cannot be run here",
                       "use a mechanism without a class of your own, or OAUTHBEARER with a token endpoint");
    }
    return {};
}

/// Numbers that Java takes and librdkafka does not become the nearest that it does.
Result<void> number(JavaTranslation& java, std::string_view name, const Property& property) {
    const auto bounds = boundsOf(name);
    if (!bounds) {
        java.put(name, property.value, property);
        return {};
    }
    std::string_view text = property.value;
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size()) {
        return refused(property, "that is no number", "write a whole number");
    }
    const auto taken = std::clamp(value, bounds->least, bounds->most);
    // -1 is Java's "leave it to the system", or "never"; 0 says so here.
    if (taken != value && value != -1) {
        java.note(property, fmt::format("{}: {} is taken instead of {}, {} is the {} here", property.name,
                                        taken, value, taken, taken < value ? "most" : "least"));
    }
    java.put(name, std::to_string(taken), property);
    return {};
}

Result<void> byItself(JavaTranslation& java, const Property& property) {
    const auto& name = property.name;
    if (name == "ssl.endpoint.identification.algorithm") {
        java.put(name, property.value.empty() ? "none" : lower(property.value), property);
    } else if (name == "ssl.cipher.suites") {
        cipherSuites(java, property);
    } else if (name == "ssl.enabled.protocols") {
        enabledProtocols(java, property);
    } else if (name == "ssl.engine.factory.class") {
        if (!property.value.empty() && !property.value.ends_with("DefaultSslEngineFactory")) {
            return refused(property, "a Java class cannot be run here",
                           "name trust store and key store with ssl.truststore.* and ssl.keystore.*");
        }
    } else if (name == "connections.max.idle.ms") {
        return number(java, name, property);
    } else if (name == "sasl.oauthbearer.header.urlencode") {
        if (lower(property.value) == "true") {
            java.ignore(property, "client id and secret are sent as they are");
        }
    } else {
        return javaClass(property);
    }
    return {};
}

Result<void> take(JavaTranslation& java, const Property& property, std::vector<std::string>& aside) {
    if (refersToProvider(property.value)) {
        return refused(property, "values of a config provider are not looked up",
                       "write the value itself, or leave the property away and give it with -X");
    }
    switch (kindOf(property.name)) {
    case JavaName::same:
        // What older clients call "default" is gone; what librdkafka does anyway is nearest.
        if (property.name == "client.dns.lookup" && property.value == "default") {
            break;
        }
        return number(java, property.name, property);
    case JavaName::renamed: return number(java, renamedTo(property.name), property);
    case JavaName::ofJaas:
    case JavaName::ofStores: break; // together with what belongs to them
    case JavaName::byItself: return byItself(java, property);
    case JavaName::notForUs: aside.push_back(property.name); break;
    case JavaName::configSource:
        if (!property.value.empty()) {
            java.ignore(property, "config providers are not run here");
        }
        break;
    case JavaName::unknown: java.put(property.name, property.value, property); break;
    }
    return {};
}

} // namespace

Result<ClientSettings> fromJava(const Properties& settings) {
    JavaTranslation java(settings);
    std::vector<std::string> aside;
    for (const auto& name : java.order()) {
        if (auto done = take(java, *java.find(name), aside); !done) {
            return fail(std::move(done).error());
        }
    }
    if (!aside.empty()) {
        java.note(*java.find(aside.front()),
                  fmt::format("{} {} ignored: of producers, consumers or the JVM", fmt::join(aside, ", "),
                              aside.size() == 1 ? "is" : "are"));
    }
    for (const auto step : {&translateLogin, &translateStores}) {
        if (auto done = step(java); !done) {
            return fail(std::move(done).error());
        }
    }
    auto out = std::move(java).take();
    for (const auto& each : settings) {
        out.names.push_back(each.name);
    }
    return out;
}

} // namespace bellwether::settings
