// SPDX-License-Identifier: Apache-2.0
#include "ctl/terminal.h"

#include <algorithm>
#include <ostream>

namespace bellwether::ctl {

std::string oneLine(std::string_view text) {
    std::string line(text);
    const auto isControl = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    std::replace_if(line.begin(), line.end(), isControl, ' ');
    return line;
}

void complain(Terminal& terminal, const Error& error) {
    complain(terminal, error.text());
}

void complain(Terminal& terminal, std::string_view text) {
    terminal.err << "bellwetherctl: " << oneLine(text) << '\n' << std::flush;
}

} // namespace bellwether::ctl
