// SPDX-License-Identifier: Apache-2.0
#include "feed/role_view.h"

namespace bellwether {

RoleView makeRoleView(const Evidence& evidence, const Verdict& verdict, std::int32_t partition,
                      const LeaseTiming& timing) {
    const auto& state = *evidence.state;
    RoleView view{.role = state.role(),
                  .partition = partition,
                  .verdict = verdict,
                  .coordinator = evidence.coordinator,
                  .visibleLease = state.lease(),
                  .roster = {},
                  .verdictSince = std::nullopt,
                  .topicAsOf = evidence.now - evidence.topicAge,
                  .topicAsOfSteady = {},
                  .stale = evidence.coordinatorAge > evidence.stalenessBound ||
                           evidence.topicAge > evidence.stalenessBound,
                  .revision = 0};
    for (auto& entry : state.roster()) {
        const bool holds = view.visibleLease && view.visibleLease->lease.member == entry.member;
        RosterView row{.entry = entry,
                       .rank = rankOf(state, entry.member),
                       .holdsLease = holds,
                       .challengesAt = holds ? std::nullopt : challengeInstant(state, entry.member, timing),
                       .now = decide(state, entry.member, evidence.now, timing).action,
                       .skew = std::nullopt};
        view.roster.push_back(std::move(row));
    }
    return view;
}

} // namespace bellwether
