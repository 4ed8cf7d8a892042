// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/countdown.h"

#include <algorithm>

#include <QObject>

#include "ui/format/display.h"

namespace bellwether::ui {

namespace {

constexpr Millis kFar{std::int64_t{7} * 86'400'000};

QString leftText(Millis left) {
    if (left > kFar) {
        return QObject::tr("deadline far in the future (%1)").arg(words(left));
    }
    if (left > Millis{0}) {
        return words(left);
    }
    if (left > Millis{-100}) {
        return QObject::tr("expired just now");
    }
    return QObject::tr("expired %1 ago").arg(words(left));
}

double fractionOf(Millis left, Millis whole) {
    if (whole <= Millis{0} || left <= Millis{0}) {
        return 0.0;
    }
    return std::min(1.0, static_cast<double>(left.count()) / static_cast<double>(whole.count()));
}

} // namespace

Countdown countdownOf(const CountdownInput& input, const ClockText& clock) {
    Countdown result;
    const Millis whole = saturatingSubtract(input.deadline, input.grantedAt);
    if (input.stale) {
        const Millis left = saturatingSubtract(input.deadline, input.asOf);
        result.state = Countdown::State::stopped;
        result.fraction = fractionOf(left, whole);
        const QString when = clock.instant(input.asOf, input.now);
        result.text = left > Millis{0} && left <= kFar
                          ? QObject::tr("stopped: %1 were left as of %2").arg(words(left), when)
                          : QObject::tr("stopped: %1 as of %2").arg(leftText(left), when);
        return result;
    }
    const Millis left = saturatingSubtract(input.deadline, input.now);
    result.fraction = fractionOf(left, whole);
    result.text = leftText(left);
    if (left > kFar) {
        result.state = Countdown::State::farFuture;
    } else if (left <= Millis{0}) {
        result.state = Countdown::State::expired;
    }
    if (input.clockStepped) {
        result.state = Countdown::State::unreliable;
        result.text = QObject::tr("%1 (unreliable: this machine's clock stepped)").arg(result.text);
    }
    return result;
}

} // namespace bellwether::ui
