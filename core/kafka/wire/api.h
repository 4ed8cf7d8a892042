// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bellwether::kafka::wire {

/// The requests this client speaks, by their number in Kafka's protocol guide.
enum class ApiKey : std::int16_t {
    metadata = 3,
    findCoordinator = 10,
    saslHandshake = 17,
    apiVersions = 18,
    saslAuthenticate = 36,
    describeProducers = 61,
    describeTransactions = 65,
    listTransactions = 66,
};

/// The protocol guide's name, e.g. "DescribeTransactions".
[[nodiscard]] std::string_view toString(ApiKey api) noexcept;

/// Inclusive on both ends.
struct VersionRange {
    std::int16_t min = 0;
    std::int16_t max = 0;
    bool operator==(const VersionRange&) const = default;
};

/// The versions whose encoding this client knows.
[[nodiscard]] VersionRange spokenVersions(ApiKey api) noexcept;
/// The highest version in both ranges, or nothing.
[[nodiscard]] std::optional<std::int16_t> commonVersion(VersionRange ours, VersionRange theirs) noexcept;

/// From this version on, strings and arrays are compact and structures end in tagged fields (KIP-482).
[[nodiscard]] bool isFlexible(ApiKey api, std::int16_t version) noexcept;
/// ApiVersions answers keep header version 0 in every version, so that any client can read them (KIP-511).
[[nodiscard]] bool hasFlexibleResponseHeader(ApiKey api, std::int16_t version) noexcept;

} // namespace bellwether::kafka::wire
