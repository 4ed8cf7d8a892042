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

Error noteOf(std::string what, std::string where, std::string hint) {
    Error note;
    note.code = ErrorCode::invalidArgument;
    note.what = std::move(what);
    note.where = std::move(where);
    note.hint = std::move(hint);
    return note;
}

/// Outside of comments. \uXXXX is ASCII in the file.
bool hasNonAscii(std::string_view bytes, const Properties& properties) {
    std::string ascii(bytes);
    std::replace_if(
        ascii.begin(), ascii.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, 'x');
    const auto same = parseJavaProperties(ascii, {});
    return !same || !std::equal(same->begin(), same->end(), properties.begin(), properties.end(),
                                [](const Property& a, const Property& b) {
                                    return a.name == b.name && a.value == b.value;
                                });
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
        ClientSettings out;
        for (const auto& each : *plain) {
            if (refersToProvider(each.value)) {
                out.notes.push_back(
                    noteOf(fmt::format("{} holds a reference to a config provider, which goes out as it is",
                                       each.name),
                           each.where, "config providers are not run here: write the value itself"));
            }
        }
        out.properties = std::move(*plain);
        return out;
    }
    const auto java = parseJavaProperties(bytes, file);
    if (!java) {
        return fail(java.error());
    }
    auto settings = fromJava(*java);
    if (bytes.starts_with("\xEF\xBB\xBF")) {
        bytes.remove_prefix(3);
    }
    if (settings && hasNonAscii(bytes, *java)) {
        settings->notes.push_back(
            noteOf("bytes beyond ASCII are read as ISO-8859-1, as Java reads a properties file",
                   std::string(file), "if a login fails, write such characters as \\uXXXX"));
    }
    return settings;
}

} // namespace bellwether::settings
