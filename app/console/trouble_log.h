// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "feed/snapshot.h"

namespace bellwether::console {

/// Says on standard error what the window says in its banner and its findings: each trouble once
/// while it lasts, and when all of it is over. A flood of findings is cut short.
class TroubleLog {
public:
    using Writer = std::function<void(const std::string& line)>;
    explicit TroubleLog(Writer writer);
    void note(const Snapshot& snapshot);

    static constexpr int kMostFindings = 20;

private:
    void noteFindings(const Snapshot& snapshot);

    Writer writer_;
    std::set<std::string> said_; ///< since the trouble began
    std::uint64_t findingsSeen_ = 0;
    int findingsWritten_ = 0;
};

} // namespace bellwether::console
