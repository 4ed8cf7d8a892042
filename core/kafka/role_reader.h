// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kafka/kafka_error.h"
#include "ports/log_consumer.h"
#include "ports/transport.h"

namespace bellwether::kafka {

/// Reads one role's partition from its first offset to the last stable offset at the time of the call.
/// `remaining` is the time the call still has, zero when it must end. A read that stops earlier is
/// incompleteRead, "incomplete read, N of M"; a record of this role that does not decode is undecodable;
/// other roles' records, and keys that say nothing, are dropped.
[[nodiscard]] Result<std::vector<CoordinationEntry>> readRole(LogConsumer& consumer, const Role& role,
                                                              const std::string& bootstrap,
                                                              const std::string& topic,
                                                              const std::function<Millis()>& remaining);

} // namespace bellwether::kafka
