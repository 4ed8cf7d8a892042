// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace bellwether {

/// Durations are signed 64-bit milliseconds everywhere, as in the record format.
using Millis = std::chrono::duration<std::int64_t, std::milli>;

/// An instant on some wall clock: milliseconds since the Unix epoch. Whose clock it is depends on the field:
/// the name of the field or its comment says so (holder's, member's, broker's, this console's).
using WallTime = std::chrono::time_point<std::chrono::system_clock, Millis>;

/// An instant on this process's monotonic clock. A different type, so that it is never mixed with WallTime.
using SteadyTime = std::chrono::time_point<std::chrono::steady_clock, Millis>;

[[nodiscard]] constexpr WallTime wallTime(std::int64_t millisSinceEpoch) noexcept {
    return WallTime{Millis{millisSinceEpoch}};
}

[[nodiscard]] constexpr std::int64_t toMillis(WallTime t) noexcept {
    return t.time_since_epoch().count();
}

/// a + b, clamped to the int64 range instead of overflowing.
[[nodiscard]] WallTime saturatingAdd(WallTime a, Millis b) noexcept;
[[nodiscard]] Millis saturatingAdd(Millis a, Millis b) noexcept;
/// a - b, clamped to the int64 range.
[[nodiscard]] Millis saturatingSubtract(WallTime a, WallTime b) noexcept;
/// a * factor, clamped to the int64 range.
[[nodiscard]] Millis saturatingMultiply(Millis a, std::int64_t factor) noexcept;

/// A duration in words, never negative, never absurd: "0.4 s", "21 s", "32 min", "5 h 3 min", "8 days",
/// "292 million years". Two significant units at most. For negative input the magnitude is used.
[[nodiscard]] std::string durationInWords(Millis d);

/// RFC 3339 in UTC with milliseconds, "2023-11-14T22:13:20.000Z". Outside years 0001..9999 the text is the
/// decimal count of milliseconds followed by " ms since 1970", which no reader can take for a date.
[[nodiscard]] std::string rfc3339Utc(WallTime t);

} // namespace bellwether
