// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace bellwether::brokertest {

/// A child process whose standard output is read line by line and whose standard input stays open. It is
/// killed and reaped when the object goes.
class Process {
public:
    explicit Process(const std::vector<std::string>& command);
    ~Process();
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;

    /// The next line, or nothing when the output ends or `timeout` is over.
    [[nodiscard]] std::optional<std::string> line(std::chrono::seconds timeout = std::chrono::seconds{60});
    /// Lines until one holds `part`; nothing when there is none.
    [[nodiscard]] std::optional<std::string>
    lineWith(const std::string& part, std::chrono::seconds timeout = std::chrono::seconds{60});
    /// Writes a line to the child's standard input.
    void say(const std::string& text);
    /// Ends the child's standard input.
    void endInput();
    /// kill -9: no farewell to the broker.
    void kill();
    /// Waits for the end; the exit code, or -1 for a signal.
    int wait();

private:
    pid_t pid_ = -1;
    int input_ = -1;
    int output_ = -1;
    std::string pending_;
    std::optional<int> code_;
};

/// Runs a command to its end and returns what it wrote to standard output; throws std::runtime_error when it
/// fails.
[[nodiscard]] std::string run(const std::vector<std::string>& command);

} // namespace bellwether::brokertest
