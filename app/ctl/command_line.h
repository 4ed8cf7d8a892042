// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>
#include <vector>

#include "ctl/terminal.h"

namespace bellwether::ctl {

/// The whole program but for signals and file descriptors: parses `arguments` (without the program's name),
/// runs the verb and returns an ExitCode. `stop` is what Ctrl+C asks for. Never throws for anything a user
/// can cause.
[[nodiscard]] int runCommandLine(const std::vector<std::string>& arguments, Terminal& terminal,
                                 std::stop_token stop);

} // namespace bellwether::ctl
