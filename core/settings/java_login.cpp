// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "settings/jaas.h"
#include "settings/java_translation.h"

namespace bellwether::settings {

namespace {

using Options = std::map<std::string, std::string>;

std::string valueOf(const Options& options, const std::string& name) {
    const auto found = options.find(name);
    return found == options.end() ? std::string{} : found->second;
}

Result<void> userAndPassword(JavaTranslation& java, const Property& property, const JaasEntry& entry) {
    if (lower(valueOf(entry.options, "tokenauth")) == "true") {
        return refused(property, "delegation tokens (tokenauth) are not supported",
                       "log in with a user of its own, or with another mechanism");
    }
    for (const std::string name : {"username", "password"}) {
        const auto found = entry.options.find(name);
        if (found == entry.options.end()) {
            return refused(property, fmt::format("{} without {}", entry.module, name),
                           fmt::format("write {}=\"...\" in the JAAS line", name));
        }
        if (found->second.find_first_not_of(" \t\n\v\f\r") != 0) {
            return refused(property, fmt::format("the {} is empty or begins with a blank", name),
                           "librdkafka cuts blanks in front of a value; choose another one");
        }
        java.put("sasl." + name, found->second, property);
    }
    return {};
}

Result<void> kerberos(JavaTranslation& java, const Property& property, const Options& options) {
    if (const auto service = valueOf(options, "serviceName");
        !service.empty() && !java.find("sasl.kerberos.service.name")) {
        java.put("sasl.kerberos.service.name", service, property);
    }
    if (const auto principal = valueOf(options, "principal"); !principal.empty()) {
        java.put("sasl.kerberos.principal", principal, property);
    }
    if (const auto keytab = valueOf(options, "keyTab");
        lower(valueOf(options, "useKeyTab")) == "true" && !keytab.empty()) {
        java.put("sasl.kerberos.keytab", keytab, property);
    }
    return {};
}

Result<void> clientCredentials(JavaTranslation& java, const Property& property, const Options& options,
                               const Property& endpoint) {
    if (lower(endpoint.value).starts_with("file:")) {
        return refused(endpoint, "tokens are not read from files here",
                       "name the token endpoint of the identity provider, http:// or https://");
    }
    java.put("sasl.oauthbearer.method", "oidc", property);
    for (const auto& [option, ours, newer] :
         {std::array{"clientId", "sasl.oauthbearer.client.id",
                     "sasl.oauthbearer.client.credentials.client.id"},
          {"clientSecret", "sasl.oauthbearer.client.secret",
           "sasl.oauthbearer.client.credentials.client.secret"},
          {"scope", "sasl.oauthbearer.scope", "sasl.oauthbearer.scope"}}) {
        // Since Kafka 4.1 the settings go before the options (KIP-1139).
        if (const auto found = options.find(option); found != options.end() && !java.find(newer)) {
            java.put(ours, found->second, property);
        }
    }
    return {};
}

Result<void> unsecuredToken(JavaTranslation& java, const Property& property, const Options& options) {
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
    const auto claimName = options.contains("unsecuredLoginPrincipalClaimName")
                               ? options.at("unsecuredLoginPrincipalClaimName")
                               : std::string("sub");
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
            java.ignore(property, fmt::format("the option {} of the login module has no counterpart", name));
        }
        if (!done) {
            return done;
        }
    }
    if (config.find("principal=") == std::string::npos) {
        return refused(property, "OAuthBearerLoginModule says nothing of where tokens come from",
                       "set sasl.oauthbearer.token.endpoint.url, or for tests unsecuredLoginStringClaim_sub");
    }
    java.put("enable.sasl.oauthbearer.unsecure.jwt", "true", property);
    java.put("sasl.oauthbearer.config", config, property);
    return {};
}

/// Java then looks into the JVM's own JAAS file.
Result<void> withoutLine(JavaTranslation& java) {
    const auto* protocol = java.find("security.protocol");
    const auto* mechanism = java.find("sasl.mechanism");
    if (!protocol || !lower(protocol->value).starts_with("sasl") || !mechanism ||
        mechanism->value == "GSSAPI") {
        return {};
    }
    if (const auto* endpoint = java.find("sasl.oauthbearer.token.endpoint.url");
        endpoint && mechanism->value == "OAUTHBEARER") {
        return clientCredentials(java, *endpoint, {}, *endpoint);
    }
    java.note(*mechanism, "there is no sasl.jaas.config, and a JAAS file of the JVM is not read here",
              mechanism->value == "OAUTHBEARER"
                  ? "copy its entry into sasl.jaas.config"
                  : "copy its entry into sasl.jaas.config, or give sasl.username and sasl.password with -X");
    return {};
}

} // namespace

Result<void> translateLogin(JavaTranslation& java) {
    const auto* property = java.find("sasl.jaas.config");
    if (!property) {
        return withoutLine(java);
    }
    const auto entry = parseJaas(property->value, property->where);
    if (!entry) {
        return fail(entry.error());
    }
    if (entry->module == "PlainLoginModule" || entry->module == "ScramLoginModule") {
        return userAndPassword(java, *property, *entry);
    }
    if (entry->module == "Krb5LoginModule") {
        return kerberos(java, *property, entry->options);
    }
    if (entry->module == "OAuthBearerLoginModule") {
        const auto* endpoint = java.find("sasl.oauthbearer.token.endpoint.url");
        return endpoint ? clientCredentials(java, *property, entry->options, *endpoint)
                        : unsecuredToken(java, *property, entry->options);
    }
    return refused(
        *property, fmt::format("the login module {} cannot be run here", entry->module),
        "known are PlainLoginModule, ScramLoginModule, OAuthBearerLoginModule and Krb5LoginModule");
}

} // namespace bellwether::settings
