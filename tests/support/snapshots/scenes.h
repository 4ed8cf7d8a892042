// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "feed/snapshot.h"

namespace bellwether::test {

/// The present of every scene: 2023-11-14T22:13:20Z, and a steady clock that has run for some hours.
inline constexpr WallTime kSceneNow = wallTime(1'700'000'000'000);
inline constexpr SteadyTime kSceneSteady{Millis{10'000'000}};

/// What a role of a scene is like. Everything else follows from it.
struct RoleScript {
    std::string name;
    VerdictKind kind = VerdictKind::authoritative;
    std::string holder = "node-1";
    FencingToken token{4242, 7};
    Millis grantedAgo{9'000};
    Millis duration{30'000};
    int members = 3;
    Millis age{400};
    Millis since{312'000};
    std::string memberPrefix = "node-";
};

[[nodiscard]] std::shared_ptr<const RoleView> makeRole(const RoleScript& script,
                                                       Millis stalenessBound = Millis{10'000});
[[nodiscard]] std::shared_ptr<const TimelineLane> makeLane(const RoleScript& script);

/// A live connection to three brokers and no role.
[[nodiscard]] Snapshot emptyScene();
/// Adds a role with its lane, keeping natural order.
void addRole(Snapshot& snapshot, const RoleScript& script);

[[nodiscard]] Snapshot calmScene(); ///< six roles, all led
[[nodiscard]] Snapshot oneRoleScene();
[[nodiscard]] Snapshot everyVerdictScene(); ///< one role for each kind
[[nodiscard]] Snapshot lostScene();         ///< nothing answers since 42 s
[[nodiscard]] Snapshot steppedScene();      ///< this machine's clock jumped
[[nodiscard]] Snapshot absurdScene();       ///< deadlines at both ends of int64, tokens beyond 2^53
[[nodiscard]] Snapshot hostileScene();      ///< names with controls, markup, right-to-left marks, 249 bytes
[[nodiscard]] Snapshot pinnedScene(); ///< one partition waits for a member, one for a hanging transaction
[[nodiscard]] Snapshot findingsScene();
[[nodiscard]] Snapshot manyScene(int roles, int members);
[[nodiscard]] Snapshot connectingScene();
[[nodiscard]] Snapshot cannotConnectScene();
[[nodiscard]] Snapshot noTopicScene();
[[nodiscard]] Snapshot readingScene(); ///< 1,234,567 of 2,000,000 records

} // namespace bellwether::test
