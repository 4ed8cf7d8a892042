// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "coordination/result.h"

namespace bellwether::ctl {

/// Where a command reads and writes. The streams belong to the caller.
struct Terminal {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
    bool colour = false; ///< `out` is a terminal that wants colour
};

enum class Format { text, json, jsonl };

/// The text with control characters turned into blanks, so that a line stays a line and obeys nothing.
[[nodiscard]] std::string oneLine(std::string_view text);

/// One line on stderr: "bellwetherctl: what (where): hint".
void complain(Terminal& terminal, const Error& error);
void complain(Terminal& terminal, std::string_view text);

} // namespace bellwether::ctl
