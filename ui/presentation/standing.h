// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "feed/snapshot.h"

namespace bellwether::ui {

/// This console's two clocks at one moment. Pure code takes it as an argument.
struct Now {
    WallTime wall{};
    SteadyTime steady{};
};

/// What a colour stands for. Always shown together with a word and a mark.
enum class Tone { ok, changing, bad, information, stale };

/// How a verdict kind looks: one mark, one word, one tone, and its place when what needs a person comes
/// first.
struct VerdictLook {
    QString mark;
    QString word;
    Tone tone = Tone::stale;
    int urgency = 0; ///< 0 first
    bool needsAttention = true;
};

[[nodiscard]] const VerdictLook& lookOf(VerdictKind kind);

/// What may be said of one role at `now`. The window judges age itself, so that a feed that has stopped
/// cannot leave an old verdict looking fresh.
struct Standing {
    VerdictKind kind = VerdictKind::unknown; ///< unknown when stale
    bool stale = false;
    Millis age{0};        ///< of the older of the two sources, on the monotonic clock
    WallTime asOf{};      ///< the instant `age` ago
    bool everRead = true; ///< false: one source has not answered yet, age says nothing
    bool operator==(const Standing&) const = default;
};

/// `lost`: nothing answers, whatever the ages say.
[[nodiscard]] Standing standingOf(const RoleView& view, Millis stalenessBound, bool lost, const Now& now);

/// Up to when a snapshot's open stretches of time may be drawn: the present while the feed reports and the
/// cluster answers, else the last instant something was heard.
[[nodiscard]] WallTime knownUntil(const Snapshot& snapshot, const Now& now);

/// One sentence for under the verdict: the verdict's own reason, or why it can no longer be said and what it
/// was.
[[nodiscard]] QString whyText(const RoleView& view, const Standing& standing);

} // namespace bellwether::ui
