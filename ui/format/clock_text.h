// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTimeZone>

#include "coordination/time.h"

namespace bellwether::ui {

/// Which zone instants are written in.
enum class ZoneChoice { local, utc };

/// Writes instants for people: milliseconds always, the zone's offset always, so that the repeated hour of
/// autumn stays readable. A value class; any thread.
class ClockText {
public:
    explicit ClockText(ZoneChoice choice = ZoneChoice::local, QTimeZone local = QTimeZone::systemTimeZone());

    [[nodiscard]] ZoneChoice choice() const noexcept { return choice_; }

    /// "12:00:03.120 +01", with the date in front unless it is the date of `reference` in this zone. UTC is
    /// written "12:00:03.120 Z". An instant outside years 1..9999 is "9223372036854775807 ms since 1970".
    [[nodiscard]] QString instant(WallTime t, WallTime reference) const;
    /// The same, but an instant outside years 1..9999 is "far future" or "far past": for cells of a table.
    [[nodiscard]] QString brief(WallTime t, WallTime reference) const;
    /// Always with the date.
    [[nodiscard]] QString full(WallTime t) const;
    /// "12:00:03", "12:00:03.120" or "Nov 14 12:00" for an axis whose ticks are `step` apart.
    [[nodiscard]] QString tick(WallTime t, Millis step) const;
    /// "+01", "-03:30" or "Z" at that instant.
    [[nodiscard]] QString offset(WallTime t) const;
    /// Distance of the zone's wall clock from UTC at that instant.
    [[nodiscard]] Millis offsetMillis(WallTime t) const;
    /// "UTC", or "UTC+01:00 Europe/Berlin".
    [[nodiscard]] QString zoneName(WallTime now) const;

private:
    [[nodiscard]] bool writable(WallTime t) const noexcept;

    ZoneChoice choice_;
    QTimeZone zone_;
};

} // namespace bellwether::ui
