// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>

#include "feed/snapshot.h"
#include "ports/clock.h"

namespace bellwether::test {

/// A clock that a test moves.
class HandClock final : public Clock {
public:
    HandClock(WallTime wall, SteadyTime steady)
        : wall_(toMillis(wall))
        , steady_(steady.time_since_epoch().count()) {}

    [[nodiscard]] WallTime wall() const override { return wallTime(wall_.load()); }

    [[nodiscard]] SteadyTime steady() const override { return SteadyTime{Millis{steady_.load()}}; }

    bool sleepFor(Millis duration, std::stop_token stop) override {
        advance(duration);
        return !stop.stop_requested();
    }

    void advance(Millis by) {
        wall_ += by.count();
        steady_ += by.count();
    }

private:
    std::atomic<std::int64_t> wall_;
    std::atomic<std::int64_t> steady_;
};

/// A source of scripted snapshots. publish() may be called from any thread.
class FakeSource final : public SnapshotSource {
public:
    explicit FakeSource(Snapshot first = {})
        : latest_(std::make_shared<const Snapshot>(std::move(first))) {}

    void publish(Snapshot snapshot) {
        {
            const std::scoped_lock lock(mutex_);
            snapshot.sequence = latest_->sequence + 1;
            latest_ = std::make_shared<const Snapshot>(std::move(snapshot));
        }
        const std::scoped_lock lock(listenerMutex_);
        if (listener_) {
            listener_();
        }
    }

    [[nodiscard]] std::shared_ptr<const Snapshot> latest() const override {
        const std::scoped_lock lock(mutex_);
        ++reads_;
        return latest_;
    }

    void onSnapshot(std::function<void()> listener) override {
        const std::scoped_lock lock(listenerMutex_);
        listener_ = std::move(listener);
    }

    void refresh() override { ++refreshes_; }

    [[nodiscard]] int refreshes() const { return refreshes_; }

    [[nodiscard]] int reads() const { return reads_; }

    [[nodiscard]] bool listened() const {
        const std::scoped_lock lock(listenerMutex_);
        return static_cast<bool>(listener_);
    }

private:
    mutable std::mutex mutex_;
    mutable std::mutex listenerMutex_;
    std::shared_ptr<const Snapshot> latest_;
    std::function<void()> listener_;
    std::atomic<int> refreshes_{0};
    mutable std::atomic<int> reads_{0};
};

} // namespace bellwether::test
