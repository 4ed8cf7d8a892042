// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "coordination/fencing_token.h"
#include "coordination/ids.h"
#include "coordination/time.h"
#include "ctl/terminal.h"

namespace bellwether::ctl {

enum class MemberEventKind {
    registered,
    waiting,
    lostRace,
    leading,
    renewed,
    fenced,
    idExpired,
    tokenLost, ///< the producer that minted the token is gone
    trouble,
    deregistered,
    resigned,
    failed,
};
/// The stable word of `join -o jsonl`, e.g. "lost_race".
[[nodiscard]] std::string_view toString(MemberEventKind kind) noexcept;

/// One thing that happened to a member.
struct MemberEvent {
    MemberEventKind kind = MemberEventKind::trouble;
    WallTime at{};                     ///< member's clock
    std::optional<FencingToken> token; ///< the member's own
    std::optional<WallTime> until;     ///< waiting: its turn; leading and renewed: the lease's deadline
    std::string detail;                ///< for people; may be empty; names in it are escaped
};

/// Returns false when nobody reads any more: the member leaves.
using MemberEventSink = std::function<bool(const MemberEvent&)>;

/// One line per event, flushed: text ("time role member token event detail") or JSON.
[[nodiscard]] MemberEventSink printEvents(Terminal& terminal, Format format, Role role, MemberId member);

} // namespace bellwether::ctl
