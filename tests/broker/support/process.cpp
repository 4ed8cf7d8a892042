// SPDX-License-Identifier: Apache-2.0
#include "process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bellwether::brokertest {
namespace {

struct Pipe {
    Pipe() {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw std::runtime_error("no pipe");
        }
        read = ends[0];
        write = ends[1];
    }

    int read;
    int write;
};

} // namespace

Process::Process(const std::vector<std::string>& command) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const auto& part : command) {
        arguments.push_back(const_cast<char*>(part.c_str())); // execvp wants it so and does not write
    }
    arguments.push_back(nullptr);
    const Pipe in;
    const Pipe out;
    pid_ = ::fork();
    if (pid_ == 0) {
        ::dup2(in.read, STDIN_FILENO);
        ::dup2(out.write, STDOUT_FILENO);
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    ::close(in.read);
    ::close(out.write);
    input_ = in.write;
    output_ = out.read;
    if (pid_ < 0) {
        throw std::runtime_error("no process");
    }
}

Process::~Process() {
    kill();
    wait();
    endInput();
    ::close(output_);
}

std::optional<std::string> Process::line(std::chrono::seconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        if (const auto end = pending_.find('\n'); end != std::string::npos) {
            auto out = pending_.substr(0, end);
            pending_.erase(0, end + 1);
            return out;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd wanted{output_, POLLIN, 0};
        if (left.count() <= 0 || ::poll(&wanted, 1, static_cast<int>(left.count())) <= 0) {
            return std::nullopt;
        }
        std::array<char, 4096> buffer{};
        const auto count = ::read(output_, buffer.data(), buffer.size());
        if (count <= 0) {
            return std::nullopt;
        }
        pending_.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

std::optional<std::string> Process::lineWith(const std::string& part, std::chrono::seconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::seconds>(deadline - std::chrono::steady_clock::now());
        auto next = line(left);
        if (!next || next->find(part) != std::string::npos) {
            return next;
        }
    }
}

void Process::say(const std::string& text) {
    const auto bytes = text + "\n";
    if (::write(input_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
        throw std::runtime_error("the child does not listen");
    }
}

void Process::endInput() {
    if (input_ >= 0) {
        ::close(input_);
        input_ = -1;
    }
}

void Process::kill() {
    if (!code_) {
        ::kill(pid_, SIGKILL);
    }
}

int Process::wait() {
    if (!code_) {
        int status = 0;
        while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        code_ = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    return *code_;
}

std::string run(const std::vector<std::string>& command) {
    Process process(command);
    process.endInput();
    std::string out;
    while (auto next = process.line(std::chrono::seconds{240})) {
        out += *next + '\n';
    }
    if (const auto code = process.wait(); code != 0) {
        throw std::runtime_error(command.front() + " ended with code " + std::to_string(code) + ": " + out);
    }
    return out;
}

} // namespace bellwether::brokertest
