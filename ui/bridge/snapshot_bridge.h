// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QObject>

#include "feed/snapshot.h"

namespace bellwether::ui {

/// Brings snapshots from the feed's thread to the GUI thread. The newest wins and at most one wake-up is
/// under way, so a slow GUI gets fewer snapshots, never a queue. The feed calls a sink that it shares, which
/// outlives this object. Lives on the GUI thread.
class SnapshotBridge final : public QObject {
    Q_OBJECT
public:
    explicit SnapshotBridge(std::shared_ptr<SnapshotSource> source, QObject* parent = nullptr);
    ~SnapshotBridge() override;

    [[nodiscard]] std::shared_ptr<const Snapshot> latest() const;
    /// Asks every source again.
    void refresh();

Q_SIGNALS:
    void arrived(const std::shared_ptr<const bellwether::Snapshot>& snapshot);

private:
    struct Sink;
    void deliver();

    std::shared_ptr<SnapshotSource> source_;
    std::shared_ptr<Sink> sink_;
};

} // namespace bellwether::ui
