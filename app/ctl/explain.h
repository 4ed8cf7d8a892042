// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ctl/terminal.h"

namespace bellwether::ctl {

struct ExplainOptions {
    std::vector<std::string> files; ///< "-" is standard input
    Format format = Format::text;
};

/// Says of every file what the console would say of its roles. A file that cannot be read is named on stderr
/// and the others are still answered; then the code is kIncomplete.
[[nodiscard]] int explainFiles(const ExplainOptions& options, Terminal& terminal);

} // namespace bellwether::ctl
