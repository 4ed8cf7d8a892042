// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/kafka_config.h"
#include "ports/log_consumer.h"

namespace bellwether::kafka {

/// Consumers of config.topic over librdkafka (assign, no group, no commits). A factory call makes the handle
/// without waiting for a broker; troubles reach the caller through poll() and bounds().
/// An offset that the log does not hold (records deleted, topic created anew) is a trouble, and reading
/// starts over from the partition's beginning. partitionCount() and bounds() go over a handle that the
/// factory's consumers share, so they do not wait behind a poll of the brokers. Closing takes at most half a
/// second, milliseconds as a rule.
[[nodiscard]] LogConsumerFactory makeKafkaLogConsumers(KafkaConfig config);

} // namespace bellwether::kafka
