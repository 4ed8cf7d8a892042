// SPDX-License-Identifier: Apache-2.0
#include "sandbox/cluster_core.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace bellwether::sandbox {

RealTime realDeadline(Millis timeout) {
    // A day is longer than any caller waits, and far from the end of the clock.
    constexpr Millis kLongest{86'400'000};
    return std::chrono::steady_clock::now() + std::clamp(timeout, Millis{0}, kLongest);
}

ClusterCore::ClusterCore(std::shared_ptr<Clock> clock, SandboxOptions options)
    : clock_(std::move(clock))
    , options_(std::move(options))
    , state_(options_) {
    if (!clock_) {
        throw std::invalid_argument("a sandbox cluster needs a clock");
    }
}

Result<void> ClusterCore::admitMetadata(Lock& lock, RealTime deadline,
                                        const std::function<bool()>& cancelled) {
    while (true) {
        if (cancelled()) {
            return fail(closedError("the call was cancelled by close()"));
        }
        if (!reachable_) {
            return fail(unreachableError("sandbox"));
        }
        if (!silent_) {
            return {};
        }
        if (!waitForChange(lock, deadline) && std::chrono::steady_clock::now() >= deadline && silent_) {
            return fail(timeoutError("no answer in time", "sandbox"));
        }
    }
}

Result<void> ClusterCore::admit(Lock& lock, SandboxCluster::Request request, RealTime deadline,
                                const std::function<bool()>& cancelled) {
    if (auto admitted = admitMetadata(lock, deadline, cancelled); !admitted) {
        return admitted;
    }
    auto& failures = failures_.at(static_cast<std::size_t>(request));
    if (!failures.empty()) {
        Error error = std::move(failures.front());
        failures.pop_front();
        return fail(std::move(error));
    }
    return {};
}

void ClusterCore::setReachable(bool reachable) {
    {
        const Lock guard(mutex_);
        reachable_ = reachable;
    }
    notify();
}

void ClusterCore::setSilent(bool silent) {
    {
        const Lock guard(mutex_);
        silent_ = silent;
    }
    notify();
}

void ClusterCore::failNext(SandboxCluster::Request request, Error error, int count) {
    {
        const Lock guard(mutex_);
        auto& failures = failures_.at(static_cast<std::size_t>(request));
        failures.insert(failures.end(), static_cast<std::size_t>(std::max(count, 0)), error);
    }
    notify();
}

} // namespace bellwether::sandbox
