// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/api.h"

#include <algorithm>
#include <limits>

namespace bellwether::kafka::wire {
namespace {

struct ApiFacts {
    ApiKey api;
    std::string_view name;
    VersionRange spoken;
    std::int16_t firstFlexible;
};

constexpr auto kNeverFlexible = std::numeric_limits<std::int16_t>::max();

// Metadata starts at 4, the first version that can forbid the creation of a topic by asking for it.
// FindCoordinator ends at 4: later versions differ in error codes and key types only.
// SaslHandshake starts at 1: after version 0 the exchange runs outside of Kafka's framing (KIP-152).
constexpr ApiFacts kApis[] = {
    {ApiKey::metadata, "Metadata", {4, 13}, 9},
    {ApiKey::findCoordinator, "FindCoordinator", {1, 4}, 3},
    {ApiKey::saslHandshake, "SaslHandshake", {1, 1}, kNeverFlexible},
    {ApiKey::apiVersions, "ApiVersions", {0, 4}, 3},
    {ApiKey::saslAuthenticate, "SaslAuthenticate", {0, 2}, 2},
    {ApiKey::describeProducers, "DescribeProducers", {0, 0}, 0},
    {ApiKey::describeTransactions, "DescribeTransactions", {0, 0}, 0},
    {ApiKey::listTransactions, "ListTransactions", {0, 1}, 0},
};

const ApiFacts* factsOf(ApiKey api) noexcept {
    const auto* found =
        std::find_if(std::begin(kApis), std::end(kApis), [&](const auto& f) { return f.api == api; });
    return found == std::end(kApis) ? nullptr : found;
}

} // namespace

std::string_view toString(ApiKey api) noexcept {
    const auto* facts = factsOf(api);
    return facts ? facts->name : "unnamed request";
}

VersionRange spokenVersions(ApiKey api) noexcept {
    const auto* facts = factsOf(api);
    return facts ? facts->spoken : VersionRange{0, -1};
}

std::optional<std::int16_t> commonVersion(VersionRange ours, VersionRange theirs) noexcept {
    const auto low = std::max(ours.min, theirs.min);
    const auto high = std::min(ours.max, theirs.max);
    if (low > high) {
        return std::nullopt;
    }
    return high;
}

bool isFlexible(ApiKey api, std::int16_t version) noexcept {
    const auto* facts = factsOf(api);
    return facts && version >= facts->firstFlexible;
}

bool hasFlexibleResponseHeader(ApiKey api, std::int16_t version) noexcept {
    return api != ApiKey::apiVersions && isFlexible(api, version);
}

} // namespace bellwether::kafka::wire
