// SPDX-License-Identifier: GPL-3.0-or-later
#include <limits>

#include <QTest>

#include "ui/format/clock_text.h"
#include "ui/format/countdown.h"
#include "ui/format/display.h"

using namespace bellwether;
using namespace bellwether::ui;

namespace {

const ClockText kUtc(ZoneChoice::utc);
const ClockText kBerlin(ZoneChoice::local, QTimeZone("Europe/Berlin"));
constexpr WallTime kNow = wallTime(1'700'000'000'000); // 2023-11-14T22:13:20Z

CountdownInput leaseEnding(Millis left) {
    return {kNow - Millis{9'000}, saturatingAdd(kNow, left), kNow, kNow, false, false};
}

} // namespace

class FormatsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void instants() {
        QCOMPARE(kUtc.instant(kNow, kNow), QStringLiteral("22:13:20.000 Z"));
        QCOMPARE(kBerlin.instant(kNow, kNow), QStringLiteral("23:13:20.000 +01"));
        QCOMPARE(kBerlin.full(kNow), QStringLiteral("2023-11-14 23:13:20.000 +01"));
        QCOMPARE(ClockText(ZoneChoice::local, QTimeZone("Asia/Kolkata")).instant(kNow, kNow),
                 QStringLiteral("2023-11-15 03:43:20.000 +05:30").mid(11));
        QCOMPARE(ClockText(ZoneChoice::local, QTimeZone("America/St_Johns")).offset(kNow),
                 QStringLiteral("-03:30"));
    }

    void anotherDayHasItsDate() {
        const WallTime midnight = wallTime(1'700'002'800'000); // 2023-11-15T00:00 in Berlin
        QCOMPARE(kBerlin.instant(midnight, midnight), QStringLiteral("00:00:00.000 +01"));
        QCOMPARE(kBerlin.instant(midnight - Millis{1}, midnight),
                 QStringLiteral("2023-11-14 23:59:59.999 +01"));
        QVERIFY(!kBerlin.full(midnight).contains(QLatin1String("24:")));
    }

    void theRepeatedHourOfAutumn() {
        // 2023-10-29: at 01:00 UTC Berlin's clocks go from 03:00 back to 02:00.
        const WallTime first = wallTime(1'698'539'400'000); // 00:30Z
        const WallTime second = first + Millis{3'600'000};
        QCOMPARE(kBerlin.full(first), QStringLiteral("2023-10-29 02:30:00.000 +02"));
        QCOMPARE(kBerlin.full(second), QStringLiteral("2023-10-29 02:30:00.000 +01"));
        QCOMPARE(kUtc.full(second), QStringLiteral("2023-10-29 01:30:00.000 Z"));
    }

    void absurdInstantsAreNoDates() {
        const WallTime end = WallTime::max();
        QCOMPARE(kBerlin.full(end), QStringLiteral("9223372036854775807 ms since 1970"));
        QCOMPARE(kBerlin.instant(end, kNow), kBerlin.full(end));
        QVERIFY(!kBerlin.full(WallTime::min()).contains(QLatin1Char(':')));
        QCOMPARE(kBerlin.offsetMillis(end), Millis{0});
    }

    void ticks() {
        QCOMPARE(kUtc.tick(kNow, Millis{500}), QStringLiteral("22:13:20.000"));
        QCOMPARE(kUtc.tick(kNow, Millis{10'000}), QStringLiteral("22:13:20"));
        QCOMPARE(kUtc.tick(kNow, Millis{3'600'000}), QStringLiteral("22:13"));
        QCOMPARE(kUtc.tick(wallTime(1'700'006'400'000), Millis{3'600'000}), QStringLiteral("2023-11-15"));
    }

    void countdownWords() {
        QCOMPARE(countdownOf(leaseEnding(Millis{21'000}), kUtc).text, QStringLiteral("21 s"));
        QCOMPARE(countdownOf(leaseEnding(Millis{21'000}), kUtc).fraction, 0.7);
        QCOMPARE(countdownOf(leaseEnding(Millis{0}), kUtc).text, QStringLiteral("expired just now"));
        const Countdown gone = countdownOf(leaseEnding(Millis{-1'920'000}), kUtc);
        QCOMPARE(gone.text, QStringLiteral("expired 32 min ago"));
        QCOMPARE(gone.state, Countdown::State::expired);
        QCOMPARE(gone.fraction, 0.0);
        const Countdown far = countdownOf(leaseEnding(Millis::max()), kUtc);
        QCOMPARE(far.state, Countdown::State::farFuture);
        QCOMPARE(far.text, QStringLiteral("deadline far in the future (292 million years)"));
        QVERIFY(far.fraction <= 1.0);
    }

    void countdownNeverNegativeNorAbsurd() {
        const std::int64_t ends[] = {std::numeric_limits<std::int64_t>::min(), -1, 0, 1,
                                     std::numeric_limits<std::int64_t>::max()};
        for (const std::int64_t granted : ends) {
            for (const std::int64_t deadline : ends) {
                for (const std::int64_t now : ends) {
                    for (const bool stale : {false, true}) {
                        const CountdownInput input{wallTime(granted),
                                                   wallTime(deadline),
                                                   wallTime(now),
                                                   wallTime(now),
                                                   stale,
                                                   false};
                        const Countdown countdown = countdownOf(input, kUtc);
                        QVERIFY(countdown.fraction >= 0.0 && countdown.fraction <= 1.0);
                        QVERIFY2(!countdown.text.section(QLatin1String(" as of "), 0, 0)
                                      .contains(QLatin1Char('-')),
                                 qPrintable(countdown.text));
                    }
                }
            }
        }
    }

    void aStaleCountdownStands() {
        CountdownInput input = leaseEnding(Millis{21'000});
        input.stale = true;
        input.asOf = kNow;
        input.now = kNow + Millis{90'000};
        const Countdown countdown = countdownOf(input, kUtc);
        QCOMPARE(countdown.state, Countdown::State::stopped);
        QCOMPARE(countdown.text, QStringLiteral("stopped: 21 s were left as of 22:13:20.000 Z"));
        input.now += Millis{60'000};
        QCOMPARE(countdownOf(input, kUtc).fraction, countdown.fraction);
    }

    void aSteppedClockIsSaid() {
        CountdownInput input = leaseEnding(Millis{21'000});
        input.clockStepped = true;
        const Countdown countdown = countdownOf(input, kUtc);
        QCOMPARE(countdown.state, Countdown::State::unreliable);
        QVERIFY(countdown.text.contains(QLatin1String("unreliable")));
    }

    void everyDigitOfAnId() {
        QCOMPARE(tokenText(FencingToken{9'007'199'254'740'993, 32'766}),
                 QStringLiteral("9007199254740993:32766"));
        QCOMPARE(exactText(9'007'199'254'740'993), QStringLiteral("9007199254740993"));
        QCOMPARE(tokenText(FencingToken::none()), QStringLiteral("—"));
        QCOMPARE(tokenText(std::nullopt), QStringLiteral("—"));
        QCOMPARE(countText(std::numeric_limits<std::int64_t>::min()),
                 QStringLiteral("-9,223,372,036,854,775,808"));
        QCOMPARE(countText(999), QStringLiteral("999"));
        QCOMPARE(countText(10'000), QStringLiteral("10,000"));
        QCOMPARE(countText(-100), QStringLiteral("-100"));
    }

    void namesAreShownNotObeyed() {
        QCOMPARE(shown(std::string_view("a\nb\\c")), QStringLiteral("a\\nb\\\\c"));
        QVERIFY(!shown(std::string_view("x\u202Ey")).contains(QChar(0x202E)));
        // A sentence keeps the escapes that are in it and escapes what is not.
        QCOMPARE(sentence("role a\\nb says\x01"),
                 QStringLiteral("role a\\nb says") + shown(std::string_view("\x01")));
        QCOMPARE(sentence(""), QString());
        QCOMPARE(sentence("\\"), QStringLiteral("\\"));
    }

    void ages() {
        QCOMPARE(agoText(Millis{40}), QStringLiteral("just now"));
        QCOMPARE(agoText(Millis{400}), QStringLiteral("0.4 s ago"));
    }
};

QTEST_GUILESS_MAIN(FormatsTest)
#include "formats_test.moc"
