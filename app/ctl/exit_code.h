// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coordination/result.h"

namespace bellwether::ctl {

/// Stable; listed by --help and in docs/bellwetherctl.md.
enum ExitCode : int {
    kOk = 0,
    kIncomplete = 1,   ///< the answer is incomplete or negative
    kUsage = 2,        ///< the command line or a file it names is not legal
    kCluster = 3,      ///< the cluster was not reached, or refused
    kRoleLost = 4,     ///< join --once: another epoch exists, or the id expired
    kInternal = 5,     ///< a fault of this program
    kInterrupted = 130 ///< stopped by a signal before the answer
};

[[nodiscard]] constexpr ExitCode exitCodeOf(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::invalidArgument: return kUsage;
    case ErrorCode::topicMissing:
    case ErrorCode::refused:
    case ErrorCode::unreachable:
    case ErrorCode::timeout:
    case ErrorCode::unsupported:
    case ErrorCode::protocol:
    case ErrorCode::busy:
    case ErrorCode::broker: return kCluster;
    case ErrorCode::fenced:
    case ErrorCode::idExpired: return kRoleLost;
    case ErrorCode::undecodable:
    case ErrorCode::incompleteRead: return kIncomplete;
    case ErrorCode::closed: return kInterrupted;
    case ErrorCode::notMinted:
    case ErrorCode::internal: break;
    }
    return kInternal;
}

} // namespace bellwether::ctl
