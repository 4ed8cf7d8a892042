// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sandbox/cluster_state.h"
#include "sandbox/producer_session.h"

namespace bellwether::sandbox {

/// A deadline of a blocking call, in real time: the cluster's clock may stand still while a caller waits.
using RealTime = std::chrono::steady_clock::time_point;
[[nodiscard]] RealTime realDeadline(Millis timeout);

/// The shared middle of a sandbox cluster: its state behind one lock, its faults, and the wake-ups of those
/// who wait for either. Every with() call is one step that others can see the result of.
class ClusterCore {
public:
    using Lock = std::unique_lock<std::mutex>;

    ClusterCore(std::shared_ptr<Clock> clock, SandboxOptions options);

    [[nodiscard]] const SandboxOptions& options() const noexcept { return options_; }

    [[nodiscard]] Clock& clock() noexcept { return *clock_; }

    /// Runs one step under the lock and wakes whoever waits for a change.
    template<typename Step>
    auto with(Step&& step) {
        struct Wake {
            std::condition_variable& changed;

            ~Wake() { changed.notify_all(); }
        } const wake{changed_};

        const Lock lock(mutex_);
        return step(state_);
    }

    /// Lets a request in, or says why not: unreachable, an injected failure, or timeout when the brokers are
    /// silent until `deadline`. `cancelled` is looked at under the lock at each wake-up and makes it
    /// `closed`.
    [[nodiscard]] Result<void> admit(Lock& lock, SandboxCluster::Request request, RealTime deadline,
                                     const std::function<bool()>& cancelled);
    /// The same without an injectable failure, for metadata and offset requests.
    [[nodiscard]] Result<void> admitMetadata(Lock& lock, RealTime deadline,
                                             const std::function<bool()>& cancelled);

    [[nodiscard]] Lock lock() { return Lock(mutex_); }

    /// Waits for any change; false when the deadline has passed.
    [[nodiscard]] bool waitForChange(Lock& lock, RealTime deadline) {
        return changed_.wait_until(lock, deadline) == std::cv_status::no_timeout;
    }

    void notify() { changed_.notify_all(); }

    /// Under the lock only.
    [[nodiscard]] ClusterState& state() noexcept { return state_; }

    [[nodiscard]] bool reachable() const noexcept { return reachable_; }

    [[nodiscard]] bool silent() const noexcept { return silent_; }

    void setReachable(bool reachable);
    void setSilent(bool silent);
    void failNext(SandboxCluster::Request request, Error error, int count);

    /// Sessions of transports, for ableToCommit. Under the lock only; the transport owns the session.
    void enlist(const ProducerSession* session) { sessions_.push_back(session); }

    void dismiss(const ProducerSession* session) { std::erase(sessions_, session); }

    [[nodiscard]] const std::vector<const ProducerSession*>& sessions() const noexcept { return sessions_; }

    /// Open foreign transactions by handle. Under the lock only.
    [[nodiscard]] std::map<std::int64_t, ProducerSession>& foreign() noexcept { return foreign_; }

private:
    static constexpr std::size_t kRequests = 8;

    std::shared_ptr<Clock> clock_;
    const SandboxOptions options_;
    std::mutex mutex_;
    std::condition_variable changed_;
    ClusterState state_;
    bool reachable_ = true;
    bool silent_ = false;
    std::array<std::deque<Error>, kRequests> failures_;
    std::vector<const ProducerSession*> sessions_;
    std::map<std::int64_t, ProducerSession> foreign_;
};

} // namespace bellwether::sandbox
