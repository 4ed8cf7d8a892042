// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSet>
#include <QTest>

#include "scenes.h"
#include "ui/format/display.h"
#include "ui/presentation/headline.h"
#include "ui/presentation/standing.h"
#include "ui/presentation/troubles.h"
#include "ui/theme/member_colours.h"
#include "ui/theme/theme.h"
#include "ui/window/role_header.h"

using namespace bellwether;
using namespace bellwether::ui;

namespace {

constexpr Millis kBound{10'000};
const Now kNow{test::kSceneNow, test::kSceneSteady};
const ClockText kUtc(ZoneChoice::utc);

Now later(Millis by) {
    return {kNow.wall + by, kNow.steady + by};
}

} // namespace

class PresentationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void everyVerdictHasItsOwnMarkAndWord() {
        QSet<QString> marks;
        QSet<QString> words;
        QSet<int> urgencies;
        for (int kind = 0; kind < 8; ++kind) {
            const VerdictLook& look = lookOf(static_cast<VerdictKind>(kind));
            QVERIFY(!look.mark.isEmpty() && !look.word.isEmpty());
            marks.insert(look.mark);
            words.insert(look.word);
            urgencies.insert(look.urgency);
            QCOMPARE(look.needsAttention, static_cast<VerdictKind>(kind) != VerdictKind::authoritative);
        }
        QCOMPARE(marks.size(), 8);
        QCOMPARE(words.size(), 8);
        QCOMPARE(urgencies.size(), 8);
    }

    void aFreshVerdictStands() {
        const auto view = test::makeRole({.name = "controller"});
        const Standing standing = standingOf(*view, kBound, false, kNow);
        QVERIFY(standing.kind == VerdictKind::authoritative);
        QVERIFY(!standing.stale);
        QCOMPARE(standing.age, Millis{400});
        QCOMPARE(standing.asOf, kNow.wall - Millis{400});
    }

