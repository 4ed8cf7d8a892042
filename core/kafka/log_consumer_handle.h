// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "kafka/client_conf.h"
#include "ports/log_consumer.h"

namespace bellwether::kafka {

/// A handle that answers questions for consumers, so that no question waits behind a consumer's long poll.
[[nodiscard]] Result<std::shared_ptr<Client>> openAsker(const KafkaConfig& config);

/// Opens a consumer of config.topic without waiting for a broker. `asker` answers partitionCount() and
/// bounds(); null: the consumer's own handle does. `closing`, if given, ends calls in progress; it must
/// outlive the consumer.
[[nodiscard]] Result<std::unique_ptr<LogConsumer>> openLogConsumer(const KafkaConfig& config,
                                                                   ClientPurpose purpose, Isolation isolation,
                                                                   std::shared_ptr<Client> asker,
                                                                   const std::atomic<bool>* closing);

} // namespace bellwether::kafka
