// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "coordination/lease.h"

namespace bellwether {

/// The three durations a group of members agrees on. They are in no record: a console can only assume them.
struct LeaseTiming {
    Millis duration{30'000};
    Millis renewInterval{10'000};
    Millis challengeStagger{5'000};

    bool operator==(const LeaseTiming&) const = default;
};

/// Illegal: a duration that is not positive, or a renew interval that is not below the lease duration.
/// The error names the field and both values.
[[nodiscard]] Result<void> validate(const LeaseTiming& timing);

/// A legal timing that deserves a warning (renew interval over a third of the duration), or nothing.
[[nodiscard]] std::optional<std::string> warning(const LeaseTiming& timing);

/// A lease of `member` under `token` granted at `now` (member's clock). The deadline saturates.
[[nodiscard]] Lease grant(const MemberId& member, FencingToken token, WallTime now,
                          const LeaseTiming& timing);

/// Live while now < deadline; expired from the deadline on.
[[nodiscard]] constexpr bool isLive(const Lease& lease, WallTime now) noexcept {
    return now < lease.deadline;
}

/// min(grantedAt + renewInterval, deadline), saturating.
[[nodiscard]] WallTime renewalDue(const Lease& lease, const LeaseTiming& timing) noexcept;

} // namespace bellwether