    void ageAloneMakesItStale() {
        // Nobody sends anything: the window finds out by itself.
        const auto view = test::makeRole({.name = "controller"});
        QVERIFY(!standingOf(*view, kBound, false, later(Millis{9'600})).stale);
        const Standing standing = standingOf(*view, kBound, false, later(Millis{9'601}));
        QVERIFY(standing.stale);
        QVERIFY(standing.kind == VerdictKind::unknown);
        QVERIFY(whyText(*view, standing).contains(QLatin1String("the last one said authoritative")));
    }

    void theOlderSourceCounts() {
        RoleView view = *test::makeRole({.name = "controller"});
        view.coordinator.answeredAt = kNow.steady - Millis{12'000};
        QVERIFY(standingOf(view, kBound, false, kNow).stale);
        view = *test::makeRole({.name = "controller"});
        view.topicAsOfSteady = kNow.steady - Millis{12'000};
        QVERIFY(standingOf(view, kBound, false, kNow).stale);
    }

    void aStepOfTheWallClockDoesNotAgeAnything() {
        const auto view = test::makeRole({.name = "controller"});
        const Now stepped{kNow.wall + Millis{3'600'000}, kNow.steady};
        QCOMPARE(standingOf(*view, kBound, false, stepped).age, Millis{400});
    }

    void nothingAnswersMeansNothingIsKnown() {
        const auto view = test::makeRole({.name = "controller"});
        QVERIFY(standingOf(*view, kBound, true, kNow).stale);
    }

    void aSourceThatNeverAnsweredHasNoAge() {
        RoleView view = *test::makeRole({.name = "controller", .kind = VerdictKind::unknown});
        view.coordinator = {};
        QVERIFY(!standingOf(view, kBound, false, kNow).everRead);
        view.coordinator.kind = CoordinatorAnswer::Kind::failed;
        QVERIFY(!standingOf(view, kBound, false, kNow).everRead);
    }

    void theTimelineEndsWhereKnowledgeEnds() {
        QCOMPARE(knownUntil(test::calmScene(), kNow), kNow.wall);
        QCOMPARE(knownUntil(test::calmScene(), later(Millis{9'000})), kNow.wall + Millis{9'000});
        QCOMPARE(knownUntil(test::calmScene(), later(Millis{60'000})), kNow.wall);
        QCOMPARE(knownUntil(test::lostScene(), kNow), kNow.wall - Millis{42'000});
    }

    void headline() {
        QCOMPARE(rolesHeadline(10'000, 10'000, 2), QStringLiteral("Roles (10,000; 2 need you)"));
        QCOMPARE(rolesHeadline(10'000, 3, 1), QStringLiteral("Roles (3 of 10,000; 1 needs you)"));
        QCOMPARE(rolesHeadline(6, 6, 0), QStringLiteral("Roles (6; all led)"));
        QCOMPARE(rolesHeadline(0, 0, 0), QStringLiteral("Roles (none)"));
    }

    void emptyStatesSayWhatToDo() {
        QVERIFY(emptyState(test::noTopicScene(), {}).title.contains(QLatin1String("__coordination_state")));
        QVERIFY(emptyState(test::noTopicScene(), {}).advice.contains(QLatin1String("--topic")));
        QVERIFY(emptyState(test::cannotConnectScene(), {}).title.startsWith(QLatin1String("Cannot connect")));
        QVERIFY(emptyState(test::connectingScene(), {}).title.startsWith(QLatin1String("Connecting")));
        QCOMPARE(emptyState(test::readingScene(), {}).advice,
                 QStringLiteral("1,234,567 of 2,000,000 records"));
        QVERIFY(emptyState(test::emptyScene(), {}).advice.contains(QLatin1String("bellwetherctl join")));
        QVERIFY(emptyState(test::calmScene(), QStringLiteral("zzz")).title.contains(QLatin1String("zzz")));
    }

    void statusBar() {
        const StatusText live = statusText(test::calmScene(), kNow, kUtc);
        QCOMPARE(live.brokers, QStringLiteral("3/3 brokers"));
        QCOMPARE(live.topic, QStringLiteral("topic read to end"));
        QCOMPARE(live.feature, QStringLiteral("transaction.version 2"));
        QCOMPARE(live.clock, QStringLiteral("clock ok"));
        QCOMPARE(live.asOf, QStringLiteral("as of 22:13:19.600 Z"));
        QCOMPARE(live.progressPercent, -1);
        const StatusText reading = statusText(test::readingScene(), kNow, kUtc);
        QCOMPARE(reading.topic, QStringLiteral("reading 1,234,567 of 2,000,000 records"));
        QCOMPARE(reading.progressPercent, 61);
        const StatusText lost = statusText(test::lostScene(), kNow, kUtc);
        QCOMPARE(lost.brokers, QStringLiteral("0/3 brokers"));
        QCOMPARE(lost.brokersTone, Tone::bad);
        QCOMPARE(lost.asOfTone, Tone::stale);
        QCOMPARE(statusText(test::steppedScene(), kNow, kUtc).clock, QStringLiteral("clock stepped"));
    }

    void troublesSayWhatWhereAndWhatToDo() {
        QVERIFY(troublesOf(test::calmScene(), kNow, kUtc).isEmpty());
        for (const Snapshot& scene :
             {test::lostScene(), test::steppedScene(), test::noTopicScene(), test::cannotConnectScene()}) {
            const auto troubles = troublesOf(scene, kNow, kUtc);
            QVERIFY(!troubles.isEmpty());
            for (const Trouble& trouble : troubles) {
                QVERIFY(!trouble.what.isEmpty() && !trouble.where.isEmpty() && !trouble.hint.isEmpty());
            }
        }
        QVERIFY(troublesOf(test::lostScene(), kNow, kUtc)
                    .first()
                    .what.contains(QLatin1String("as of 22:12:38.000 Z")));
    }

    void aSilentFeedIsATrouble() {
        const auto troubles = troublesOf(test::calmScene(), later(Millis{10'001}), kUtc);
        QCOMPARE(troubles.size(), 1);
        QVERIFY(troubles.first().what.contains(QLatin1String("silent for 10 s")));
    }

    void survivedFaultsAreCounted() {
        Snapshot scene = test::calmScene();
        scene.connection.exceptions = 3;
        const auto troubles = troublesOf(scene, kNow, kUtc);
        QCOMPARE(troubles.size(), 1);
        QVERIFY(troubles.first().what.contains(QLatin1Char('3')));
        QVERIFY(troubles.first().where.contains(QLatin1String("last good read")));
    }

    void aPinnedLogIsATrouble() {
        const auto troubles = troublesOf(test::pinnedScene(), kNow, kUtc);
        const auto of = [&](const QString& partition) {
            for (const Trouble& trouble : troubles) {
                if (trouble.what.startsWith(partition)) {
                    return trouble;
                }
            }
            return Trouble{};
        };
        const Trouble waiting = of(QStringLiteral("Partition 3 "));
        QCOMPARE(waiting.tone, Tone::changing);
        QVERIFY(waiting.what.contains(QLatin1String("member node-2")));
        QVERIFY(waiting.where.contains(QLatin1String("seen since 22:12:59.000 Z")));
        QVERIFY(waiting.hint.contains(QLatin1String("not decided: ingest")));
        const Trouble hanging = of(QStringLiteral("Partition 11 "));
        QCOMPARE(hanging.tone, Tone::bad);
        QVERIFY(hanging.hint.contains(QLatin1String("--partition 11 --start-offset 4790")));
    }

    void leaseAndCoordinatorLines() {
        const auto usual = test::makeRole({.name = "controller"});
        QCOMPARE(leaseLine(*usual, {}, kNow, kUtc),
                 QStringLiteral("4242:7 by node-1   granted 22:13:11.000 Z   deadline 22:13:41.000 Z"));
        const auto slow = test::makeRole({.name = "controller", .duration = Millis{45'000}});
        QVERIFY(leaseLine(*slow, {}, kNow, kUtc).endsWith(QLatin1String("lasts 45 s (assumed 30 s)")));
        const auto back = test::makeRole({.name = "controller", .duration = Millis{-5'000}});
        QVERIFY(leaseLine(*back, {}, kNow, kUtc).endsWith(QLatin1String("ends before it was granted")));
        QCOMPARE(coordinatorLine(*usual, kNow, kUtc),
                 QStringLiteral("4242:7   CompleteCommit   as of 22:13:19.600 Z"));
        const auto claiming = test::makeRole({.name = "controller", .kind = VerdictKind::claiming});
        QVERIFY(coordinatorLine(*claiming, kNow, kUtc).contains(QLatin1String("transaction open since")));
    }

    void textCanBeReadOnEveryColour() {
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            const Colours& c = coloursOf(theme);
            for (const QColor& under : {c.window, c.base, c.alternate, c.raised}) {
                QVERIFY(contrast(c.text, under) >= 7.0);
                QVERIFY(contrast(c.muted, under) >= 4.5);
            }
            QVERIFY(contrast(c.selectionText, c.selection) >= 7.0);
            for (const Tone tone : {Tone::ok, Tone::changing, Tone::bad, Tone::information, Tone::stale}) {
                const ToneColours& colours = toneOf(c, tone);
                for (const QColor& under : {colours.fill, c.base, c.alternate, c.selection, c.window}) {
                    QVERIFY2(contrast(colours.text, under) >= 4.5,
                             qPrintable(QStringLiteral("theme %1 tone %2 on %3: %4")
                                            .arg(int(theme))
                                            .arg(int(tone))
                                            .arg(under.name())
                                            .arg(contrast(colours.text, under))));
                }
            }
            MemberColours members;
            QSet<QRgb> different;
            for (std::size_t i = 0; i < MemberColours::kDistinct; ++i) {
                const QColor colour = members.of(MemberId::of("m" + std::to_string(i)).value(), theme);
                QVERIFY(contrast(c.barText, colour) >= 4.5);
                different.insert(colour.rgb());
            }
            QCOMPARE(different.size(), qsizetype(MemberColours::kDistinct));
            QCOMPARE(members.of(MemberId::of("m0").value(), theme),
                     members.of(MemberId::of("m0").value(), theme));
        }
    }
};

QTEST_MAIN(PresentationTest)
#include "presentation_test.moc"
