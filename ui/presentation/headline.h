// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include "ui/format/clock_text.h"
#include "ui/presentation/standing.h"

namespace bellwether::ui {

/// "Roles (10,000; 2 need you)", and while a filter is on "Roles (3 of 10,000; 2 need you)".
[[nodiscard]] QString rolesHeadline(qint64 all, qint64 shownRows, qint64 needing);

/// What stands in the place of the role list while it has no row.
struct EmptyState {
    QString title;
    QString advice;
};

[[nodiscard]] EmptyState emptyState(const Snapshot& snapshot, const QString& filter);

/// The segments of the status bar.
struct StatusText {
    QString brokers;
    Tone brokersTone = Tone::information;
    QString topic;
    Tone topicTone = Tone::information;
    int progressPercent = -1; ///< of the first read; -1: no bar
    QString feature;
    QString clock;
    Tone clockTone = Tone::information;
    QString asOf;
    Tone asOfTone = Tone::information;
};

[[nodiscard]] StatusText statusText(const Snapshot& snapshot, const Now& now, const ClockText& clock);

} // namespace bellwether::ui
