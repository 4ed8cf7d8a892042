// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presentation/troubles.h"

#include <algorithm>

#include <QObject>

#include "report/pinned_text.h"
#include "ui/format/display.h"

namespace bellwether::ui {

QString Trouble::text() const {
    QString line = what;
    if (!where.isEmpty()) {
        line += QStringLiteral(" (%1)").arg(where);
    }
    if (!hint.isEmpty()) {
        line += QStringLiteral(": ") + hint;
    }
    return line;
}

QList<Trouble> troublesOf(const Snapshot& snapshot, const Now& now, const ClockText& clock) {
    QList<Trouble> troubles;
    const ConnectionView& connection = snapshot.connection;
    const bool lost = connection.phase == ConnectionPhase::lost;

    if (connection.problem) {
        Trouble trouble{lost ? Tone::bad : Tone::changing, sentence(connection.problem->what),
                        sentence(connection.problem->where), sentence(connection.problem->hint)};
        if (lost && connection.lastGoodRead) {
            trouble.what = QObject::tr("%1. Everything below is old, as of %2")
                               .arg(trouble.what, clock.instant(*connection.lastGoodRead, now.wall));
        }
        troubles.append(trouble);
    } else if (lost) {
        troubles.append({Tone::bad, QObject::tr("Nothing answers. Everything below is old"),
                         shown(connection.endpoint),
                         QObject::tr("check that the cluster runs and can be reached from here")});
    }

    const Millis silence = now.steady - snapshot.takenAtSteady;
    if (snapshot.sequence > 0 && silence > snapshot.stalenessBound) {
        troubles.append(
            {Tone::bad,
             QObject::tr("The reading side of this console has been silent for %1").arg(words(silence)),
             QObject::tr("last report %1").arg(clock.instant(snapshot.takenAt, now.wall)),
             QObject::tr("what is shown is old; restart the console if it stays so")});
    }
    if (snapshot.clockStepped) {
        troubles.append(
            {Tone::bad, QObject::tr("This machine's clock jumped"), QObject::tr("this console"),
             QObject::tr("countdowns are unreliable until it is steady again; check its time service")});
    }
    if (connection.cluster && !connection.cluster->canDescribe) {
        troubles.append({Tone::bad, QObject::tr("No broker can be asked who holds an epoch"),
                         shown(connection.endpoint),
                         QObject::tr("DescribeTransactions needs Apache Kafka 3.0 or newer")});
    }
    const PinnedPlace place{connection.endpoint, connection.topic, now.wall,
                            [&](WallTime instant) { return clock.instant(instant, now.wall).toStdString(); }};
    constexpr std::size_t kMostPinned = 3;
    for (std::size_t i = 0; i < std::min(snapshot.pinned.size(), kMostPinned); ++i) {
        const auto& log = snapshot.pinned[i];
        const auto words = wordsOf(log, place);
        const bool hanging = !log.open.empty() && log.open.front().hanging;
        troubles.append({hanging ? Tone::bad : Tone::changing, fromCore(words.what), fromCore(words.since),
                         fromCore(words.hint)});
    }
    if (snapshot.pinned.size() > kMostPinned) {
        QStringList others;
        for (auto i = kMostPinned; i < std::min<std::size_t>(snapshot.pinned.size(), 20); ++i) {
            others << QString::number(snapshot.pinned[i].partition);
        }
        troubles.append(
            {Tone::changing,
             QObject::tr("%1 more partitions are held back").arg(snapshot.pinned.size() - kMostPinned),
             QObject::tr("partitions %1").arg(others.join(QStringLiteral(", "))),
             QObject::tr("bellwetherctl roles lists them all")});
    }
    if (connection.exceptions > 0) {
        QString where;
        if (connection.lastGoodRead) {
            where = QObject::tr("last good read %1").arg(clock.instant(*connection.lastGoodRead, now.wall));
        }
        troubles.append(
            {Tone::changing,
             QObject::tr("The reading thread survived %n unexpected fault(s)", nullptr,
                         static_cast<int>(std::min<std::uint64_t>(connection.exceptions, 1'000'000))),
             where, QObject::tr("it goes on; please report it")});
    }
    return troubles;
}

} // namespace bellwether::ui
