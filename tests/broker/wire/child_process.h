// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace bellwether::kafka::wire {

/// A program with pipes to its standard input and output (its errors go to the test's). Ended with the
/// object: its input is closed, then SIGKILL if that is not enough.
class ChildProcess {
public:
    explicit ChildProcess(const std::vector<std::string>& command);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// The next line without its end; nothing at the end of the output or when the wait is over.
    [[nodiscard]] std::optional<std::string> line(std::chrono::seconds patience);
    /// Closes the input, reads the output to its end and returns all lines; `code` is the exit code.
    [[nodiscard]] std::vector<std::string> finish(std::chrono::seconds patience, int& code);

private:
    pid_t pid_ = -1;
    int in_ = -1;
    int out_ = -1;
    std::string buffer_;
};

} // namespace bellwether::kafka::wire
