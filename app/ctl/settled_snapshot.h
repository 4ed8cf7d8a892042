// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <stop_token>

#include "feed/snapshot.h"

namespace bellwether::ctl {

/// Read to the end, with so many roles at least, every one of them asked, and nothing left that one more
/// question would settle, or a moment: whether a partition is pinned or somebody just commits.
[[nodiscard]] bool isSettled(const Snapshot& snapshot, std::size_t rolesToCome = 0);
/// As isSettled, but roles may wait for more evidence.
[[nodiscard]] bool isJudged(const Snapshot& snapshot, std::size_t rolesToCome = 0);

/// What is waited for, and how long.
struct WaitForSettled {
    Millis timeout{10'000}; ///< in all, real time
    Millis patience{2'000}; ///< once every role is judged
    std::size_t rolesToCome = 0;
};

/// Waits until the source's newest snapshot is settled, or the time for it is over, or stop is requested; not
/// for one that names a trouble which waiting does not cure (no topic, no right) before anything was read.
/// Returns the newest snapshot in every case. Takes the source's listener for as long as it runs.
[[nodiscard]] std::shared_ptr<const Snapshot>
waitForSettled(SnapshotSource& source, const WaitForSettled& wait, std::stop_token stop);

} // namespace bellwether::ctl
