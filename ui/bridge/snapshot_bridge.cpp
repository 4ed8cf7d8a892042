// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/bridge/snapshot_bridge.h"

#include <atomic>
#include <mutex>

#include <QMetaObject>

namespace bellwether::ui {

/// What the feed's thread touches.
struct SnapshotBridge::Sink {
    std::mutex mutex;
    SnapshotBridge* receiver = nullptr; // guarded by mutex
    std::atomic<bool> wakeUpUnderWay{false};
};

SnapshotBridge::SnapshotBridge(std::shared_ptr<SnapshotSource> source, QObject* parent)
    : QObject(parent)
    , source_(std::move(source))
    , sink_(std::make_shared<Sink>()) {
    sink_->receiver = this;
    source_->onSnapshot([sink = sink_] {
        if (sink->wakeUpUnderWay.exchange(true)) {
            return;
        }
        const std::scoped_lock lock(sink->mutex);
        if (sink->receiver != nullptr) {
            QMetaObject::invokeMethod(
                sink->receiver, [receiver = sink->receiver] { receiver->deliver(); }, Qt::QueuedConnection);
        }
    });
}

SnapshotBridge::~SnapshotBridge() {
    {
        const std::scoped_lock lock(sink_->mutex);
        sink_->receiver = nullptr;
    }
    source_->onSnapshot({});
}

std::shared_ptr<const Snapshot> SnapshotBridge::latest() const {
    return source_->latest();
}

void SnapshotBridge::refresh() {
    source_->refresh();
}

void SnapshotBridge::deliver() {
    // Cleared before the read: a snapshot made in between wakes once more instead of being missed.
    sink_->wakeUpUnderWay.store(false);
    Q_EMIT arrived(source_->latest());
}

} // namespace bellwether::ui
