// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coordination/lease.h"
#include "coordination/lease_timing.h"
#include "ports/clock.h"
#include "ports/transport.h"

namespace bellwether {

/// A held role. Owns neither transport nor clock; both must outlive it. Not thread safe. Destruction closes
/// it: a held role is resigned, and a fence then is swallowed (other failures too: a destructor has nobody to
/// tell).
class Leadership {
public:
    Leadership(CoordinationTransport& transport, Clock& clock, LeaseTiming timing, Role role, Lease lease);
    ~Leadership();
    Leadership(const Leadership&) = delete;
    Leadership& operator=(const Leadership&) = delete;

    [[nodiscard]] const Role& role() const noexcept { return role_; }

    [[nodiscard]] const Lease& lease() const noexcept { return lease_; }

    [[nodiscard]] FencingToken token() const noexcept { return lease_.token; }

    /// False after a fence or a resignation, and never true again. No clock takes part in it.
    [[nodiscard]] bool held() const noexcept { return held_; }

    /// now >= renewalDue(lease, timing) on this member's clock; false once the leadership is over.
    [[nodiscard]] bool renewDue() const;
    /// Writes the lease again: same token, later grant. ErrorCode::fenced, idExpired, notMinted and any fatal
    /// error end the leadership: no write of this token can succeed any more. Any other error leaves it held
    /// (the outcome of the write is unknown; the next renewal decides).
    [[nodiscard]] Result<void> renew();
    /// Writes the lease tombstone. Ends the leadership also when the write is fenced or the id has expired
    /// (then the error says so); any other error leaves it held, so that it can be tried again. Fails with
    /// closed, and writes nothing, once the leadership is over.
    [[nodiscard]] Result<void> resign();

    /// Ends the leadership on this side without writing anything, as a crash would. For drills and for a
    /// process that must go at once.
    void abandon() noexcept { held_ = false; }

private:
    CoordinationTransport& transport_;
    Clock& clock_;
    LeaseTiming timing_;
    Role role_;
    Lease lease_;
    bool held_ = true;
};

} // namespace bellwether
