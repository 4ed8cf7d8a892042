// SPDX-License-Identifier: Apache-2.0
#include "child_process.h"

#include <stdexcept>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bellwether::kafka::wire {

ChildProcess::ChildProcess(const std::vector<std::string>& command) {
    int toChild[2];
    int fromChild[2];
    if (::pipe2(toChild, O_CLOEXEC) != 0 || ::pipe2(fromChild, O_CLOEXEC) != 0) {
        throw std::runtime_error("no pipe");
    }
    std::vector<char*> arguments;
    for (const auto& each : command) {
        arguments.push_back(const_cast<char*>(each.c_str()));
    }
    arguments.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ < 0) {
        throw std::runtime_error("no process");
    }
    if (pid_ == 0) {
        ::dup2(toChild[0], STDIN_FILENO);
        ::dup2(fromChild[1], STDOUT_FILENO);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(toChild[0]);
    ::close(fromChild[1]);
    in_ = toChild[1];
    out_ = fromChild[0];
}

ChildProcess::~ChildProcess() {
    if (in_ >= 0) {
        ::close(in_);
    }
    ::close(out_);
    if (pid_ > 0) {
        ::kill(pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
}

std::optional<std::string> ChildProcess::line(std::chrono::seconds patience) {
    const auto until = std::chrono::steady_clock::now() + patience;
    for (;;) {
        if (const auto end = buffer_.find('\n'); end != std::string::npos) {
            auto found = buffer_.substr(0, end);
            buffer_.erase(0, end + 1);
            return found;
        }
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
        pollfd ready{out_, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) {
            return std::nullopt;
        }
        char chunk[4096];
        const auto count = ::read(out_, chunk, sizeof chunk);
        if (count <= 0) {
            return std::nullopt;
        }
        buffer_.append(chunk, static_cast<std::size_t>(count));
    }
}

std::vector<std::string> ChildProcess::finish(std::chrono::seconds patience, int& code) {
    ::close(in_);
    in_ = -1;
    std::vector<std::string> lines;
    while (auto next = line(patience)) {
        lines.push_back(std::move(*next));
    }
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return lines;
}

} // namespace bellwether::kafka::wire
