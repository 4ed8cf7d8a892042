// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_window.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace bellwether::ui {

namespace {

Millis clampedSpan(double span) {
    const double low = static_cast<double>(TimeWindow::kShortest.count());
    const double high = static_cast<double>(TimeWindow::kLongest.count());
    return Millis{static_cast<std::int64_t>(std::llround(std::clamp(span, low, high)))};
}

std::int64_t floorTo(std::int64_t value, std::int64_t step) {
    const std::int64_t rest = value % step;
    return value - (rest < 0 ? rest + step : rest);
}

} // namespace

double TimeWindow::pixelOf(WallTime t, double width) const noexcept {
    const auto distance = static_cast<double>(saturatingSubtract(t, from).count());
    return distance / static_cast<double>(span.count()) * width;
}

WallTime TimeWindow::timeAt(double pixel, double width) const noexcept {
    if (width <= 0.0) {
        return from;
    }
    const double distance = pixel / width * static_cast<double>(span.count());
    return saturatingAdd(from, Millis{static_cast<std::int64_t>(std::llround(distance))});
}

TimeWindow TimeWindow::zoomed(double fraction, double factor) const noexcept {
    TimeWindow result;
    result.span = clampedSpan(static_cast<double>(span.count()) * factor);
    const double shift = fraction * static_cast<double>((span - result.span).count());
    result.from = saturatingAdd(from, Millis{static_cast<std::int64_t>(std::llround(shift))});
    return result;
}

TimeWindow TimeWindow::panned(Millis by) const noexcept {
    return {saturatingAdd(from, by), span};
}

TimeWindow TimeWindow::fitting(WallTime first, WallTime last) noexcept {
    const auto whole = static_cast<double>(std::max(Millis{0}, saturatingSubtract(last, first)).count());
    TimeWindow result;
    result.span = clampedSpan(std::max(whole * 1.06, 10'000.0));
    result.from = saturatingAdd(
        first, -Millis{static_cast<std::int64_t>(static_cast<double>(result.span.count()) * 0.02)});
    return result;
}

TimeWindow TimeWindow::following(WallTime now, Millis span) noexcept {
    TimeWindow result;
    result.span = clampedSpan(static_cast<double>(span.count()));
    result.from = saturatingAdd(
        now, -Millis{static_cast<std::int64_t>(static_cast<double>(result.span.count()) * 0.97)});
    return result;
}

Millis TimeWindow::tickStep(double width, double minimumPixels) const noexcept {
    static constexpr std::int64_t kSecond = 1'000;
    static constexpr std::int64_t kMinute = 60 * kSecond;
    static constexpr std::int64_t kHour = 60 * kMinute;
    static constexpr std::int64_t kDay = 24 * kHour;
    static constexpr std::array steps{std::int64_t{10},
                                      std::int64_t{20},
                                      std::int64_t{50},
                                      std::int64_t{100},
                                      std::int64_t{200},
                                      std::int64_t{500},
                                      kSecond,
                                      2 * kSecond,
                                      5 * kSecond,
                                      10 * kSecond,
                                      15 * kSecond,
                                      30 * kSecond,
                                      kMinute,
                                      2 * kMinute,
                                      5 * kMinute,
                                      10 * kMinute,
                                      15 * kMinute,
                                      30 * kMinute,
                                      kHour,
                                      2 * kHour,
                                      3 * kHour,
                                      6 * kHour,
                                      12 * kHour,
                                      kDay,
                                      2 * kDay,
                                      7 * kDay,
                                      14 * kDay,
                                      30 * kDay,
                                      90 * kDay};
    const double millisPerPixel = static_cast<double>(span.count()) / std::max(1.0, width);
    const double wanted = millisPerPixel * minimumPixels;
    const auto* found = std::find_if(steps.begin(), steps.end(), [wanted](std::int64_t step) {
        return static_cast<double>(step) >= wanted;
    });
    return Millis{found == steps.end() ? steps.back() : *found};
}

std::vector<WallTime> TimeWindow::ticks(Millis step, const ClockText& clock) const {
    std::vector<WallTime> result;
    const Millis offset = clock.offsetMillis(from);
    const std::int64_t first = floorTo(toMillis(from) + offset.count() - 1, step.count()) + step.count();
    const auto most = static_cast<std::size_t>(span / step) + 2;
    for (WallTime t = wallTime(first - offset.count()); t <= to() && result.size() < most; t += step) {
        result.push_back(t);
    }
    return result;
}

} // namespace bellwether::ui
