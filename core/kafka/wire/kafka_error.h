// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "coordination/result.h"

/// Kafka's numbered errors as far as these requests meet them (protocol guide, "Error codes").
namespace bellwether::kafka::wire {

enum KafkaCode : std::int16_t {
    kNone = 0,
    kUnknownTopicOrPartition = 3,
    kLeaderNotAvailable = 5,
    kNotLeaderOrFollower = 6,
    kRequestTimedOut = 7,
    kReplicaNotAvailable = 9,
    kCoordinatorLoadInProgress = 14,
    kCoordinatorNotAvailable = 15,
    kNotCoordinator = 16,
    kTopicAuthorizationFailed = 29,
    kClusterAuthorizationFailed = 31,
    kUnsupportedSaslMechanism = 33,
    kIllegalSaslState = 34,
    kUnsupportedVersion = 35,
    kConcurrentTransactions = 51,
    kTransactionalIdAuthorizationFailed = 53,
    kSaslAuthenticationFailed = 58,
    kTransactionalIdNotFound = 105,
};

/// The guide's name, e.g. "NOT_COORDINATOR"; "error 77" for a code not named here.
[[nodiscard]] std::string nameOf(std::int16_t code);

/// `what` is completed with the code's name and number; the hint follows from the code.
[[nodiscard]] Error brokerError(std::int16_t code, std::string what, std::string where);

/// The coordinator moved, is loading or is not there yet: look it up again.
[[nodiscard]] bool coordinatorMoved(std::int16_t code) noexcept;
/// The leader moved or the partition is not known there (yet): fetch the metadata again.
[[nodiscard]] bool leaderMoved(std::int16_t code) noexcept;

} // namespace bellwether::kafka::wire
