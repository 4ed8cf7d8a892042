// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "coordination/result.h"

namespace bellwether::sandbox {

/// Kafka's protocol error codes that the sandbox answers with (org.apache.kafka.common.protocol.Errors).
enum class BrokerCode {
    unknownTopicOrPartition = 3,
    invalidProducerEpoch = 47,
    invalidTxnState = 48,
    invalidProducerIdMapping = 49,
    concurrentTransactions = 51,
    producerFenced = 90,
};

/// The error a client makes of a broker's code, with the flags set as the ports promise.
[[nodiscard]] Error brokerError(BrokerCode code, std::string where);
[[nodiscard]] Error unreachableError(std::string where);
[[nodiscard]] Error timeoutError(std::string what, std::string where);
[[nodiscard]] Error closedError(std::string what);

} // namespace bellwether::sandbox
