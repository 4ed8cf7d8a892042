// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/presentation/headline.h"

#include <algorithm>

#include <QObject>

#include "ui/format/display.h"

namespace bellwether::ui {

QString rolesHeadline(qint64 all, qint64 shownRows, qint64 needing) {
    const QString count =
        shownRows == all ? countText(all) : QObject::tr("%1 of %2").arg(countText(shownRows), countText(all));
    if (needing == 0) {
        return all == 0 ? QObject::tr("Roles (none)") : QObject::tr("Roles (%1; all led)").arg(count);
    }
    return needing == 1 ? QObject::tr("Roles (%1; 1 needs you)").arg(count)
                        : QObject::tr("Roles (%1; %2 need you)").arg(count, countText(needing));
}

EmptyState emptyState(const Snapshot& snapshot, const QString& filter) {
    const ConnectionView& connection = snapshot.connection;
    const QString endpoint = shown(connection.endpoint);
    const QString topic = shown(connection.topic);
    if (!snapshot.roles.empty()) {
        return {QObject::tr("No role matches “%1”").arg(filter), QObject::tr("Esc clears the filter.")};
    }
    if (connection.problem && connection.problem->code == ErrorCode::topicMissing) {
        return {QObject::tr("There is no topic %1").arg(topic),
                QObject::tr("The line on top says how to create it. If members use another topic, start with "
                            "--topic NAME.")};
    }
    switch (connection.phase) {
    case ConnectionPhase::connecting:
        if (connection.problem) {
            return {QObject::tr("Cannot connect to %1").arg(endpoint),
                    QObject::tr("The line on top says why. Trying again by itself.")};
        }
        return {QObject::tr("Connecting to %1").arg(endpoint), QObject::tr("Roles appear as they are read.")};
    case ConnectionPhase::reading:
        return {QObject::tr("Reading %1").arg(topic),
                QObject::tr("%1 of %2 records")
                    .arg(countText(connection.recordsRead), countText(connection.recordsKnown))};
    case ConnectionPhase::lost:
        return {QObject::tr("Cannot connect to %1").arg(endpoint),
                QObject::tr("The line on top says why. Trying again by itself.")};
    case ConnectionPhase::live:
    case ConnectionPhase::degraded: break;
    }
    return {QObject::tr("No roles yet"),
            QObject::tr("%1 was read to its end and holds no record of a role. One appears as soon as a "
                        "member registers, "
                        "for example with\nbellwetherctl join ROLE --member NAME")
                .arg(topic)};
}

namespace {

void describeTopic(const ConnectionView& connection, StatusText& text) {
    switch (connection.phase) {
    case ConnectionPhase::connecting: text.topic = QObject::tr("topic not read yet"); break;
    case ConnectionPhase::reading: {
        text.topic = QObject::tr("reading %1 of %2 records")
                         .arg(countText(connection.recordsRead), countText(connection.recordsKnown));
        const std::int64_t known = std::max<std::int64_t>(1, connection.recordsKnown);
        const double part = static_cast<double>(connection.recordsRead) / static_cast<double>(known);
        text.progressPercent = std::clamp(static_cast<int>(part * 100.0), 0, 100);
        break;
    }
    case ConnectionPhase::live:
        text.topic = QObject::tr("topic read to end");
        text.topicTone = Tone::ok;
        break;
    case ConnectionPhase::degraded:
        text.topic = QObject::tr("topic read in part");
        text.topicTone = Tone::changing;
        break;
    case ConnectionPhase::lost:
        text.topic = QObject::tr("topic cannot be read");
        text.topicTone = Tone::bad;
        break;
    }
}

void describeBrokers(const ConnectionView& connection, StatusText& text) {
    if (!connection.cluster) {
        text.brokers = QObject::tr("brokers not known yet");
        text.brokersTone = connection.phase == ConnectionPhase::lost ? Tone::bad : Tone::information;
        return;
    }
    const auto& brokers = connection.cluster->brokers;
    const auto up =
        connection.phase == ConnectionPhase::lost
            ? std::ptrdiff_t{0}
            : std::count_if(brokers.begin(), brokers.end(), [](const auto& b) { return b.reachable; });
    const auto known = static_cast<std::ptrdiff_t>(brokers.size());
    text.brokers = QObject::tr("%1/%2 brokers").arg(up).arg(known);
    text.brokersTone = up == known ? Tone::ok : (up == 0 ? Tone::bad : Tone::changing);
    const auto& version = connection.cluster->transactionVersion;
    text.feature = version ? QObject::tr("transaction.version %1").arg(*version)
                           : QObject::tr("transaction.version none");
}

} // namespace

StatusText statusText(const Snapshot& snapshot, const Now& now, const ClockText& clock) {
    StatusText text;
    describeBrokers(snapshot.connection, text);
    describeTopic(snapshot.connection, text);
    text.clock = snapshot.clockStepped ? QObject::tr("clock stepped") : QObject::tr("clock ok");
    text.clockTone = snapshot.clockStepped ? Tone::bad : Tone::ok;
    const auto& good = snapshot.connection.lastGoodRead;
    if (!good) {
        text.asOf = QObject::tr("nothing read yet");
        return text;
    }
    text.asOf = QObject::tr("as of %1").arg(clock.instant(*good, now.wall));
    const bool old = saturatingSubtract(now.wall, *good) > snapshot.stalenessBound;
    text.asOfTone = old || snapshot.connection.phase == ConnectionPhase::lost ? Tone::stale : Tone::ok;
    return text;
}

} // namespace bellwether::ui
