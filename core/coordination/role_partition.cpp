// SPDX-License-Identifier: Apache-2.0
#include "coordination/role_partition.h"

#include <stdexcept>

#include <fmt/format.h>

namespace bellwether {

std::int32_t murmur2(std::string_view bytes) noexcept {
    constexpr std::uint32_t kSeed = 0x9747b28cU;
    constexpr std::uint32_t kMultiplier = 0x5bd1e995U;
    constexpr unsigned kRotation = 24;
    const auto at = [bytes](std::size_t i) { return std::uint32_t{static_cast<unsigned char>(bytes[i])}; };

    std::uint32_t hash = kSeed ^ static_cast<std::uint32_t>(bytes.size());
    const std::size_t whole = bytes.size() / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4) {
        std::uint32_t block = at(i) | (at(i + 1) << 8U) | (at(i + 2) << 16U) | (at(i + 3) << 24U);
        block *= kMultiplier;
        block ^= block >> kRotation;
        block *= kMultiplier;
        hash = (hash * kMultiplier) ^ block;
    }
    if (whole < bytes.size()) {
        for (std::size_t i = whole; i < bytes.size(); ++i) {
            hash ^= at(i) << (8U * (i - whole));
        }
        hash *= kMultiplier;
    }
    hash ^= hash >> 13U;
    hash *= kMultiplier;
    hash ^= hash >> 15U;
    return static_cast<std::int32_t>(hash);
}

std::int32_t rolePartition(const Role& role, std::int32_t partitionCount) {
    if (partitionCount < 1) {
        throw std::invalid_argument(
            fmt::format("a topic has at least one partition, not {}", partitionCount));
    }
    return (murmur2(role.str()) & 0x7fffffff) % partitionCount;
}

} // namespace bellwether
