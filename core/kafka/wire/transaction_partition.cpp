// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/transaction_partition.h"

#include <cstdint>
#include <limits>

namespace bellwether::kafka::wire {
namespace {

struct CodePoint {
    std::uint32_t value = 0xFFFD;
    std::size_t bytes = 1;
};

CodePoint firstOf(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const auto lead = at(0);
    if (lead < 0x80) {
        return {lead, 1};
    }
    const std::size_t size = lead >= 0xF0 && lead < 0xF8 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    if (size == 0 || lead >= 0xF8 || text.size() < size) {
        return {};
    }
    std::uint32_t value = lead & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((at(i) & 0xC0U) != 0x80U) {
            return {};
        }
        value = (value << 6U) | (at(i) & 0x3FU);
    }
    return {value, size};
}

} // namespace

std::size_t transactionPartition(std::string_view transactionalId, std::size_t partitions) {
    std::uint32_t hash = 0;
    const auto add = [&hash](std::uint32_t unit) { hash = hash * 31U + unit; };
    while (!transactionalId.empty()) {
        const auto [value, bytes] = firstOf(transactionalId);
        if (value >= 0x10000) { // a surrogate pair
            add(0xD800U + ((value - 0x10000U) >> 10U));
            add(0xDC00U + ((value - 0x10000U) & 0x3FFU));
        } else {
            add(value);
        }
        transactionalId.remove_prefix(bytes);
    }
    const auto signedHash = static_cast<std::int32_t>(hash);
    const auto positive = signedHash == std::numeric_limits<std::int32_t>::min() ? 0
                          : signedHash < 0                                       ? -signedHash
                                                                                 : signedHash;
    return static_cast<std::size_t>(positive) % partitions;
}

} // namespace bellwether::kafka::wire
