// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace bellwether {

/// A name made safe to show on one line: control characters, line and paragraph separators, bidirectional
/// marks, zero-width and other invisible code points, lone surrogates and the backslash itself are written as
/// \n, \t, \r, \\ or \u{XXXX}; bytes that are not UTF-8 as \xNN. Everything else is kept.
/// The result is printable and decodes back to the same bytes, so it is also what is copied as text.
[[nodiscard]] std::string displayText(std::string_view bytes);

/// The inverse of displayText for well-formed input; nullopt-like empty result never happens: text without a
/// legal escape is taken literally.
[[nodiscard]] std::string fromDisplayText(std::string_view text);

/// Order for people: digit runs compare as numbers ("node-2" before "node-10"), the rest by bytes; ties by
/// bytes, so that the order is total. Negative, zero or positive like memcmp.
[[nodiscard]] int compareNatural(std::string_view a, std::string_view b) noexcept;

} // namespace bellwether
