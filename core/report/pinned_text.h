// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "coordination/pinned_log.h"

namespace bellwether {

/// A pinned log in words: what waits behind whom, since when, and what comes of it or is to be done. One
/// sentence each, without a full stop; names are escaped (display_text.h).
struct PinnedWords {
    std::string what;
    std::string since;
    std::string hint;
};

/// Where the partition is, and how instants are to be written.
struct PinnedPlace {
    std::string endpoint; ///< bootstrap, for the command that ends a hanging transaction
    std::string topic;
    WallTime now{}; ///< this console's clock
    std::function<std::string(WallTime)> instant;
};

[[nodiscard]] PinnedWords wordsOf(const PinnedLog& log, const PinnedPlace& place);

} // namespace bellwether
