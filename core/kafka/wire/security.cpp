// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/security.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "kafka/wire/sasl_cyrus.h"
#include "kafka/wire/sasl_oidc.h"
#include "kafka/wire/tls_streams.h"

namespace bellwether::kafka::wire {
namespace {

using Properties = std::map<std::string, std::string>;

std::string upper(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string valueOf(const Properties& properties, const std::string& name, std::string fallback = {}) {
    const auto found = properties.find(name);
    return found == properties.end() ? std::move(fallback) : found->second;
}

auto wrong(ErrorCode code, std::string_view property, std::string_view problem, std::string hint) {
    return fail(code, fmt::format("property \"{}\" {}", property, problem), {}, std::move(hint));
}

/// Nothing when it is missing, empty, or holds a zero byte, which no mechanism can carry.
Result<std::string> required(const Properties& properties, const std::string& name,
                             std::string_view mechanism) {
    auto value = valueOf(properties, name);
    if (value.empty()) {
        return wrong(ErrorCode::invalidArgument, name, fmt::format("is needed by {} and missing", mechanism),
                     fmt::format("set {}", name));
    }
    if (value.find('\0') != std::string::npos) {
        return wrong(ErrorCode::invalidArgument, name, "holds a zero byte", "correct its value");
    }
    return value;
}

Result<std::string> mechanismOf(const Properties& properties) {
    // Two names of one setting.
    const auto plural = valueOf(properties, "sasl.mechanisms");
    const auto singular = valueOf(properties, "sasl.mechanism");
    if (!plural.empty() && !singular.empty() && upper(plural) != upper(singular)) {
        return wrong(
            ErrorCode::invalidArgument, "sasl.mechanism",
            fmt::format("says {} and \"sasl.mechanisms\" {}", displayText(singular), displayText(plural)),
            "they are two names of one setting: keep one");
    }
    auto mechanism = upper(plural.empty() ? singular : plural);
    return mechanism.empty() ? std::string("GSSAPI") : mechanism; // librdkafka's default
}

using CredentialsResult = Result<std::shared_ptr<SaslCredentials>>;

CredentialsResult passwordCredentials(asio::io_context& io, const Properties& properties,
                                      std::string mechanism) {
    auto user = required(properties, "sasl.username", mechanism);
    if (!user) {
        return fail(std::move(user).error());
    }
    auto password = required(properties, "sasl.password", mechanism);
    if (!password) {
        return fail(std::move(password).error());
    }
    CyrusSettings settings;
    settings.mechanism = std::move(mechanism);
    settings.user = std::move(*user);
    settings.password = std::move(*password);
    return makeCyrusCredentials(io, std::move(settings));
}

CredentialsResult ticketCredentials(asio::io_context& io, const Properties& properties) {
    CyrusSettings settings;
    settings.mechanism = "GSSAPI";
    settings.service = valueOf(properties, "sasl.kerberos.service.name", "kafka");
    if (settings.service.empty()) {
        return wrong(ErrorCode::invalidArgument, "sasl.kerberos.service.name", "is empty",
                     "name the service of the brokers' principal, usually kafka");
    }
    return makeCyrusCredentials(io, std::move(settings));
}

Result<OidcSettings> oidcSettings(const Properties& properties) {
    static constexpr std::string_view kWho = "sasl.oauthbearer.method=oidc";
    OidcSettings settings;
    for (const auto& [name, into] : {std::pair{"sasl.oauthbearer.client.id", &settings.clientId},
                                     {"sasl.oauthbearer.client.secret", &settings.clientSecret},
                                     {"sasl.oauthbearer.token.endpoint.url", &settings.endpoint}}) {
        auto value = required(properties, name, kWho);
        if (!value) {
            return fail(std::move(value).error());
        }
        *into = std::move(*value);
    }
    const auto scheme = upper(settings.endpoint.substr(0, settings.endpoint.find("://")));
    if (scheme != "HTTP" && scheme != "HTTPS") {
        return wrong(ErrorCode::invalidArgument, "sasl.oauthbearer.token.endpoint.url",
                     "is no http or https URL", "write https://HOST/PATH");
    }
    settings.scope = valueOf(properties, "sasl.oauthbearer.scope");
    settings.caFile = valueOf(properties, "https.ca.location");
    if (settings.caFile == "probe") {
        settings.caFile.clear();
    }
    static const std::string kExtensions = "sasl.oauthbearer.extensions";
    auto rest = valueOf(properties, kExtensions);
    while (!rest.empty()) {
        const auto end = rest.find(',');
        const auto pair = rest.substr(0, end);
        const auto equals = pair.find('=');
        const auto name = pair.substr(0, equals);
        const auto value = equals == std::string::npos ? std::string{} : pair.substr(equals + 1);
        if (auto legal = checkExtension(kExtensions, name, value); !legal) {
            return fail(std::move(legal).error());
        }
        settings.extensions[name] = value;
        rest.erase(0, end == std::string::npos ? rest.size() : end + 1);
    }
    return settings;
}

CredentialsResult tokenCredentials(asio::io_context& io, const Properties& properties) {
    const auto method = upper(valueOf(properties, "sasl.oauthbearer.method", "default"));
    if (method == "OIDC") {
        for (const auto& [name, known] : {std::pair{"sasl.oauthbearer.grant.type", "CLIENT_CREDENTIALS"},
                                          {"sasl.oauthbearer.metadata.authentication.type", "NONE"}}) {
            const auto value = valueOf(properties, name, known);
            if (upper(value) != known) {
                return wrong(ErrorCode::unsupported, name,
                             fmt::format("has the value {}", displayText(value)),
                             "the coordinator can be asked with client credentials only");
            }
        }
        auto settings = oidcSettings(properties);
        if (!settings) {
            return fail(std::move(settings).error());
        }
        auto who = fmt::format("client \"{}\"", displayText(settings->clientId));
        return makeOauthCredentials(
            io,
            [settings = std::move(*settings)](const auto& cancelled) {
                return fetchOidcToken(settings, cancelled);
            },
            true, std::move(who));
    }
    if (method != "DEFAULT") {
        return wrong(ErrorCode::unsupported, "sasl.oauthbearer.method",
                     fmt::format("has the unknown value {}", displayText(method)), "use default or oidc");
    }
    if (upper(valueOf(properties, "enable.sasl.oauthbearer.unsecure.jwt", "false")) != "TRUE") {
        return wrong(ErrorCode::unsupported, "sasl.oauthbearer.method",
                     "says nothing of where tokens come from",
                     "set it to oidc, or for tests enable.sasl.oauthbearer.unsecure.jwt=true");
    }
    auto settings = parseUnsecuredToken(valueOf(properties, "sasl.oauthbearer.config"));
    if (!settings) {
        return fail(std::move(settings).error());
    }
    auto who = fmt::format("principal \"{}\"", displayText(settings->principal));
    return makeOauthCredentials(
        io,
        [settings = std::move(*settings)](const auto&) -> Result<OauthToken> {
            return makeUnsecuredToken(settings,
                                      std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now()));
        },
        false, std::move(who));
}

CredentialsResult makeCredentials(asio::io_context& io, const Properties& properties) {
    auto mechanism = mechanismOf(properties);
    if (!mechanism) {
        return fail(std::move(mechanism).error());
    }
    if (*mechanism == "PLAIN" || *mechanism == "SCRAM-SHA-256" || *mechanism == "SCRAM-SHA-512") {
        return passwordCredentials(io, properties, std::move(*mechanism));
    }
    if (*mechanism == "GSSAPI") {
        return ticketCredentials(io, properties);
    }
    if (*mechanism == "OAUTHBEARER") {
        return tokenCredentials(io, properties);
    }
    return wrong(ErrorCode::invalidArgument,
                 properties.count("sasl.mechanisms") != 0 ? "sasl.mechanisms" : "sasl.mechanism",
                 fmt::format("names the unknown mechanism {}", displayText(*mechanism)),
                 "use PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, GSSAPI or OAUTHBEARER");
}

} // namespace

Result<Security> makeSecurity(asio::io_context& io, const Properties& properties) {
    const auto protocol = upper(valueOf(properties, "security.protocol", "PLAINTEXT"));
    Security security;
    security.tls = protocol == "SSL" || protocol == "SASL_SSL";
    const bool sasl = protocol == "SASL_PLAINTEXT" || protocol == "SASL_SSL";
    if (!security.tls && !sasl && protocol != "PLAINTEXT") {
        return wrong(ErrorCode::invalidArgument, "security.protocol",
                     fmt::format("has the unknown value {}", displayText(protocol)),
                     "use PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL");
    }
    if (security.tls) {
        auto streams = makeTlsStreams(properties);
        if (!streams) {
            return fail(std::move(streams).error());
        }
        security.makeStream = std::move(*streams);
    }
    if (sasl) {
        auto credentials = makeCredentials(io, properties);
        if (!credentials) {
            return fail(std::move(credentials).error());
        }
        security.credentials = std::move(*credentials);
    }
    return security;
}

} // namespace bellwether::kafka::wire
