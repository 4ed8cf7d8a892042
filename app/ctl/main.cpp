// SPDX-License-Identifier: Apache-2.0
#include <cerrno>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <unistd.h>

#include "ctl/command_line.h"
#include "ctl/descriptor_buffer.h"
#include "ctl/exit_code.h"
#include "ctl/stop_signals.h"

namespace {

bool wantsColour() {
    const char* noColour = std::getenv("NO_COLOR");
    const char* terminal = std::getenv("TERM");
    return isatty(STDOUT_FILENO) == 1 && (noColour == nullptr || *noColour == '\0') && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

} // namespace

int main(int argc, char** argv) {
    using namespace bellwether::ctl;
    StopSignals signals;
    DescriptorBuffer buffer(STDOUT_FILENO);
    std::ostream out(&buffer);
    Terminal terminal{std::cin, out, std::cerr, wantsColour()};
    const int code =
        runCommandLine(std::vector<std::string>(argv + 1, argv + argc), terminal, signals.token());
    out.flush();
    // Whoever closed the pipe has read enough; everything else that kept the answer from arriving is told.
    if (buffer.error() != 0 && buffer.error() != EPIPE) {
        complain(terminal,
                 "the answer could not be written: " + std::generic_category().message(buffer.error()));
        return code == kOk ? kIncomplete : code;
    }
    return code;
}
