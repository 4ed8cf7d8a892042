// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/evidence.h"

namespace bellwether {

enum class VerdictKind { unknown, vacant, claimed, claiming, authoritative, overdue, contradictory, inDoubt };
/// The words operators read: "unknown", "vacant", "claimed", "claiming", "authoritative", "overdue",
/// "contradictory", "in doubt".
[[nodiscard]] std::string_view toString(VerdictKind kind) noexcept;

/// Row of the verdict table (docs/verdicts.md) that decided. Tests use it to prove that every row is reached.
enum class VerdictRow {
    r1Stale,
    r2NeverLed,
    r3IdExpired,
    r4NewerThanCoordinator,
    r4bLowerToken,
    r5ClaimedFirst,
    r6ClaimingFirst,
    r7Released,
    r8SameToken,
    r9Minted,
    r10Writing,
    r10bBegun,
    r11Committed,
    r12Aborted,
    r13Else,
};
[[nodiscard]] std::string_view toString(VerdictRow row) noexcept;

/// Who holds the epoch, and how sure that is. Whoever is `holder` of an `authoritative` or `overdue` verdict
/// was, when the coordinator answered, the only one whose commit could succeed.
struct Verdict {
    VerdictKind kind = VerdictKind::unknown;
    VerdictRow row = VerdictRow::r1Stale;
    std::string reason;             ///< one sentence, names the facts it rests on
    std::optional<MemberId> holder; ///< who may write now by this verdict; for `in doubt` the presumed holder
    std::optional<MemberId> claimant; ///< who is taking the role, when known
    std::optional<MemberId> lastHolder;
    std::vector<MemberId> fenced; ///< members known to be unable to commit because a newer epoch exists
    /// Token of the lease that decided (the holder's minted one), or of the visible lease.
    std::optional<FencingToken> token;
    /// The lease that decided; `hidden` when a committed reader cannot see it yet.
    std::optional<LeaseRecord> lease;
    bool leaseHidden = false;
    std::optional<Millis> expiredFor; ///< for overdue: now - deadline, saturating
    bool writingNow = false;          ///< the holder has a transaction open
    bool askAgain = false;            ///< more evidence would settle it: ask at once

    bool operator==(const Verdict&) const = default;
};

/// The table of docs/verdicts.md, first row that fits. Pure; any thread.
[[nodiscard]] Verdict judge(const Evidence& evidence);

/// What to remember for the next judge() of the role: set by an authoritative or overdue verdict on a
/// described answer; kept while the coordinator's pair has not moved; otherwise nothing.
[[nodiscard]] std::optional<PriorAuthority> remember(const Verdict& verdict, const Evidence& evidence);

/// `memory` after one more answer, asked for after those that it knows of. An answer that goes back behind it
/// changes nothing.
[[nodiscard]] CoordinatorMemory remember(CoordinatorMemory memory, const CoordinatorAnswer& answer);

} // namespace bellwether
