// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bellwether::detail {

/// One step of reading UTF-8 (RFC 3629). `length` is nought when no well-formed sequence begins at the first
/// byte.
struct CodePoint {
    char32_t value = 0;
    std::size_t length = 0;
};

/// Precondition: bytes is not empty.
[[nodiscard]] CodePoint firstCodePoint(std::string_view bytes) noexcept;

/// Precondition: a Unicode scalar value.
void appendUtf8(std::string& out, char32_t value);

} // namespace bellwether::detail
