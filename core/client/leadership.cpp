// SPDX-License-Identifier: Apache-2.0
#include "client/leadership.h"

#include <utility>

#include <fmt/format.h>

namespace bellwether {

namespace {

/// After these no write of this token can succeed any more: a newer epoch exists, the coordinator forgot the
/// id, or the producer that minted the token is gone.
bool endsLeadership(const Error& error) {
    return error.fenced || error.fatal || error.code == ErrorCode::fenced ||
           error.code == ErrorCode::idExpired || error.code == ErrorCode::notMinted;
}

tl::unexpected<Error> over(const Role& role) {
    return fail(ErrorCode::closed, "the leadership is over, nothing was written",
                fmt::format("role {}", role.str()), "acquire the role again");
}

} // namespace

Leadership::Leadership(CoordinationTransport& transport, Clock& clock, LeaseTiming timing, Role role,
                       Lease lease)
    : transport_(transport)
    , clock_(clock)
    , timing_(timing)
    , role_(std::move(role))
    , lease_(std::move(lease)) {}

Leadership::~Leadership() {
    if (held_) {
        static_cast<void>(resign());
    }
}

bool Leadership::renewDue() const {
    return held_ && clock_.wall() >= renewalDue(lease_, timing_);
}

Result<void> Leadership::renew() {
    if (!held_) {
        return over(role_);
    }
    Lease next = grant(lease_.member, lease_.token, clock_.wall(), timing_);
    auto written = transport_.writeLease(role_, lease_.token, next);
    if (written) {
        lease_ = std::move(next);
    } else if (endsLeadership(written.error())) {
        held_ = false;
    }
    return written;
}

Result<void> Leadership::resign() {
    if (!held_) {
        return over(role_);
    }
    auto cleared = transport_.clearLease(role_, lease_.token);
    if (cleared || endsLeadership(cleared.error())) {
        held_ = false;
    }
    return cleared;
}

} // namespace bellwether
