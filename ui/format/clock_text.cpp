// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/clock_text.h"

#include <cstdlib>

#include <QDateTime>
#include <QObject>

#include "ui/format/display.h"

namespace bellwether::ui {

namespace {

// One day inside the years 1..9999, so that no offset leads out of them.
constexpr std::int64_t kFirstWritable = -62'135'596'800'000 + 86'400'000;
constexpr std::int64_t kLastWritable = 253'402'300'799'999 - 86'400'000;

QDateTime at(WallTime t, const QTimeZone& zone) {
    return QDateTime::fromMSecsSinceEpoch(toMillis(t), zone);
}

} // namespace

ClockText::ClockText(ZoneChoice choice, QTimeZone local)
    : choice_(choice)
    , zone_(choice == ZoneChoice::utc || !local.isValid() ? QTimeZone::utc() : std::move(local)) {}

bool ClockText::writable(WallTime t) const noexcept {
    return toMillis(t) >= kFirstWritable && toMillis(t) <= kLastWritable;
}

QString ClockText::instant(WallTime t, WallTime reference) const {
    if (!writable(t)) {
        return full(t);
    }
    const QDateTime when = at(t, zone_);
    const bool sameDay = writable(reference) && at(reference, zone_).date() == when.date();
    if (!sameDay) {
        return full(t);
    }
    return when.toString(QStringLiteral("HH:mm:ss.zzz ")) + offset(t);
}

QString ClockText::brief(WallTime t, WallTime reference) const {
    if (!writable(t)) {
        return t > reference ? QObject::tr("far future") : QObject::tr("far past");
    }
    return instant(t, reference);
}

QString ClockText::full(WallTime t) const {
    if (!writable(t)) {
        return fromCore(rfc3339Utc(t));
    }
    return at(t, zone_).toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz ")) + offset(t);
}

QString ClockText::tick(WallTime t, Millis step) const {
    if (!writable(t)) {
        return QString();
    }
    const QDateTime when = at(t, zone_);
    if (step >= Millis{86'400'000}) {
        return when.toString(QStringLiteral("yyyy-MM-dd"));
    }
    if (step >= Millis{60'000}) {
        const bool midnight = when.time().msecsSinceStartOfDay() == 0;
        return when.toString(midnight ? QStringLiteral("yyyy-MM-dd") : QStringLiteral("HH:mm"));
    }
    return when.toString(step >= Millis{1'000} ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm:ss.zzz"));
}

QString ClockText::offset(WallTime t) const {
    if (choice_ == ZoneChoice::utc) {
        return QStringLiteral("Z");
    }
    const std::int64_t minutes = offsetMillis(t).count() / 60'000;
    const auto hours = static_cast<int>(std::abs(minutes) / 60);
    const auto rest = static_cast<int>(std::abs(minutes) % 60);
    QString text =
        QStringLiteral("%1%2").arg(QLatin1Char(minutes < 0 ? '-' : '+')).arg(hours, 2, 10, QLatin1Char('0'));
    if (rest != 0) {
        text += QStringLiteral(":%1").arg(rest, 2, 10, QLatin1Char('0'));
    }
    return text;
}

Millis ClockText::offsetMillis(WallTime t) const {
    if (!writable(t)) {
        return Millis{0};
    }
    return Millis{std::int64_t{at(t, zone_).offsetFromUtc()} * 1'000};
}

QString ClockText::zoneName(WallTime now) const {
    if (choice_ == ZoneChoice::utc) {
        return QStringLiteral("UTC");
    }
    return QStringLiteral("UTC%1 %2").arg(offset(now), QString::fromUtf8(zone_.id()));
}

} // namespace bellwether::ui
