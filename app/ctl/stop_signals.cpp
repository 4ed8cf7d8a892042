// SPDX-License-Identifier: Apache-2.0
#include "ctl/stop_signals.h"

#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "ctl/exit_code.h"

namespace bellwether::ctl {

namespace {

constexpr char kSignalled = 's';
constexpr char kOver = 'o';

volatile std::sig_atomic_t signalsSeen = 0;
volatile std::sig_atomic_t wakeUpDescriptor = -1;

// Async-signal-safe calls only.
extern "C" void onStopSignal(int) {
    const int keptErrno = errno;
    signalsSeen = signalsSeen + 1;
    if (signalsSeen > 1) {
        _exit(kInterrupted);
    }
    [[maybe_unused]] const auto written = write(wakeUpDescriptor, &kSignalled, 1);
    errno = keptErrno;
}

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};

    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, nullptr);
}

} // namespace

StopSignals::StopSignals() {
    if (pipe2(pipe_.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    wakeUpDescriptor = pipe_[1];
    watcher_ = std::thread([this] {
        char why = kOver;
        ssize_t got = 0;
        do {
            got = read(pipe_[0], &why, 1);
        } while (got < 0 && errno == EINTR);
        if (got == 1 && why == kSignalled) {
            source_.request_stop();
        }
    });
    handle(SIGINT, onStopSignal);
    handle(SIGTERM, onStopSignal);
    handle(SIGPIPE, SIG_IGN);
}

StopSignals::~StopSignals() {
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    [[maybe_unused]] const auto written = write(pipe_[1], &kOver, 1);
    watcher_.join();
    close(pipe_[0]);
    close(pipe_[1]);
}

} // namespace bellwether::ctl
