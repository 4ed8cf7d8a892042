// SPDX-License-Identifier: Apache-2.0
#include "ctl/terminal.h"

#include <algorithm>
#include <ostream>
#include <string>

namespace bellwether::ctl {

void complain(Terminal& terminal, const Error& error) {
    complain(terminal, error.text());
}

void complain(Terminal& terminal, std::string_view text) {
    // A line stays a line, whatever a broker or a file put into the message.
    std::string line(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; },
        ' ');
    terminal.err << "bellwetherctl: " << line << '\n' << std::flush;
}

} // namespace bellwether::ctl
