// SPDX-License-Identifier: Apache-2.0
#include "settings/java_client.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <openssl/ssl.h>

#include "settings/jaas.h"
#include "settings/stores.h"

namespace bellwether::settings {

namespace {

using Names = std::map<std::string_view, std::string_view>;

/// The same meaning under another name.
const Names kRenamed{
    {"request.timeout.ms", "socket.timeout.ms"},
    {"send.buffer.bytes", "socket.send.buffer.bytes"},
    {"receive.buffer.bytes", "socket.receive.buffer.bytes"},
    {"sasl.oauthbearer.token.endpoint.url", "sasl.oauthbearer.token.endpoint.url"},
};

/// Of the JVM's own TLS, or of parts that a console has not.
constexpr std::array<std::string_view, 7> kJavaTls{"ssl.protocol",
                                                   "ssl.provider",
                                                   "ssl.keymanager.algorithm",
                                                   "ssl.trustmanager.algorithm",
                                                   "ssl.secure.random.implementation",
                                                   "ssl.engine.factory.class",
                                                   "ssl.enabled.protocols"};

constexpr std::array<std::string_view, 22> kNotOurs{"key.serializer",
                                                    "value.serializer",
                                                    "key.deserializer",
                                                    "value.deserializer",
                                                    "key.converter",
                                                    "value.converter",
                                                    "batch.size",
                                                    "buffer.memory",
                                                    "max.block.ms",
                                                    "delivery.timeout.ms",
                                                    "default.api.timeout.ms",
                                                    "max.poll.records",
                                                    "fetch.max.wait.ms",
                                                    "metric.reporters",
                                                    "metrics.num.samples",
                                                    "metrics.recording.level",
                                                    "retries",
                                                    "metrics.sample.window.ms",
                                                    "interceptor.classes",
                                                    "exclude.internal.topics",
                                                    "partitioner.class",
                                                    "auto.include.jmx.reporter"};

template<typename List>
bool contains(const List& list, std::string_view name) {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

auto refused(const Property& property, std::string_view what, std::string hint) {
    return fail(ErrorCode::invalidArgument, fmt::format("{}: {}", property.name, what), property.where,
                std::move(hint));
}

class Translation {
public:
    explicit Translation(const Properties& java) {
        for (const auto& each : java) {
            if (!last_.contains(each.name)) {
                order_.push_back(each.name);
            }
            last_[each.name] = each;
        }
    }

    Result<ClientSettings> run() {
        for (const auto& name : order_) {
            if (auto done = take(last_.at(name)); !done) {
                return fail(std::move(done).error());
            }
        }
        for (const auto step : {&Translation::jaas, &Translation::trustStore, &Translation::keyStore}) {
            if (auto done = (this->*step)(); !done) {
                return fail(std::move(done).error());
            }
        }
        return std::move(out_);
    }

private:
    [[nodiscard]] const Property* find(const std::string& name) const {
        const auto found = last_.find(name);
        return found == last_.end() ? nullptr : &found->second;
    }

    [[nodiscard]] std::string valueOf(const std::string& name) const {
        const auto* found = find(name);
        return found ? found->value : std::string{};
    }

    void put(std::string_view name, std::string value, const Property& from) {
        out_.properties.push_back({std::string(name), std::move(value), from.where});
    }

    void note(const Property& property, std::string_view why, std::string hint = {}) {
        Error note;
        note.code = ErrorCode::invalidArgument;
        note.what = fmt::format("{} is ignored: {}", property.name, why);
        note.where = property.where;
        note.hint = std::move(hint);
        out_.notes.push_back(std::move(note));
    }

    Result<void> take(const Property& property) {
        const auto& name = property.name;
        if (property.value.find("${") != std::string::npos && property.value.find('}') != std::string::npos &&
            find("config.providers")) {
            return refused(property, "values of a config provider are not looked up",
                           "write the value itself, or leave the property away and give it with -X");
        }
        if (name == "config.providers" || name.starts_with("config.providers.")) {
            note(property, "config providers are Java's");
        } else if (name == "sasl.jaas.config" || name.starts_with("ssl.truststore.") ||
                   name.starts_with("ssl.keystore.")) {
            return {}; // together with what belongs to them
        } else if (name == "ssl.key.password") {
            put(name, property.value, property);
        } else if (name == "ssl.endpoint.identification.algorithm") {
            put(name, property.value.empty() ? "none" : lower(property.value), property);
        } else if (name == "ssl.cipher.suites") {
            cipherSuites(property);
        } else if (contains(kJavaTls, name)) {
            note(property, "it is about Java's own TLS; TLS 1.2 or later is used");
        } else if (contains(kNotOurs, name)) {
            note(property, "it is about producing or consuming in Java");
        } else if (name == "sasl.login.callback.handler.class" ||
                   name == "sasl.client.callback.handler.class" || name == "sasl.login.class") {
            const bool known =
                property.value.ends_with("OAuthBearerLoginCallbackHandler") || property.value.empty();
            if (!known) {
                return refused(
                    property, "a Java class cannot be run here",
                    "use a mechanism without a class of your own, or OAUTHBEARER with a token endpoint");
            }
        } else if (const auto renamed = kRenamed.find(name); renamed != kRenamed.end()) {
            const bool unset = renamed->second.ends_with("buffer.bytes") && property.value == "-1";
            put(renamed->second, unset ? "0" : property.value, property);
        } else {
            put(name, property.value, property);
        }
        return {};
    }

    void cipherSuites(const Property& property) {
        std::string names;
        std::string_view rest = property.value;
        while (!rest.empty()) {
            const auto comma = rest.find(',');
            auto suite = std::string(rest.substr(0, comma));
            rest = comma == std::string_view::npos ? std::string_view{} : rest.substr(comma + 1);
            std::erase(suite, ' ');
            // The suites of TLS 1.3 are not chosen by this list, in Java's sense or OpenSSL's.
            if (suite.empty() || suite.starts_with("TLS_AES_") || suite.starts_with("TLS_CHACHA20_")) {
                continue;
            }
            const std::string_view translated = OPENSSL_cipher_name(suite.c_str());
            if (translated == "(NONE)") {
                note(property, fmt::format("OpenSSL has no cipher suite {}", suite));
                continue;
            }
            names += (names.empty() ? "" : ":") + std::string(translated);
        }
        if (!names.empty()) {
            put("ssl.cipher.suites", names, property);
        }
    }

    Result<void> jaas() {
        const auto* property = find("sasl.jaas.config");
        if (!property) {
            return {};
        }
        const auto entry = parseJaas(property->value, property->where);
        if (!entry) {
            return fail(entry.error());
        }
        const auto& options = entry->options;
        const auto option = [&](const std::string& name) {
            const auto found = options.find(name);
            return found == options.end() ? std::string{} : found->second;
        };
        if (entry->module == "PlainLoginModule" || entry->module == "ScramLoginModule") {
            for (const auto* name : {"username", "password"}) {
                if (!options.contains(name)) {
                    return refused(*property, fmt::format("{} without {}", entry->module, name),
                                   fmt::format("write {}=\"...\" in the JAAS line", name));
                }
                put(std::string("sasl.") + name, option(name), *property);
            }
            return {};
        }
        if (entry->module == "Krb5LoginModule") {
            return kerberos(*property, option);
        }
        if (entry->module == "OAuthBearerLoginModule") {
            return bearer(*property, options);
        }
        return refused(
            *property, fmt::format("the login module {} cannot be run here", entry->module),
            "known are PlainLoginModule, ScramLoginModule, OAuthBearerLoginModule and Krb5LoginModule");
    }

    template<typename Option>
    Result<void> kerberos(const Property& property, const Option& option) {
        if (!option("serviceName").empty() && !find("sasl.kerberos.service.name")) {
            put("sasl.kerberos.service.name", option("serviceName"), property);
        }
        if (!option("principal").empty()) {
            put("sasl.kerberos.principal", option("principal"), property);
        }
        if (lower(option("useKeyTab")) == "true" && !option("keyTab").empty()) {
            put("sasl.kerberos.keytab", option("keyTab"), property);
        }
        return {};
    }

    Result<void> bearer(const Property& property, const std::map<std::string, std::string>& options) {
        const auto* endpoint = find("sasl.oauthbearer.token.endpoint.url");
        if (endpoint) {
            put("sasl.oauthbearer.method", "oidc", property);
            for (const auto& [java, ours] : {std::pair{"clientId", "sasl.oauthbearer.client.id"},
                                             {"clientSecret", "sasl.oauthbearer.client.secret"},
                                             {"scope", "sasl.oauthbearer.scope"}}) {
                if (const auto found = options.find(java); found != options.end()) {
                    put(ours, found->second, property);
                }
            }
            return {};
        }
        static constexpr std::string_view kClaim = "unsecuredLoginStringClaim_";
        static constexpr std::string_view kExtension = "unsecuredLoginExtension_";
        std::string config;
        const auto add = [&](const std::string& name, const std::string& value) -> Result<void> {
            if (value.find_first_of(" ,\"") != std::string::npos) {
                return refused(property, fmt::format("{} holds a blank, a comma or a quote", name),
                               "an unsecured token of librdkafka cannot carry it");
            }
            config += (config.empty() ? "" : " ") + name + "=" + value;
            return {};
        };
        const auto principalClaim = options.find("unsecuredLoginPrincipalClaimName");
        const auto claimName = principalClaim == options.end() ? std::string("sub") : principalClaim->second;
        for (const auto& [name, value] : options) {
            Result<void> done;
            if (name == std::string(kClaim) + claimName) {
                done = add("principal", value);
            } else if (name == "unsecuredLoginPrincipalClaimName") {
                done = add("principalClaimName", value);
            } else if (name == "unsecuredLoginLifetimeSeconds") {
                done = add("lifeSeconds", value);
            } else if (name.starts_with(kExtension)) {
                done = add("extension_" + name.substr(kExtension.size()), value);
            } else {
                note(property, fmt::format("the option {} of the login module has no counterpart", name));
            }
            if (!done) {
                return done;
            }
        }
        if (config.find("principal=") == std::string::npos) {
            return refused(
                property, "OAuthBearerLoginModule says nothing of where tokens come from",
                "set sasl.oauthbearer.token.endpoint.url, or for tests unsecuredLoginStringClaim_sub");
        }
        put("enable.sasl.oauthbearer.unsecure.jwt", "true", property);
        put("sasl.oauthbearer.config", config, property);
        return {};
    }

    Result<void> trustStore() {
        if (const auto* inlined = find("ssl.truststore.certificates")) {
            put("ssl.ca.pem", inlined->value, *inlined);
            return {};
        }
        const auto* location = find("ssl.truststore.location");
        if (!location || location->value.empty()) {
            return {};
        }
        const auto bytes = readStore(location->value, *location);
        if (!bytes) {
            return fail(bytes.error());
        }
        switch (kindOfStore(*bytes)) {
        case StoreKind::jks: return fail(jksError(location->value, *location));
        case StoreKind::pem: put("ssl.ca.location", location->value, *location); return {};
        case StoreKind::pkcs12: break;
        }
        auto certificates =
            certificatesOf(*bytes, valueOf("ssl.truststore.password"), location->value, *location);
        if (!certificates) {
            return fail(std::move(certificates).error());
        }
        put("ssl.ca.pem", std::move(*certificates), *location);
        return {};
    }

    Result<void> keyStore() {
        const auto* key = find("ssl.keystore.key");
        const auto* chain = find("ssl.keystore.certificate.chain");
        if (key || chain) {
            if (!key || !chain) {
                return refused(key ? *key : *chain, "a key and its certificate chain belong together",
                               "set both ssl.keystore.key and ssl.keystore.certificate.chain");
            }
            put("ssl.key.pem", key->value, *key);
            put("ssl.certificate.pem", chain->value, *chain);
            return {};
        }
        const auto* location = find("ssl.keystore.location");
        if (!location || location->value.empty()) {
            return {};
        }
        const auto bytes = readStore(location->value, *location);
        if (!bytes) {
            return fail(bytes.error());
        }
        switch (kindOfStore(*bytes)) {
        case StoreKind::jks: return fail(jksError(location->value, *location));
        case StoreKind::pem:
            put("ssl.certificate.location", location->value, *location);
            put("ssl.key.location", location->value, *location);
            return {};
        case StoreKind::pkcs12: break;
        }
        put("ssl.keystore.location", location->value, *location);
        if (const auto* password = find("ssl.keystore.password")) {
            put("ssl.keystore.password", password->value, *password);
        }
        return {};
    }

    std::vector<std::string> order_;
    std::map<std::string, Property> last_;
    ClientSettings out_;
};

} // namespace

Result<ClientSettings> fromJava(const Properties& java) {
    return Translation(java).run();
}

} // namespace bellwether::settings
