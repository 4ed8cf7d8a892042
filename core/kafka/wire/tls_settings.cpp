// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_settings.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether::kafka::wire {
namespace {

using Properties = std::map<std::string, std::string>;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

// As librdkafka reads a text: without the blanks before it.
std::string valueOf(const Properties& properties, const std::string& name) {
    const auto found = properties.find(name);
    if (found == properties.end()) {
        return {};
    }
    const auto& value = found->second;
    return {std::find_if_not(value.begin(), value.end(), [](unsigned char c) { return std::isspace(c); }),
            value.end()};
}

struct Unknown {
    std::string_view property;
    std::string_view hint;
};

constexpr std::string_view kUseFiles = "use ssl.certificate.location and ssl.key.location";
constexpr Unknown kUnknown[] = {
    {"ssl.engine.location", kUseFiles},
    {"ssl.engine.id", kUseFiles},
    {"ssl_engine_callback_data", kUseFiles},
    {"ssl.providers", "leave it out: old PKCS#12 files and keys are read without it"},
    {"ssl_certificate", kUseFiles},
    {"ssl_key", kUseFiles},
    {"ssl_ca", "use ssl.ca.location"},
    {"ssl.certificate.verify_cb", "leave it out: the broker's certificate is checked by OpenSSL"},
    {"ssl.truststore.location",
     "it is a setting of Java clients: write the CA certificates into a PEM file and set ssl.ca.location"},
};

Result<bool> flag(const Properties& properties, const std::string& name, bool fallback) {
    const auto found = properties.find(name);
    if (found == properties.end()) {
        return fallback;
    }
    const auto value = lower(found->second);
    if (value == "true" || value == "t" || value == "1") {
        return true;
    }
    if (value == "false" || value == "f" || value == "0") {
        return false;
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("property \"{}\" has the value {}", name, displayText(found->second)), {},
                "use true or false");
}

} // namespace

Result<TlsSettings> parseTlsSettings(const Properties& properties) {
    for (const auto& [property, hint] : kUnknown) {
        if (!valueOf(properties, std::string(property)).empty()) {
            return fail(
                ErrorCode::unsupported,
                fmt::format("property \"{}\" is not supported when the coordinator is asked", property), {},
                std::string(hint));
        }
    }
    TlsSettings settings;
    for (const auto& [name, into] : {std::pair{"ssl.ca.location", &settings.caLocation},
                                     {"ssl.ca.pem", &settings.caPem},
                                     {"ssl.crl.location", &settings.crlLocation},
                                     {"ssl.certificate.location", &settings.certificateLocation},
                                     {"ssl.certificate.pem", &settings.certificatePem},
                                     {"ssl.key.location", &settings.keyLocation},
                                     {"ssl.key.pem", &settings.keyPem},
                                     {"ssl.key.password", &settings.keyPassword},
                                     {"ssl.keystore.location", &settings.keystoreLocation},
                                     {"ssl.keystore.password", &settings.keystorePassword},
                                     {"ssl.cipher.suites", &settings.cipherSuites},
                                     {"ssl.curves.list", &settings.curves},
                                     {"ssl.sigalgs.list", &settings.signatureAlgorithms}}) {
        *into = valueOf(properties, name);
    }
    const auto verify = flag(properties, "enable.ssl.certificate.verification", true);
    if (!verify) {
        return fail(verify.error());
    }
    settings.verify = *verify;
    static const std::string kIdentification = "ssl.endpoint.identification.algorithm";
    if (properties.count(kIdentification) != 0) {
        const auto value = lower(valueOf(properties, kIdentification));
        if (value != "https" && value != "none") {
            return fail(
                ErrorCode::invalidArgument,
                fmt::format("property \"{}\" has the value \"{}\"", kIdentification, displayText(value)), {},
                "use https, or none to accept a certificate of another host");
        }
        settings.checkName = value == "https";
    }
    return settings;
}

} // namespace bellwether::kafka::wire
