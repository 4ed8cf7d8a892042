// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "feed/snapshot.h"

namespace bellwether::ctl {

/// The table of `roles`: one line per role with verdict, role, holder, token, deadline and reason, then a
/// line that says how old it is. Names are escaped. Colour marks the verdict's word, which is always there as
/// well.
[[nodiscard]] std::string roleTable(const Snapshot& snapshot, bool colour);

} // namespace bellwether::ctl
