// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "coordination/lease_timing.h"
#include "coordination/role_state.h"

namespace bellwether {

enum class SuccessionAction { notRegistered, hold, challenge, wait };
[[nodiscard]] std::string_view toString(SuccessionAction action) noexcept;

/// What a member does now.
struct SuccessionDecision {
    SuccessionAction action = SuccessionAction::notRegistered;
    /// hold: when the renewal is due; wait: the challenge instant; challenge: the instant it became allowed.
    std::optional<WallTime> at;

    bool operator==(const SuccessionDecision&) const = default;
};

/// Index in the roster after removing the current holder; the holder itself has rank 0; nothing for a member
/// that is not in the roster.
[[nodiscard]] std::optional<std::int64_t> rankOf(const RoleState& state, const MemberId& member);

/// deadline + rank * stagger, or registeredAt + rank * stagger without a lease; saturating. Nothing for a
/// member that is not in the roster. Clock: the holder's (with a lease), else the member's own.
[[nodiscard]] std::optional<WallTime> challengeInstant(const RoleState& state, const MemberId& member,
                                                       const LeaseTiming& timing);

/// Pure function of its arguments; `now` is the member's clock.
[[nodiscard]] SuccessionDecision decide(const RoleState& state, const MemberId& member, WallTime now,
                                        const LeaseTiming& timing);

} // namespace bellwether
