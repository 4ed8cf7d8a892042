// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/kafka_config.h"
#include "ports/log_consumer.h"

namespace bellwether::kafka {

/// Consumers of config.topic over librdkafka (assign, no group, no commits). A factory call makes the handle
/// without waiting for a broker; troubles reach the caller through poll() and bounds().
[[nodiscard]] LogConsumerFactory makeKafkaLogConsumers(KafkaConfig config);

} // namespace bellwether::kafka
