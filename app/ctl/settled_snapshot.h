// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>

#include "feed/snapshot.h"

namespace bellwether::ctl {

/// Read to the end, every role asked, and nothing left that one more question would settle.
[[nodiscard]] bool isSettled(const Snapshot& snapshot);
/// As isSettled, but roles may wait for more evidence.
[[nodiscard]] bool isJudged(const Snapshot& snapshot);

/// Waits until the source's newest snapshot is settled; for one that is judged but not settled no longer than
/// `patience` after it was judged; not for one that names a trouble which waiting does not cure (no topic, no
/// right) before anything was read; in all no longer than `timeout` (real time) or until stop is requested.
/// Returns the newest snapshot in every case. Takes the source's listener for as long as it runs.
[[nodiscard]] std::shared_ptr<const Snapshot> waitForSettled(SnapshotSource& source, Millis timeout,
                                                             Millis patience, std::stop_token stop);

} // namespace bellwether::ctl
