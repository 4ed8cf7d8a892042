// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presentation/troubles.h"

#include <algorithm>

#include <QObject>

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
