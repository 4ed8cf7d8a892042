// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/lane_painter.h"

#include <algorithm>

#include <QFontMetrics>
#include <QPainter>

#include "ui/format/display.h"
#include "ui/timeline/lane_bars.h"
#include "ui/timeline/segment_text.h"

namespace bellwether::ui {

namespace {

constexpr int kBarInset = 3;
constexpr double kNarrowestLabelled = 24.0;

Tone toneOf(SegmentKind kind) {
    switch (kind) {
    case SegmentKind::vacant:
    case SegmentKind::contradictory: return Tone::bad;
    case SegmentKind::changing:
    case SegmentKind::inDoubt: return Tone::changing;
    case SegmentKind::led: return Tone::information;
    case SegmentKind::notObserved: break;
    }
    return Tone::stale;
}

Qt::BrushStyle patternOf(SegmentKind kind) {
    switch (kind) {
    case SegmentKind::contradictory: return Qt::DiagCrossPattern;
    case SegmentKind::inDoubt: return Qt::Dense6Pattern;
    case SegmentKind::notObserved: return Qt::BDiagPattern;
    case SegmentKind::led:
    case SegmentKind::vacant:
    case SegmentKind::changing: break;
    }
    return Qt::NoBrush;
}

QString fittingLabel(const TimelineSegment& segment, const QFontMetrics& metrics, double room, WallTime now) {
    const QStringList labels = labelsOf(segment, now);
    const auto fits = [&metrics, room](const QString& label) {
        return metrics.horizontalAdvance(label) <= room;
    };
    const auto found = std::find_if(labels.begin(), labels.end(), fits);
    if (found != labels.end()) {
        return *found;
    }
    if (segment.kind == SegmentKind::led && room >= 40.0) {
        return metrics.elidedText(labels.value(0), Qt::ElideRight, static_cast<int>(room));
    }
    return {};
}

void paintLabel(QPainter& painter, const QRectF& box, const QString& label, const QColor& text,
                const QColor& under) {
    if (under.isValid()) {
        const double width = QFontMetrics(painter.font()).horizontalAdvance(label) + 6.0;
        painter.fillRect(QRectF(box.center().x() - width / 2.0, box.top() + 2.0, width, box.height() - 4.0),
                         under);
    }
    painter.setPen(QPen(text));
    painter.drawText(box, Qt::AlignCenter | Qt::TextSingleLine, label);
}

void paintBar(QPainter& painter, const QRectF& box, const LaneBar& bar, const TimelineLane& lane,
              const LaneScene& scene, MemberColours& members) {
    const Colours& colours = coloursOf(scene.theme);
    const TimelineSegment* segment = bar.segment ? &lane.segments[*bar.segment] : nullptr;
    const ToneColours& tone = toneOf(colours, toneOf(bar.kind));
    const bool led = bar.kind == SegmentKind::led;
    if (led) {
        painter.fillRect(box, segment != nullptr && segment->holder
                                  ? members.of(*segment->holder, scene.theme)
                                  : tone.line);
    } else if (bar.kind != SegmentKind::notObserved && box.width() < 4.0) {
        painter.fillRect(box, tone.line);
    } else {
        painter.fillRect(box, tone.fill);
        if (patternOf(bar.kind) != Qt::NoBrush) {
            painter.fillRect(box, QBrush(bar.kind == SegmentKind::notObserved ? colours.border : tone.line,
                                         patternOf(bar.kind)));
        }
        if (bar.kind != SegmentKind::notObserved) {
            painter.setPen(QPen(tone.line));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
    }
    if (bar.merged > 1 || segment == nullptr || box.width() < kNarrowestLabelled) {
        return;
    }
    const QString label =
        fittingLabel(*segment, QFontMetrics(painter.font()), box.width() - 10.0, scene.known);
    if (!label.isEmpty()) {
        paintLabel(painter, box, label, led ? colours.barText : tone.text, led ? QColor() : tone.fill);
    }
}

} // namespace

const TimelineLane* LaneScene::lane(int position) const {
    if (!snapshot || position < 0 || position >= static_cast<int>(lanes.size())) {
        return nullptr;
    }
    const auto index = static_cast<std::size_t>(lanes[static_cast<std::size_t>(position)]);
    return index < snapshot->timeline.size() ? snapshot->timeline[index].get() : nullptr;
}

void paintLaneNames(QPainter& painter, const QRect& area, const LaneScene& scene) {
    const Colours& colours = coloursOf(scene.theme);
    const QFont plain = painter.font();
    painter.setClipRect(area);
    for (int row = 0; (row + 1) * kLaneHeight <= area.height(); ++row) {
        const TimelineLane* lane = scene.lane(scene.firstLane + row);
        if (lane == nullptr) {
            break;
        }
        const QRect box(area.left() + 8, area.top() + row * kLaneHeight, area.width() - 16, kLaneHeight);
        const bool selected = scene.selected && *scene.selected == lane->role;
        if (selected) {
            painter.fillRect(QRect(area.left(), box.top(), area.width(), kLaneHeight), colours.selection);
        }
        QFont font = plain;
        font.setBold(selected);
        painter.setFont(font);
        painter.setPen(QPen(selected ? colours.selectionText : colours.text));
        painter.drawText(box, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
                         QFontMetrics(font).elidedText(shown(lane->role), Qt::ElideMiddle, box.width()));
    }
    painter.setFont(plain);
}

void paintLaneBars(QPainter& painter, const QRect& area, const LaneScene& scene, MemberColours& members) {
    const Colours& colours = coloursOf(scene.theme);
    for (int row = 0; (row + 1) * kLaneHeight <= area.height(); ++row) {
        const TimelineLane* lane = scene.lane(scene.firstLane + row);
        if (lane == nullptr) {
            break;
        }
        const int top = area.top() + row * kLaneHeight;
        if (scene.selected && *scene.selected == lane->role) {
            QColor under = colours.selection;
            under.setAlphaF(0.45F);
            painter.fillRect(QRect(area.left(), top, area.width(), kLaneHeight), under);
        }
        for (const LaneBar& bar : barsOf(*lane, scene.window, area.width(), scene.known, scene.present)) {
            const double width = std::max(1.0, bar.right - bar.left);
            paintBar(painter,
                     QRectF(area.left() + bar.left, top + kBarInset, width, kLaneHeight - 2 * kBarInset), bar,
                     *lane, scene, members);
        }
        painter.setPen(QPen(colours.plotGrid));
        painter.drawLine(QLine(area.left(), top + kLaneHeight, area.right(), top + kLaneHeight));
    }
    const double now = scene.window.pixelOf(scene.present, area.width());
    if (now >= 0.0 && now <= area.width()) {
        painter.setPen(QPen(colours.information.line, 1, Qt::DashLine));
        painter.drawLine(QLineF(area.left() + now, area.top(), area.left() + now, area.bottom()));
    }
}

} // namespace bellwether::ui
