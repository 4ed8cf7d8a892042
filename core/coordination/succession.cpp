// SPDX-License-Identifier: Apache-2.0
#include "coordination/succession.h"

namespace bellwether {

std::string_view toString(SuccessionAction action) noexcept {
    switch (action) {
    case SuccessionAction::notRegistered: return "not registered";
    case SuccessionAction::hold: return "hold";
    case SuccessionAction::challenge: return "challenge";
    case SuccessionAction::wait: return "wait";
    }
    return "wait";
}

std::optional<std::int64_t> rankOf(const RoleState& state, const MemberId& member) {
    const auto& lease = state.lease();
    const auto isHolder = [&lease](const MemberId& candidate) {
        return lease && lease->lease.member == candidate;
    };
    if (!state.rosterEntry(member)) {
        return std::nullopt;
    }
    if (isHolder(member)) {
        return 0;
    }
    std::int64_t rank = 0;
    for (const auto& entry : state.roster()) {
        if (entry.member == member) {
            break;
        }
        if (!isHolder(entry.member)) {
            ++rank;
        }
    }
    return rank;
}

std::optional<WallTime> challengeInstant(const RoleState& state, const MemberId& member,
                                         const LeaseTiming& timing) {
    const auto rank = rankOf(state, member);
    if (!rank) {
        return std::nullopt;
    }
    const auto wait = saturatingMultiply(timing.challengeStagger, *rank);
    const auto& lease = state.lease();
    return saturatingAdd(lease ? lease->lease.deadline : state.rosterEntry(member)->registeredAt, wait);
}

SuccessionDecision decide(const RoleState& state, const MemberId& member, WallTime now,
                          const LeaseTiming& timing) {
    const auto instant = challengeInstant(state, member, timing);
    if (!instant) {
        return {SuccessionAction::notRegistered, std::nullopt};
    }
    const auto& lease = state.lease();
    if (lease && lease->lease.member == member && isLive(lease->lease, now)) {
        return {SuccessionAction::hold, renewalDue(lease->lease, timing)};
    }
    return {now >= *instant ? SuccessionAction::challenge : SuccessionAction::wait, instant};
}

} // namespace bellwether
