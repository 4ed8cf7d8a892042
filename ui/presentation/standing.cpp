// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presentation/standing.h"

#include <algorithm>
#include <array>

#include <QObject>

#include "ui/format/display.h"

namespace bellwether::ui {

const VerdictLook& lookOf(VerdictKind kind) {
    const auto look = [](VerdictKind of, QChar mark, Tone tone, int urgency, bool needs) {
        return VerdictLook{QString(mark), fromCore(toString(of)), tone, urgency, needs};
    };
    static const std::array<VerdictLook, 8> looks{
        look(VerdictKind::unknown, QChar(u'?'), Tone::stale, 3, true),
        look(VerdictKind::vacant, QChar(u'○'), Tone::bad, 1, true),
        look(VerdictKind::claimed, QChar(u'◆'), Tone::changing, 4, true),
        look(VerdictKind::claiming, QChar(u'▶'), Tone::changing, 6, true),
        look(VerdictKind::authoritative, QChar(u'✓'), Tone::ok, 7, false),
        look(VerdictKind::overdue, QChar(u'▲'), Tone::changing, 2, true),
        look(VerdictKind::contradictory, QChar(u'≠'), Tone::bad, 0, true),
        look(VerdictKind::inDoubt, QChar(u'≈'), Tone::changing, 5, true),
    };
    const auto index = static_cast<std::size_t>(kind);
    return looks.at(std::min(index, looks.size() - 1));
}

Standing standingOf(const RoleView& view, Millis stalenessBound, bool lost, const Now& now) {
    Standing standing;
    standing.kind = view.verdict.kind;
    const bool answered = view.coordinator.kind != CoordinatorAnswer::Kind::notAsked &&
                          view.coordinator.answeredAt != SteadyTime{};
    const bool read = view.topicAsOfSteady != SteadyTime{};
    standing.everRead = answered && read;
    const SteadyTime oldest = std::min(view.coordinator.answeredAt, view.topicAsOfSteady);
    if (standing.everRead) {
        standing.age = std::max(Millis{0}, now.steady - oldest);
    }
    standing.asOf = saturatingAdd(now.wall, -standing.age);
    standing.stale = view.stale || lost || (standing.everRead && standing.age > stalenessBound);
    if (standing.stale) {
        standing.kind = VerdictKind::unknown;
    }
    return standing;
}

WallTime knownUntil(const Snapshot& snapshot, const Now& now) {
    if (snapshot.connection.phase == ConnectionPhase::lost) {
        return std::min(now.wall, snapshot.connection.lastGoodRead.value_or(snapshot.watchingSince));
    }
    const Millis silence = now.steady - snapshot.takenAtSteady;
    return silence > snapshot.stalenessBound ? saturatingAdd(now.wall, -silence) : now.wall;
}

QString whyText(const RoleView& view, const Standing& standing) {
    const QString reason = sentence(view.verdict.reason);
    if (!standing.stale || view.verdict.kind == VerdictKind::unknown) {
        return reason;
    }
    const QString was = fromCore(toString(view.verdict.kind));
    return QObject::tr("no fresh answer for %1; the last one said %2: %3")
        .arg(words(standing.age), was, reason);
}

} // namespace bellwether::ui
