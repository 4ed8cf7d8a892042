// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "coordination/result.h"
#include "coordination/time.h"

namespace bellwether::ctl {

/// "500ms", "30s", "2m", "1h", signed ("-3s", "+250ms"); a unit is required, except for 0. The error names
/// the text.
[[nodiscard]] Result<Millis> parseDuration(std::string_view text);

} // namespace bellwether::ctl
