// SPDX-License-Identifier: Apache-2.0
#include "coordination/time.h"

#include <limits>

#include <fmt/format.h>

namespace bellwether {

namespace {

constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

std::int64_t add(std::int64_t a, std::int64_t b) noexcept {
    std::int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        return b > 0 ? kMax : kMin;
    }
    return sum;
}

std::uint64_t magnitude(std::int64_t value) noexcept {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? std::uint64_t{0} - bits : bits;
}

/// "5 h 3 min"; the second unit is left out when it is nought.
std::string twoUnits(std::uint64_t big, std::string_view bigUnit, std::uint64_t small,
                     std::string_view smallUnit) {
    if (small == 0) {
        return fmt::format("{} {}", big, bigUnit);
    }
    return fmt::format("{} {} {} {}", big, bigUnit, small, smallUnit);
}

constexpr std::uint64_t kSecond = 1'000;
constexpr std::uint64_t kMinute = 60 * kSecond;
constexpr std::uint64_t kHour = 60 * kMinute;
constexpr std::uint64_t kDay = 24 * kHour;
constexpr std::uint64_t kYear = 31'556'952 * kSecond; ///< mean Gregorian year, 365.2425 days

std::string yearsInWords(std::uint64_t ms) {
    const auto years = ms / kYear;
    if (years >= 1'000'000) {
        return fmt::format("{} million years", years / 1'000'000);
    }
    if (years >= 10'000) {
        return fmt::format("{} thousand years", years / 1'000);
    }
    if (years >= 10) {
        return fmt::format("{} years", years);
    }
    const auto days = ms % kYear / kDay;
    return twoUnits(years, years == 1 ? "year" : "years", days, days == 1 ? "day" : "days");
}

} // namespace

WallTime saturatingAdd(WallTime a, Millis b) noexcept {
    return wallTime(add(toMillis(a), b.count()));
}

Millis saturatingAdd(Millis a, Millis b) noexcept {
    return Millis{add(a.count(), b.count())};
}

Millis saturatingSubtract(WallTime a, WallTime b) noexcept {
    std::int64_t difference = 0;
    if (__builtin_sub_overflow(toMillis(a), toMillis(b), &difference)) {
        return Millis{toMillis(b) < 0 ? kMax : kMin};
    }
    return Millis{difference};
}

Millis saturatingMultiply(Millis a, std::int64_t factor) noexcept {
    std::int64_t product = 0;
    if (__builtin_mul_overflow(a.count(), factor, &product)) {
        return Millis{(a.count() < 0) == (factor < 0) ? kMax : kMin};
    }
    return Millis{product};
}

std::string durationInWords(Millis d) {
    const auto ms = magnitude(d.count());
    if (ms == 0) {
        return "0 s";
    }
    if (ms < 100) {
        return fmt::format("{} ms", ms);
    }
    if (ms < 10 * kSecond) {
        const auto tenths = ms % kSecond / 100;
        return tenths == 0 ? fmt::format("{} s", ms / kSecond) : fmt::format("{}.{} s", ms / kSecond, tenths);
    }
    if (ms < kMinute) {
        return fmt::format("{} s", ms / kSecond);
    }
    if (ms < 10 * kMinute) {
        return twoUnits(ms / kMinute, "min", ms % kMinute / kSecond, "s");
    }
    if (ms < kHour) {
        return fmt::format("{} min", ms / kMinute);
    }
    if (ms < kDay) {
        return twoUnits(ms / kHour, "h", ms % kHour / kMinute, "min");
    }
    if (ms < 3 * kDay) {
        return twoUnits(ms / kDay, ms / kDay == 1 ? "day" : "days", ms % kDay / kHour, "h");
    }
    if (ms < kYear) {
        return fmt::format("{} days", ms / kDay);
    }
    return yearsInWords(ms);
}

std::string rfc3339Utc(WallTime t) {
    using namespace std::chrono;
    constexpr WallTime kFirst = sys_days{year{1} / January / 1};
    constexpr WallTime kEnd = sys_days{year{10000} / January / 1};
    if (t < kFirst || t >= kEnd) {
        return fmt::format("{} ms since 1970", toMillis(t));
    }
    const auto day = floor<days>(t);
    const year_month_day date{day};
    const hh_mm_ss<Millis> clock{t - day};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                       static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                       clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                       clock.subseconds().count());
}

} // namespace bellwether
