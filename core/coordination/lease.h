// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coordination/fencing_token.h"
#include "coordination/ids.h"
#include "coordination/time.h"

namespace bellwether {

/// What a holder says of itself. It tells a standby when to stop waiting; it never makes anybody safe.
struct Lease {
    MemberId member;      ///< the holder
    FencingToken token;   ///< the token it minted; renewals keep it
    WallTime grantedAt{}; ///< holder's clock; a renewal moves it
    WallTime deadline{};  ///< holder's clock; live while now < deadline

    bool operator==(const Lease&) const = default;
};

/// A member's announcement that it competes for a role.
struct Registration {
    MemberId member;
    WallTime registeredAt{}; ///< member's clock

    bool operator==(const Registration&) const = default;
};

} // namespace bellwether
