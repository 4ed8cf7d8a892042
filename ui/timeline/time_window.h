// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "coordination/time.h"
#include "ui/format/clock_text.h"

namespace bellwether::ui {

/// The stretch of time a plot shows, and its mapping to pixels. A value; pure; any thread.
struct TimeWindow {
    WallTime from{};
    Millis span{300'000};

    static constexpr Millis kShortest{100};
    static constexpr Millis kLongest{std::int64_t{400} * 86'400'000};

    bool operator==(const TimeWindow&) const = default;

    [[nodiscard]] WallTime to() const noexcept { return saturatingAdd(from, span); }

    /// May lie outside 0..width.
    [[nodiscard]] double pixelOf(WallTime t, double width) const noexcept;
    [[nodiscard]] WallTime timeAt(double pixel, double width) const noexcept;
    /// `factor` < 1 zooms in; the instant at `fraction` (0..1) of the window stays where it is, until a bound
    /// of the span is met.
    [[nodiscard]] TimeWindow zoomed(double fraction, double factor) const noexcept;
    [[nodiscard]] TimeWindow panned(Millis by) const noexcept;
    /// Shows [first, last] with a little air at both ends.
    [[nodiscard]] static TimeWindow fitting(WallTime first, WallTime last) noexcept;
    /// Ends a little after now.
    [[nodiscard]] static TimeWindow following(WallTime now, Millis span) noexcept;

    /// Round step so that ticks are at least `minimumPixels` apart.
    [[nodiscard]] Millis tickStep(double width, double minimumPixels) const noexcept;
    /// Ticks at multiples of `step` on the wall clock of the zone, in time order, all inside the window.
    [[nodiscard]] std::vector<WallTime> ticks(Millis step, const ClockText& clock) const;
};

} // namespace bellwether::ui
