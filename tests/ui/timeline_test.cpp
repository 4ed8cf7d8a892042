// SPDX-License-Identifier: GPL-3.0-or-later
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include "scenes.h"
#include "ui/timeline/lane_bars.h"
#include "ui/timeline/segment_text.h"
#include "ui/timeline/time_window.h"
#include "ui/timeline/timeline_pane.h"
#include "ui/timeline/timeline_plot.h"

using namespace bellwether;
using namespace bellwether::ui;

namespace {

const ClockText kUtc(ZoneChoice::utc);
constexpr WallTime kStart = wallTime(1'000'000);

TimelineSegment led(std::int64_t from, std::optional<std::int64_t> to) {
    TimelineSegment segment;
    segment.kind = SegmentKind::led;
    segment.holder = MemberId::of("node-1").value();
    segment.token = FencingToken{9'007'199'254'740'993, 3};
    segment.from = kStart + Millis{from};
    if (to) {
        segment.to = kStart + Millis{*to};
    }
    return segment;
}

TimelineSegment vacant(std::int64_t from, std::int64_t to) {
    TimelineSegment segment = led(from, to);
    segment.kind = SegmentKind::vacant;
    segment.holder.reset();
    segment.token.reset();
    return segment;
}

TimelineLane laneOf(std::vector<TimelineSegment> segments) {
    return {Role::of("controller").value(), std::move(segments)};
}

} // namespace

class TimelineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void pixelsAndTimesAreInverse() {
        const TimeWindow window{kStart, Millis{60'000}};
        QCOMPARE(window.pixelOf(kStart, 600.0), 0.0);
        QCOMPARE(window.pixelOf(kStart + Millis{30'000}, 600.0), 300.0);
        for (int pixel = -50; pixel < 700; pixel += 7) {
            QCOMPARE(window.pixelOf(window.timeAt(pixel, 600.0), 600.0), double(pixel));
        }
        QCOMPARE(window.timeAt(10.0, 0.0), kStart);
        QVERIFY(window.pixelOf(WallTime::max(), 600.0) > 600.0);
        QVERIFY(window.pixelOf(WallTime::min(), 600.0) < 0.0);
    }

    void zoomKeepsWhatIsUnderThePointer() {
        const TimeWindow window{kStart, Millis{60'000}};
        for (const double factor : {0.5, 0.8, 1.25, 3.0}) {
            const TimeWindow zoomed = window.zoomed(0.25, factor);
            QCOMPARE(zoomed.timeAt(150.0, 600.0), window.timeAt(150.0, 600.0));
            QCOMPARE(zoomed.span.count(), std::int64_t(60'000 * factor));
        }
        TimeWindow deep = window;
        for (int i = 0; i < 200; ++i) {
            deep = deep.zoomed(0.5, 0.5);
        }
        QCOMPARE(deep.span, TimeWindow::kShortest);
        for (int i = 0; i < 200; ++i) {
            deep = deep.zoomed(0.5, 2.0);
        }
        QCOMPARE(deep.span, TimeWindow::kLongest);
    }

    void fittingAndFollowing() {
        const TimeWindow fit = TimeWindow::fitting(kStart, kStart + Millis{100'000});
        QVERIFY(fit.from < kStart && fit.to() > kStart + Millis{100'000});
        QVERIFY(TimeWindow::fitting(kStart, kStart).span > Millis{0});
        const TimeWindow follow = TimeWindow::following(kStart, Millis{60'000});
        QVERIFY(follow.to() > kStart);
        QCOMPARE(follow.span, Millis{60'000});
    }

    void ticksAreRoundInTheZone() {
        const ClockText kolkata(ZoneChoice::local, QTimeZone("Asia/Kolkata"));
        const TimeWindow day{wallTime(1'700'000'000'000), Millis{86'400'000}};
        const Millis step = day.tickStep(800.0, 100.0);
        const auto ticks = day.ticks(step, kolkata);
        QVERIFY(ticks.size() >= 4 && ticks.size() <= 9);
        for (std::size_t i = 0; i < ticks.size(); ++i) {
            QVERIFY(ticks[i] >= day.from && ticks[i] <= day.to());
            QCOMPARE((toMillis(ticks[i]) + 19'800'000) % step.count(), std::int64_t{0});
            QVERIFY(i == 0 || ticks[i] > ticks[i - 1]);
        }
        const TimeWindow longest{kStart, TimeWindow::kLongest};
        QVERIFY(longest.ticks(Millis{86'400'000 * 90LL}, kUtc).size() <= 6);
    }

    void barsAreClippedAndFollowOneAnother() {
        const TimelineLane lane = laneOf({led(0, 20'000), vacant(20'000, 23'000), led(23'000, std::nullopt)});
        const TimeWindow window{kStart + Millis{10'000}, Millis{60'000}};
        const auto bars = barsOf(lane, window, 600.0, kStart + Millis{50'000}, kStart + Millis{50'000});
        QCOMPARE(bars.size(), std::size_t{3});
        QCOMPARE(bars[0].left, 0.0);
        QCOMPARE(bars[0].right, 100.0);
        QCOMPARE(bars[1].kind, SegmentKind::vacant);
        QCOMPARE(bars[2].left, 130.0);
        QCOMPARE(bars[2].right, 400.0); // until now, nothing after
    }

    void whatWasNotWatchedIsABar() {
        const TimelineLane lane = laneOf({led(20'000, 30'000), led(40'000, std::nullopt)});
        const auto bars =
            barsOf(lane, {kStart, Millis{60'000}}, 600.0, kStart + Millis{50'000}, kStart + Millis{50'000});
        QCOMPARE(bars.size(), std::size_t{4});
        QCOMPARE(bars[0].kind, SegmentKind::notObserved);
        QVERIFY(!bars[0].segment);
        QCOMPARE(bars[2].kind, SegmentKind::notObserved);
        const auto none = barsOf(laneOf({}), {kStart, Millis{60'000}}, 600.0, kStart + Millis{50'000},
                                 kStart + Millis{50'000});
        QCOMPARE(none.size(), std::size_t{1});
        QCOMPARE(none[0].kind, SegmentKind::notObserved);
        const auto ended = barsOf(laneOf({led(0, 10'000)}), {kStart, Millis{60'000}}, 600.0,
                                  kStart + Millis{50'000}, kStart + Millis{50'000});
        QCOMPARE(ended.back().kind, SegmentKind::notObserved);
    }

    void nothingIsDrawnBeyondWhatIsKnown() {
        const TimelineLane lane = laneOf({led(0, std::nullopt)});
        const auto bars =
            barsOf(lane, {kStart, Millis{60'000}}, 600.0, kStart + Millis{20'000}, kStart + Millis{50'000});
        QCOMPARE(bars.size(), std::size_t{2});
        QCOMPARE(bars[0].right, 200.0);
        QCOMPARE(bars[1].kind, SegmentKind::notObserved);
        QCOMPARE(bars[1].right, 500.0);
    }

    void belowAPixelTheGravestIsSeen() {
        std::vector<TimelineSegment> segments;
        for (std::int64_t i = 0; i < 100'000; ++i) {
            segments.push_back(i == 54'321 ? vacant(i * 10, i * 10 + 10) : led(i * 10, i * 10 + 10));
        }
        const TimelineLane lane = laneOf(std::move(segments));
        const TimeWindow all{kStart, Millis{1'000'000}};
        const auto bars = barsOf(lane, all, 500.0, kStart + Millis{1'000'000}, kStart + Millis{1'000'000});
        QVERIFY(bars.size() <= 1'001);
        std::size_t merged = 0;
        int graves = 0;
        double last = 0.0;
        for (const LaneBar& bar : bars) {
            merged += bar.merged;
            graves += bar.kind == SegmentKind::vacant ? 1 : 0;
            QVERIFY(bar.left >= last - 1e-9 && bar.right <= 500.0);
            last = bar.left;
        }
        QCOMPARE(merged, std::size_t{100'000});
        QCOMPARE(graves, 1);
        // Zoomed in, only what is visible is looked at.
        const auto few = barsOf(lane, {kStart + Millis{500'000}, Millis{100}}, 500.0,
                                kStart + Millis{1'000'000}, kStart + Millis{1'000'000});
        QCOMPARE(few.size(), std::size_t{10});
    }

    void hitTest() {
        const TimelineLane lane = laneOf({led(0, 20'000), vacant(20'000, 23'000)});
        const WallTime now = kStart + Millis{23'000};
        QCOMPARE(segmentAt(lane, kStart + Millis{19'999}, now), std::optional<std::size_t>{0});
        QCOMPARE(segmentAt(lane, kStart + Millis{20'000}, now), std::optional<std::size_t>{1});
        QVERIFY(!segmentAt(lane, kStart - Millis{1}, now));
        const auto bars = barsOf(lane, {kStart, Millis{23'000}}, 230.0, now, now);
        QCOMPARE(barAt(bars, 5.0)->kind, SegmentKind::led);
        QCOMPARE(barAt(bars, 205.0)->kind, SegmentKind::vacant);
        QVERIFY(barAt(bars, 300.0) == nullptr);
    }

    void hoverTellsTheRecord() {
        const TimelineLane lane = laneOf({led(0, 20'000), vacant(20'000, 23'000)});
        const auto bars =
            barsOf(lane, {kStart, Millis{23'000}}, 230.0, kStart + Millis{23'000}, kStart + Millis{23'000});
        const QString text = hoverText(lane, bars[0], kStart, kUtc);
        QVERIFY(text.contains(QLatin1String("led by node-1")));
        QVERIFY(text.contains(QLatin1String("9007199254740993:3")));
        QVERIFY(text.contains(QLatin1String("1970-01-01 00:16:40.000 Z")));
        QVERIFY(text.contains(QLatin1String("20000 ms")));
        QCOMPARE(labelsOf(lane.segments[1], kStart),
                 QStringList({QStringLiteral("vacant 3 s"), QStringLiteral("3 s")}));
        QVERIFY(laneSummary(lane, kStart).startsWith(QLatin1String("controller: vacant for 3 s")));
        LaneBar many = bars[1];
        many.merged = 12;
        QVERIFY(hoverText(lane, many, kStart, kUtc).contains(QLatin1String("12 stretches")));
    }

    void theMouseMovesTheWindow() {
        TimelinePane pane;
        pane.resize(900, 300);
        pane.setClockText(kUtc);
        const auto snapshot = std::make_shared<const Snapshot>(test::everyVerdictScene());
        const Now now{test::kSceneNow, test::kSceneSteady};
        std::vector<int> lanes(snapshot->timeline.size());
        for (std::size_t i = 0; i < lanes.size(); ++i) {
            lanes[i] = static_cast<int>(i);
        }
        pane.update(snapshot, lanes, now);
        pane.show();
        QVERIFY(QTest::qWaitForWindowExposed(&pane));
        TimelinePlot* plot = pane.plot();
        QWidget* surface = plot->findChild<QWidget*>();
        QVERIFY(pane.following());
        QCOMPARE(plot->window().span, Millis{120'000});

        const QRect area = plot->plotArea();
        const QPoint at(area.left() + area.width() / 4, area.top() + 10);
        const WallTime under = plot->window().timeAt(at.x() - area.left(), area.width());
        QWheelEvent wheel(at, surface->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(surface, &wheel);
        QCOMPARE(plot->window().span, Millis{96'000});
        QVERIFY(std::abs((plot->window().timeAt(at.x() - area.left(), area.width()) - under).count()) <= 1);
        QVERIFY(!pane.following());

        std::vector<Role> clicked;
        connect(&pane, &TimelinePane::roleClicked, this,
                [&clicked](const Role& role) { clicked.push_back(role); });
        const TimeWindow before = plot->window();
        QTest::mousePress(surface, Qt::LeftButton, {}, at);
        QTest::mouseMove(surface, at + QPoint(100, 0));
        QTest::mouseRelease(surface, Qt::LeftButton, {}, at + QPoint(100, 0));
        QVERIFY(plot->window().from < before.from);
        QCOMPARE(plot->window().span, before.span);
        QVERIFY(clicked.empty());

        QTest::mouseClick(surface, Qt::LeftButton, {}, at);
        QCOMPARE(clicked.size(), std::size_t{1});
        QVERIFY(clicked.front() == snapshot->timeline.front()->role);

        QTest::mouseDClick(surface, Qt::LeftButton, {}, at);
        QVERIFY(plot->window().from < snapshot->watchingSince);
        QVERIFY(plot->window().to() > now.wall);

        QVERIFY(plot->textAt(at).startsWith(QLatin1String("billing")));
        QVERIFY(plot->accessibleDescription().contains(QLatin1String("billing: changing hands for 20 s")));
        QTest::keyClick(plot, Qt::Key_Plus);
        QTest::keyClick(plot, Qt::Key_Left);
        QVERIFY(plot->window().span < Millis{300'000});
    }
};

QTEST_MAIN(TimelineTest)
#include "timeline_test.moc"
