// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "coordination/lease.h"
#include "ui/format/clock_text.h"

namespace bellwether::ui {

/// How long a lease still runs, in words that are never negative and never absurd.
struct Countdown {
    enum class State {
        running,
        expired,
        farFuture,  ///< more than a week: nobody waits that long, say so
        unreliable, ///< this machine's clock stepped, the difference may be wrong
        stopped,    ///< what is known is too old to count on
    };
    State state = State::running;
    double fraction = 0.0; ///< of the lease's own duration that is left, 0..1
    QString text;

    bool operator==(const Countdown&) const = default;
};

struct CountdownInput {
    WallTime grantedAt{}; ///< holder's clock
    WallTime deadline{};  ///< holder's clock
    WallTime now{};       ///< this console's clock
    WallTime asOf{};      ///< this console's clock, when the lease was last known to be the newest
    bool stale = false;
    bool clockStepped = false;
};

/// Pure. "21 s", "expired 32 min ago", "deadline far in the future (292 million years)",
/// "stopped: 21 s were left as of 12:00:12.000 Z".
[[nodiscard]] Countdown countdownOf(const CountdownInput& input, const ClockText& clock);

} // namespace bellwether::ui
