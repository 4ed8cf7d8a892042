// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include "ui/format/clock_text.h"
#include "ui/presentation/standing.h"

namespace bellwether::ui {

/// One line of the banner: what is wrong, where, and what to do.
struct Trouble {
    Tone tone = Tone::changing;
    QString what;
    QString where;
    QString hint;

    bool operator==(const Trouble&) const = default;
    [[nodiscard]] QString text() const; ///< one line, for copying and for a screen reader
};

/// Everything that limits what the window can be trusted with, the worst first; empty when all is well.
[[nodiscard]] QList<Trouble> troublesOf(const Snapshot& snapshot, const Now& now, const ClockText& clock);

} // namespace bellwether::ui
