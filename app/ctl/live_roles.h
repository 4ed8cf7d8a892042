// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <stop_token>
#include <string>

#include "ctl/terminal.h"
#include "feed/snapshot.h"

namespace bellwether::app {
class World;
}

namespace bellwether::ctl {

struct LiveRolesOptions {
    std::optional<std::string> role; ///< describe this one; nothing: the table of all
    Format format = Format::text;
    Millis timeout{10'000};
};

/// `roles` and `describe`: watches the world until every role is judged, prints, stops.
[[nodiscard]] int showLiveRoles(app::World& world, const LiveRolesOptions& options, Terminal& terminal,
                                std::stop_token stop);

/// Prints what is known and says on stderr what is missing; kOk, kIncomplete or kCluster. Pure of I/O but for
/// the terminal's streams.
[[nodiscard]] int printSnapshot(const Snapshot& snapshot, const LiveRolesOptions& options,
                                Terminal& terminal);

} // namespace bellwether::ctl
