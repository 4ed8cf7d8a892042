// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <utility>

#include "coordination/time.h"

namespace bellwether::feed {

/// What other threads have to say to the engine, in order. Shared by pointer, so that a late handler finds a
/// closed inbox, not a dead one. Thread safe; take() is for the one engine thread.
class Inbox {
public:
    using Note = std::function<void()>;

    /// Dropped when closed.
    void post(Note note) {
        {
            const std::lock_guard lock(mutex_);
            if (closed_) {
                return;
            }
            notes_.push_back(std::move(note));
        }
        arrived_.notify_one();
    }

    /// All notes there are; waits at most `patience` for the first.
    [[nodiscard]] std::deque<Note> take(Millis patience) {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, patience, [this] { return closed_ || !notes_.empty(); });
        return std::exchange(notes_, {});
    }

    void close() {
        {
            const std::lock_guard lock(mutex_);
            closed_ = true;
            notes_.clear();
        }
        arrived_.notify_all();
    }

    [[nodiscard]] bool closed() const {
        const std::lock_guard lock(mutex_);
        return closed_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<Note> notes_;
    bool closed_ = false;
};

} // namespace bellwether::feed
