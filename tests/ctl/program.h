// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

namespace bellwether::ctl::test {

/// A started program whose output is read as it comes. Killed on destruction when it still runs.
class Program {
public:
    static constexpr int kRunning = -1000; ///< from wait(): it has not ended yet

    enum class Out {
        read,
        closed,
        full
    }; ///< what stdout is: a pipe that is read, a pipe nobody reads, a full disk

    explicit Program(std::vector<std::string> command, Out out = Out::read);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    void signal(int number) const;
    /// Waits until stdout contains `text` that many times; false when it ended or `deadline` is over before.
    [[nodiscard]] bool waitForOutput(const std::string& text, std::size_t times = 1,
                                     std::chrono::seconds deadline = std::chrono::seconds{60});
    /// Waits for the end. The exit code, or -signal when one killed it, or kRunning when `deadline` is over.
    [[nodiscard]] int wait(std::chrono::seconds deadline = std::chrono::seconds{60});

    [[nodiscard]] const std::string& out() const { return out_; }

    [[nodiscard]] const std::string& err() const { return err_; }

private:
    /// Reads what is there, waiting at most a moment; false when both pipes are at their end.
    bool pump();

    pid_t pid_ = -1;
    int outEnd_ = -1;
    int errEnd_ = -1;
    std::string out_;
    std::string err_;
};

} // namespace bellwether::ctl::test
