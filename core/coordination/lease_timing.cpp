// SPDX-License-Identifier: Apache-2.0
#include "coordination/lease_timing.h"

#include <algorithm>

#include <fmt/format.h>

namespace bellwether {

Result<void> validate(const LeaseTiming& timing) {
    const auto positive = [](std::string_view field, Millis value) -> Result<void> {
        if (value > Millis{0}) {
            return {};
        }
        return fail(ErrorCode::invalidArgument,
                    fmt::format("{} is {} ms, it must be positive", field, value.count()), {},
                    "give a number of milliseconds above 0");
    };
    return positive("lease duration", timing.duration)
        .and_then([&] { return positive("renew interval", timing.renewInterval); })
        .and_then([&] { return positive("challenge stagger", timing.challengeStagger); })
        .and_then([&]() -> Result<void> {
            if (timing.renewInterval < timing.duration) {
                return {};
            }
            return fail(ErrorCode::invalidArgument,
                        fmt::format("renew interval is {} ms, it must be below the lease duration of {} ms",
                                    timing.renewInterval.count(), timing.duration.count()),
                        {}, "a third of the lease duration or less is usual");
        });
}

std::optional<std::string> warning(const LeaseTiming& timing) {
    if (saturatingMultiply(timing.renewInterval, 3) <= timing.duration) {
        return std::nullopt;
    }
    return fmt::format(
        "renew interval of {} ms is over a third of the lease duration of {} ms: fewer than two "
        "renewals may fail before the lease expires",
        timing.renewInterval.count(), timing.duration.count());
}

Lease grant(const MemberId& member, FencingToken token, WallTime now, const LeaseTiming& timing) {
    return Lease{member, token, now, saturatingAdd(now, timing.duration)};
}

WallTime renewalDue(const Lease& lease, const LeaseTiming& timing) noexcept {
    return std::min(saturatingAdd(lease.grantedAt, timing.renewInterval), lease.deadline);
}

} // namespace bellwether
