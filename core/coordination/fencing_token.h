// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "coordination/result.h"

namespace bellwether {

/// The pair the transaction coordinator mints for transactional.id = role (KIP-98). Ordered by producerId
/// first: when the int16 epoch runs out Kafka hands out a fresh producerId with epoch 0 (KIP-360), so an
/// epoch alone says nothing.
struct FencingToken {
    std::int64_t producerId = -1;
    std::int16_t producerEpoch = -1;

    /// "-1:-1": nobody has taken the role. Lower than every minted token.
    [[nodiscard]] static constexpr FencingToken none() noexcept { return {}; }

    [[nodiscard]] constexpr bool isNone() const noexcept { return *this == none(); }

    /// "producerId:producerEpoch".
    [[nodiscard]] std::string text() const;
    /// The inverse of text(); both numbers must be in range and either both >= 0 or "-1:-1".
    [[nodiscard]] static Result<FencingToken> parse(std::string_view text);

    auto operator<=>(const FencingToken&) const = default;
    bool operator==(const FencingToken&) const = default;
};

} // namespace bellwether
