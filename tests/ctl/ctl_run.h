// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "ctl/command_line.h"

namespace bellwether::ctl::test {

/// One run of the whole command line in this process.
struct CtlRun {
    explicit CtlRun(const std::vector<std::string>& arguments, const std::string& input = {},
                    std::stop_token stop = {}) {
        std::istringstream in(input);
        std::ostringstream outStream;
        std::ostringstream errStream;
        Terminal terminal{in, outStream, errStream};
        code = runCommandLine(arguments, terminal, std::move(stop));
        out = outStream.str();
        err = errStream.str();
    }

    int code = -1;
    std::string out;
    std::string err;
};

inline std::string caseFile(const std::string& id) {
    return std::string(BELLWETHER_TEST_DATA) + "/cases/" + id + ".json";
}

} // namespace bellwether::ctl::test
