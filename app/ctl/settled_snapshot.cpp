// SPDX-License-Identifier: Apache-2.0
#include "ctl/settled_snapshot.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace bellwether::ctl {

namespace {

/// Nothing was read, and waiting will not cure it.
bool isHopeless(const Snapshot& snapshot) {
    const ConnectionView& connection = snapshot.connection;
    if (connection.lastGoodRead || !connection.problem) {
        return false;
    }
    switch (connection.problem->code) {
    case ErrorCode::invalidArgument:
    case ErrorCode::topicMissing:
    case ErrorCode::refused: return true;
    case ErrorCode::unreachable: return !connection.problem->retriable; // a certificate, another protocol
    default: return false;
    }
}

/// Waiting may cure it, but whoever asked wants a word: a few seconds are enough to see that nobody answers,
/// or that the topic can be read and the coordinators cannot be asked.
bool isDoubtful(const Snapshot& snapshot) {
    const ConnectionView& connection = snapshot.connection;
    return connection.problem &&
           (connection.problem->code == ErrorCode::unsupported ||
            (!connection.lastGoodRead && connection.problem->code == ErrorCode::unreachable));
}

} // namespace

bool isJudged(const Snapshot& snapshot, std::size_t rolesToCome) {
    return snapshot.connection.phase == ConnectionPhase::live && snapshot.connection.lastGoodRead &&
           snapshot.roles.size() >= rolesToCome &&
           std::all_of(snapshot.roles.begin(), snapshot.roles.end(), [](const auto& role) {
               return !role->stale && role->coordinator.kind != CoordinatorAnswer::Kind::notAsked;
           });
}

bool isSettled(const Snapshot& snapshot, std::size_t rolesToCome) {
    return isJudged(snapshot, rolesToCome) && snapshot.pinnedLately == 0 &&
           std::none_of(snapshot.roles.begin(), snapshot.roles.end(),
                        [](const auto& role) { return role->verdict.askAgain; });
}

std::shared_ptr<const Snapshot> waitForSettled(SnapshotSource& source, const WaitForSettled& wait,
                                               std::stop_token stop) {
    using Instant = std::chrono::steady_clock::time_point;
    std::mutex mutex;
    std::condition_variable_any news;
    bool fresh = false;
    source.onSnapshot([&] {
        const std::lock_guard lock(mutex);
        fresh = true;
        news.notify_one();
    });

    constexpr Millis kDoubtfulPatience{4'000};
    constexpr Millis kLongest = std::chrono::hours{24};
    const Instant begun = std::chrono::steady_clock::now();
    Instant deadline = begun + std::clamp(wait.timeout, Millis{0}, kLongest);
    bool judged = false;
    std::unique_lock lock(mutex);
    while (true) {
        fresh = false;
        lock.unlock();
        auto snapshot = source.latest();
        lock.lock();
        const Instant now = std::chrono::steady_clock::now();
        if (!judged && isJudged(*snapshot, wait.rolesToCome)) {
            judged = true;
            deadline = std::min(deadline, now + wait.patience);
        }
        if (isDoubtful(*snapshot)) {
            deadline = std::min(deadline, begun + kDoubtfulPatience);
        }
        if (isSettled(*snapshot, wait.rolesToCome) || isHopeless(*snapshot) || now >= deadline ||
            stop.stop_requested()) {
            lock.unlock();
            source.onSnapshot({});
            return snapshot;
        }
        news.wait_until(lock, stop, deadline, [&] { return fresh; });
    }
}

} // namespace bellwether::ctl
