// SPDX-License-Identifier: Apache-2.0
#include "program.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace bellwether::ctl::test {

namespace {

struct Pipe {
    Pipe() {
        if (pipe2(ends.data(), O_CLOEXEC) != 0) {
            throw std::runtime_error("pipe");
        }
    }

    std::array<int, 2> ends{-1, -1};
};

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t times = 0;
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++times;
    }
    return times;
}

bool drain(int& descriptor, std::string& into) {
    std::array<char, 4096> piece{};
    const auto got = read(descriptor, piece.data(), piece.size());
    if (got > 0) {
        into.append(piece.data(), static_cast<std::size_t>(got));
        return true;
    }
    close(descriptor);
    descriptor = -1;
    return false;
}

} // namespace

Program::Program(std::vector<std::string> command, Out out) {
    Pipe outPipe;
    Pipe errPipe;
    int childOut = outPipe.ends[1];
    if (out == Out::full) {
        close(childOut);
        childOut = open("/dev/full", O_WRONLY | O_CLOEXEC);
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, childOut, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errPipe.ends[1], STDERR_FILENO);
    if (out == Out::closed) {
        close(outPipe.ends[0]);
        outPipe.ends[0] = -1;
    }
    std::vector<char*> arguments;
    for (auto& word : command) {
        arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    const int failure = posix_spawn(&pid_, arguments.front(), &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(childOut);
    close(errPipe.ends[1]);
    outEnd_ = outPipe.ends[0];
    errEnd_ = errPipe.ends[0];
    if (failure != 0) {
        throw std::runtime_error("cannot start " + command.front());
    }
}

Program::~Program() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    for (const int end : {outEnd_, errEnd_}) {
        if (end >= 0) {
            close(end);
        }
    }
}

void Program::signal(int number) const {
    kill(pid_, number);
}

bool Program::pump() {
    std::array<pollfd, 2> ends{pollfd{outEnd_, POLLIN, 0}, pollfd{errEnd_, POLLIN, 0}};
    if (outEnd_ < 0 && errEnd_ < 0) {
        return false;
    }
    poll(ends.data(), ends.size(), 50);
    if (ends[0].revents != 0) {
        drain(outEnd_, out_);
    }
    if (ends[1].revents != 0) {
        drain(errEnd_, err_);
    }
    return true;
}

bool Program::waitForOutput(const std::string& text, std::size_t times, std::chrono::seconds deadline) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (count(out_, text) < times) {
        if (std::chrono::steady_clock::now() >= end || !pump()) {
            return false;
        }
    }
    return true;
}

int Program::wait(std::chrono::seconds deadline) {
    const auto end = std::chrono::steady_clock::now() + deadline;
    while (std::chrono::steady_clock::now() < end) {
        if (pump()) {
            continue;
        }
        int status = 0;
        if (waitpid(pid_, &status, 0) != pid_) {
            return kRunning;
        }
        pid_ = -1;
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }
    return kRunning;
}

} // namespace bellwether::ctl::test
