// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "ctl/terminal.h"
#include "world.h"

namespace bellwether::ctl {

/// `join` as it was typed.
struct JoinOptions {
    std::string role;
    std::string member;
    std::string lease = "30s";
    std::string renew = "10s";
    std::string stagger = "5s";
    std::string clockOffset = "0";
    std::string holdFor; ///< empty: until stopped
    bool once = false;
    bool noDeregister = false;
    Format format = Format::text;
};

/// Is a member of `role` until stopped. `world` is opened with the clock offset that `options` name.
[[nodiscard]] int joinRole(app::WorldOptions world, const JoinOptions& options, Terminal& terminal,
                           std::stop_token stop);

} // namespace bellwether::ctl
