// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace bellwether::console {

/// Reads an environment variable; empty when it is not set.
using Environment = std::function<std::string(const char*)>;

/// Why no window can open, or nothing. Asked before Qt starts, because its xcb plugin ends the program with
/// an abort where there is no display.
[[nodiscard]] std::optional<std::string> displayProblem(const Environment& environment);
[[nodiscard]] Environment processEnvironment();

} // namespace bellwether::console
