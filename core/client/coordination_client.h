// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include "client/leadership.h"
#include "coordination/lease_timing.h"
#include "coordination/succession.h"
#include "ports/clock.h"
#include "ports/transport.h"

namespace bellwether {

/// A member's way to a role: register, wait for its turn, mint, write the lease. Not thread safe; one client
/// per member and thread. Owns neither transport nor clock.
class CoordinationClient {
public:
    /// Throws std::invalid_argument when validate(timing) fails.
    CoordinationClient(CoordinationTransport& transport, Clock& clock, LeaseTiming timing = {});

    /// What one attempt led to.
    struct Attempt {
        SuccessionDecision decision;            ///< what succession said
        std::unique_ptr<Leadership> leadership; ///< set when the role was taken
        bool lostRace = false;          ///< the mint or the write of the lease was fenced by another member
        bool registered = false;        ///< this attempt appended the member's registration
        std::optional<RoleState> state; ///< what the decision rests on; always set
    };

    /// Read; register if needed and read again; evaluate; on hold or challenge mint the epoch, grant, write
    /// the lease. A fence on that write is not an error: lostRace. Never waits for its turn. A registration
    /// that is appended but not readable yet (an open transaction of somebody else pins the last stable
    /// offset) is not repeated before kUnseenRegistrationPatience: each repeat would move the member to the
    /// tail. The decision is notRegistered in the meantime.
    [[nodiscard]] Result<Attempt> tryAcquire(const Role& role, const MemberId& member);

    /// Repeats tryAcquire until it holds the role, `timeout` is over (empty pointer) or stop is requested
    /// (error closed). Between attempts it sleeps until the earlier of the decision's instant, kRetryInterval
    /// and its own deadline; a last attempt is made at the deadline. Retriable errors and an expired id are
    /// retried, others returned; when the last attempt failed, its error is returned instead of the empty
    /// pointer.
    [[nodiscard]] Result<std::unique_ptr<Leadership>> acquire(const Role& role, const MemberId& member,
                                                              Millis timeout, std::stop_token stop = {});

    static constexpr Millis kRetryInterval{500};
    static constexpr Millis kUnseenRegistrationPatience{60'000};

    [[nodiscard]] const LeaseTiming& timing() const noexcept { return timing_; }

private:
    [[nodiscard]] Result<Attempt> readAndDecide(const Role& role, const MemberId& member);
    [[nodiscard]] Result<Attempt> registerAndDecide(const Role& role, const MemberId& member);
    [[nodiscard]] Result<void> take(Attempt& attempt, const Role& role, const MemberId& member);

    CoordinationTransport& transport_;
    Clock& clock_;
    LeaseTiming timing_;
    /// Registrations appended by this client that no read has shown yet, and when they were appended.
    std::map<std::pair<Role, MemberId>, SteadyTime> unseen_;
};

} // namespace bellwether
