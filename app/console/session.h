// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <memory>

#include "feed/role_feed.h"
#include "world.h"

namespace bellwether::console {

/// A world and the feed that watches it.
class Session {
public:
    /// Opens nothing that waits for a broker; fails with invalidArgument only.
    [[nodiscard]] static Result<std::unique_ptr<Session>> open(const app::WorldOptions& options);

    [[nodiscard]] const std::shared_ptr<RoleFeed>& feed() const noexcept { return feed_; }

    [[nodiscard]] const std::shared_ptr<Clock>& clock() const noexcept { return world_->clock; }

    [[nodiscard]] std::size_t rolesToCome() const noexcept { return world_->rolesToCome; }

    void start() { feed_->start(); }

    /// Ends feed and world on a thread of their own and waits at most `patience`; false when they are not
    /// done by then (the process may then end without them: nothing here writes).
    [[nodiscard]] static bool end(std::unique_ptr<Session> session, std::chrono::milliseconds patience);

private:
    Session() = default;

    std::unique_ptr<app::World> world_;
    std::shared_ptr<RoleFeed> feed_; // goes before the world
};

} // namespace bellwether::console
