// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "feed/snapshot.h"

namespace bellwether {

/// Joins a role's evidence and its verdict into what views show. Pure; used for the live feed and for files
/// alike. `revision`, `verdictSince` and skews are left to the caller.
[[nodiscard]] RoleView makeRoleView(const Evidence& evidence, const Verdict& verdict, std::int32_t partition,
                                    const LeaseTiming& timing);

} // namespace bellwether
