// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "coordination/ids.h"

namespace bellwether {

/// Kafka's murmur2 (org.apache.kafka.common.utils.Utils#murmur2), signed as in Java.
[[nodiscard]] std::int32_t murmur2(std::string_view bytes) noexcept;

/// (murmur2(role) & 0x7fffffff) % partitionCount: the one partition that holds all records of the role.
/// partitionCount is what the cluster says now, never a constant; throws std::invalid_argument when < 1.
[[nodiscard]] std::int32_t rolePartition(const Role& role, std::int32_t partitionCount);

} // namespace bellwether
