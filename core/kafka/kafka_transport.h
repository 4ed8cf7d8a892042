// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kafka/kafka_config.h"
#include "ports/authority.h"
#include "ports/transport.h"

namespace bellwether::kafka {

/// A member's transport over librdkafka. Per role one transactional producer (transactional.id = role), plus one
/// plain idempotent-free producer with acks=all for registrations, one read_committed reader, and `authority` for
/// describe(). Handles are made lazily and destroyed on close() within milliseconds, also with the brokers gone.
/// The minted pair is the producer's own, from librdkafka's statistics.
[[nodiscard]] Result<std::unique_ptr<CoordinationTransport>> makeKafkaTransport(KafkaConfig config,
                                                                                std::shared_ptr<Authority> authority);

} // namespace bellwether::kafka
