// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bellwether::settings {

/// What becomes of a name of Java's clients (AdminClientConfig, ProducerConfig and ConsumerConfig of
/// kafka-clients 4.4, and what older ones had besides).
enum class JavaName {
    same,         ///< librdkafka has it under the same name and meaning
    renamed,      ///< librdkafka has it under renamedTo()
    ofJaas,       ///< read together with the JAAS line
    ofStores,     ///< read together with the trust store and the key store
    byItself,     ///< its value is translated
    notForUs,     ///< of producers, consumers, the JVM's logins or its TLS: left aside
    configSource, ///< config.providers...
    unknown
};

[[nodiscard]] JavaName kindOf(std::string_view name);

/// librdkafka's name of a `renamed` one.
[[nodiscard]] std::string_view renamedTo(std::string_view name);

/// The names that are `same` or `renamed`.
[[nodiscard]] std::vector<std::string> translatedNames();

/// Every name of security that Java's clients know: for suggestions.
[[nodiscard]] std::vector<std::string> javaSecurityNames();

struct Bounds {
    std::int64_t least = 0;
    std::int64_t most = 0;
};

/// What librdkafka takes of a number whose range is wider in Java; by librdkafka's name.
[[nodiscard]] std::optional<Bounds> boundsOf(std::string_view name);

} // namespace bellwether::settings
