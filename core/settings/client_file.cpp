// SPDX-License-Identifier: Apache-2.0
#include "settings/client_file.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "settings/java_properties.h"

namespace bellwether::settings {

namespace {

constexpr std::array<std::string_view, 16> kOnlyJava{"sasl.jaas.config",
                                                     "ssl.truststore.location",
                                                     "ssl.truststore.type",
                                                     "ssl.truststore.password",
                                                     "ssl.truststore.certificates",
                                                     "ssl.keystore.type",
                                                     "ssl.keystore.key",
                                                     "ssl.keystore.certificate.chain",
                                                     "key.serializer",
                                                     "value.serializer",
                                                     "key.deserializer",
                                                     "value.deserializer",
                                                     "ssl.enabled.protocols",
                                                     "default.api.timeout.ms",
                                                     "config.providers",
                                                     "sasl.login.callback.handler.class"};

constexpr std::array<std::string_view, 14> kOnlyLibrdkafka{"sasl.username",
                                                           "sasl.password",
                                                           "sasl.mechanisms",
                                                           "ssl.ca.location",
                                                           "ssl.ca.pem",
                                                           "ssl.key.location",
                                                           "ssl.key.pem",
                                                           "ssl.certificate.location",
                                                           "ssl.certificate.pem",
                                                           "metadata.broker.list",
                                                           "enable.ssl.certificate.verification",
                                                           "sasl.oauthbearer.method",
                                                           "sasl.oauthbearer.config",
                                                           "debug"};

template<typename List>
const std::string* firstOf(const Properties& properties, const List& names) {
    for (const auto& each : properties) {
        if (std::find(names.begin(), names.end(), each.name) != names.end()) {
            return &each.name;
        }
    }
    return nullptr;
}

bool hasNonAscii(std::string_view bytes) {
    return std::any_of(bytes.begin(), bytes.end(),
                       [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
}

} // namespace

DetectedForm detectForm(std::string_view bytes) {
    const auto plain = parsePlainProperties(bytes, {});
    if (plain) {
        if (const auto* name = firstOf(*plain, kOnlyLibrdkafka)) {
            return {FileForm::librdkafka, *name};
        }
    }
    const auto java = parseJavaProperties(bytes, {});
    if (java) {
        if (const auto* name = firstOf(*java, kOnlyJava)) {
            return {FileForm::java, *name};
        }
    } else if (plain) {
        if (const auto* name = firstOf(*plain, kOnlyJava)) {
            return {FileForm::java, *name}; // so that its error is told, not another's
        }
    }
    return {};
}

Result<ClientSettings> readClientFile(std::string_view bytes, std::string_view file,
                                      std::optional<FileForm> form) {
    if (form.value_or(detectForm(bytes).form) == FileForm::librdkafka) {
        auto plain = parsePlainProperties(bytes, file);
        if (!plain) {
            return fail(std::move(plain).error());
        }
        return ClientSettings{std::move(*plain), {}, {}};
    }
    const auto java = parseJavaProperties(bytes, file);
    if (!java) {
        return fail(java.error());
    }
    auto settings = fromJava(*java);
    const bool beyondAscii = std::any_of(java->begin(), java->end(), [&](const Property& each) {
        return hasNonAscii(each.name) || hasNonAscii(each.value);
    });
    // Not for comments, and not for \uXXXX, which is ASCII in the file.
    if (settings && beyondAscii && hasNonAscii(bytes)) {
        Error note;
        note.code = ErrorCode::invalidArgument;
        note.what = "bytes beyond ASCII are read as ISO-8859-1, as Java reads a properties file";
        note.where = std::string(file);
        note.hint = "if a login fails, write such characters as \\uXXXX";
        settings->notes.push_back(std::move(note));
    }
    return settings;
}

} // namespace bellwether::settings
