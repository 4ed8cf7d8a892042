// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "feed/role_feed.h"
#include "world.h"

namespace bellwether::brokertest {

/// What is so after a step: who alone could commit a write of the role, if anybody.
struct Truth {
    std::optional<MemberId> leader; ///< may be called authoritative or overdue; nobody else
    bool healthy = false;           ///< the leader leads undisturbed: anything worse said of it is wrong
};

/// Watches one role through the live feed and compares every verdict with what the driver knows to be true at
/// the moment of the coordinator's answer.
class Oracle {
public:
    Oracle(const std::string& bootstrap, Role role);
    ~Oracle();
    Oracle(const Oracle&) = delete;
    Oracle& operator=(const Oracle&) = delete;

    /// Runs `action`; while it runs the old truth and `after` may both hold, then only `after`.
    bool step(const Truth& after, const std::function<bool()>& action);
    /// The newest verdict that `enough` accepts and whose question was sent after this call; nothing after 40
    /// s.
    std::optional<Verdict> await(const std::function<bool(const Verdict&)>& enough);
    /// Every verdict that was wrong, a sentence each.
    [[nodiscard]] std::vector<std::string> wrong() const;

    struct Count {
        std::size_t views = 0; ///< different views of the role that were judged
        std::size_t inDoubt = 0;
        std::size_t unknown = 0;
    };

    [[nodiscard]] Count count() const;

    [[nodiscard]] std::shared_ptr<const Snapshot> snapshot() const { return feed_->latest(); }

    /// The newest view of the role; null before the first.
    [[nodiscard]] std::shared_ptr<const RoleView> newest() const;

private:
    struct Interval {
        Truth truth;
        SteadyTime from;
        SteadyTime to;
    };

    void collect();

    Role role_;
    std::unique_ptr<app::World> world_;
    mutable std::mutex mutex_;
    std::vector<std::shared_ptr<const RoleView>> views_;
    std::vector<Interval> truths_;
    std::unique_ptr<RoleFeed> feed_;
};

} // namespace bellwether::brokertest
