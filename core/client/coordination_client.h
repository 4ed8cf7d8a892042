// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>

#include "client/leadership.h"
#include "coordination/lease_timing.h"
#include "coordination/succession.h"
#include "ports/clock.h"
#include "ports/transport.h"

namespace bellwether {

/// A member's way to a role: register, wait for its turn, mint, write the lease. Not thread safe; one client per
/// member and thread. Owns neither transport nor clock.
class CoordinationClient {
public:
    /// Throws std::invalid_argument when validate(timing) fails.
    CoordinationClient(CoordinationTransport& transport, Clock& clock, LeaseTiming timing = {});

    /// What one attempt led to.
    struct Attempt {
        SuccessionDecision decision;           ///< what succession said
        std::unique_ptr<Leadership> leadership; ///< set when the role was taken
        bool lostRace = false;                 ///< the write of the lease was fenced by another member
    };

    /// Read; register if needed and read again; evaluate; on hold or challenge mint the epoch, grant, write the
    /// lease. A fence on that write is not an error: lostRace. Never waits for its turn.
    [[nodiscard]] Result<Attempt> tryAcquire(const Role& role, const MemberId& member);

    /// Repeats tryAcquire until it holds the role, `timeout` is over (empty pointer) or stop is requested (error
    /// closed). Between attempts it sleeps until the earlier of the decision's instant, kRetryInterval and its own
    /// deadline. Retriable errors are retried, others returned.
    [[nodiscard]] Result<std::unique_ptr<Leadership>> acquire(const Role& role, const MemberId& member, Millis timeout,
                                                              std::stop_token stop = {});

    static constexpr Millis kRetryInterval{500};

    [[nodiscard]] const LeaseTiming& timing() const noexcept { return timing_; }

private:
    CoordinationTransport& transport_;
    Clock& clock_;
    LeaseTiming timing_;
};

} // namespace bellwether
