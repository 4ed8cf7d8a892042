// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/record_codec.h"

namespace bellwether::testing_support {

[[nodiscard]] Role role(std::string_view name);
[[nodiscard]] MemberId member(std::string_view name);

/// Hex digits to bytes; blanks are skipped. Throws on anything else.
[[nodiscard]] std::string bytesOfHex(std::string_view hex);
[[nodiscard]] std::string hexOfBytes(std::string_view bytes);

/// A legal name of at most `maxBytes` bytes from code points of one to four bytes.
[[nodiscard]] std::string randomName(std::mt19937_64& random, std::size_t maxBytes = kMaxNameBytes);
[[nodiscard]] std::string randomBytes(std::mt19937_64& random, std::size_t maxBytes);
/// Any int64, the extremes and their neighbours more often than chance.
[[nodiscard]] std::int64_t randomInt64(std::mt19937_64& random);
[[nodiscard]] std::uint64_t below(std::mt19937_64& random, std::uint64_t bound);

struct Sample {
    std::string what;
    std::string key;
    std::optional<std::string> value;
    CoordinationRecord record;
};

/// Legal records of every kind: names of 1 and 249 bytes, several scripts, extreme numbers, tombstones.
[[nodiscard]] std::vector<Sample> legalRecords();

} // namespace bellwether::testing_support
