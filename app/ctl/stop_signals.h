// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace bellwether::ctl {

/// While it lives, the first SIGINT or SIGTERM requests stop and the second ends the process at once with
/// code 130, writing nothing more, as a crash would. SIGPIPE is ignored: a closed pipe is an error of the
/// stream. One instance per process.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    [[nodiscard]] std::stop_token token() const { return source_.get_token(); }

private:
    std::stop_source source_;
    std::array<int, 2> pipe_{-1, -1};
    std::thread watcher_;
};

} // namespace bellwether::ctl
