// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/segment_text.h"

#include <algorithm>

#include <QObject>
#include <QStringList>

#include "ui/format/display.h"

namespace bellwether::ui {

namespace {

Millis lengthOf(const TimelineSegment& segment, WallTime now) {
    return std::max(Millis{0}, saturatingSubtract(segment.to ? *segment.to : now, segment.from));
}

} // namespace

QString kindWord(SegmentKind kind) {
    switch (kind) {
    case SegmentKind::led: return QObject::tr("led");
    case SegmentKind::vacant: return QObject::tr("vacant");
    case SegmentKind::changing: return QObject::tr("changing hands");
    case SegmentKind::inDoubt: return QObject::tr("in doubt");
    case SegmentKind::contradictory: return QObject::tr("contradictory");
    case SegmentKind::notObserved: break;
    }
    return QObject::tr("not observed");
}

QStringList labelsOf(const TimelineSegment& segment, WallTime now) {
    if (segment.kind == SegmentKind::led) {
        return segment.holder ? QStringList{shown(*segment.holder)} : QStringList{kindWord(segment.kind)};
    }
    const QString duration = words(lengthOf(segment, now));
    QStringList labels{kindWord(segment.kind) + QLatin1Char(' ') + duration};
    if (segment.kind == SegmentKind::changing) {
        labels << QObject::tr("changing");
    }
    labels << duration;
    return labels;
}

QString hoverText(const TimelineLane& lane, const LaneBar& bar, WallTime now, const ClockText& clock) {
    QStringList lines{shown(lane.role)};
    if (bar.merged > 1) {
        lines << QObject::tr("%1 stretches closer than a pixel, the gravest: %2")
                     .arg(bar.merged)
                     .arg(kindWord(bar.kind));
        lines << QObject::tr("zoom in to tell them apart");
        return lines.join(QLatin1Char('\n'));
    }
    if (!bar.segment || *bar.segment >= lane.segments.size()) {
        lines << QObject::tr("not observed: this console did not watch then");
        return lines.join(QLatin1Char('\n'));
    }
    const TimelineSegment& segment = lane.segments[*bar.segment];
    QString first = kindWord(segment.kind);
    if (segment.holder) {
        first = segment.kind == SegmentKind::led ? QObject::tr("led by %1").arg(shown(*segment.holder))
                                                 : QObject::tr("%1 (%2)").arg(first, shown(*segment.holder));
    }
    lines << first;
    if (segment.token) {
        lines << QObject::tr("token of the lease %1").arg(tokenText(segment.token));
    }
    lines << (segment.beganBefore ? QObject::tr("before %1, when this console first looked")
                                  : QObject::tr("from %1"))
                 .arg(clock.full(segment.from));
    lines << (segment.to ? QObject::tr("to %1").arg(clock.full(*segment.to)) : QObject::tr("still so"));
    lines << QObject::tr("%1 (%2 ms) on this console's clock")
                 .arg(words(lengthOf(segment, now)))
                 .arg(lengthOf(segment, now).count());
    return lines.join(QLatin1Char('\n'));
}

QString laneSummary(const TimelineLane& lane, WallTime now) {
    if (lane.segments.empty()) {
        return QObject::tr("%1: nothing seen yet").arg(shown(lane.role));
    }
    const TimelineSegment& last = lane.segments.back();
    QString state = kindWord(last.kind);
    if (last.kind == SegmentKind::led && last.holder) {
        state = QObject::tr("led by %1 under %2").arg(shown(*last.holder), tokenText(last.token));
    }
    return QObject::tr("%1: %2 for %3; %n stretch(es) seen", nullptr, static_cast<int>(lane.segments.size()))
        .arg(shown(lane.role), state, words(lengthOf(last, now)));
}

} // namespace bellwether::ui
