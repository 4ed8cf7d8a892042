// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "kafka/client_handle.h"

namespace bellwether::kafka {

/// Hands one record to a producer, pinned to `partition`; nullopt is Kafka's null. `ticket` comes back in
/// ClientListener::delivered. A partition that the handle does not know yet makes it ask the cluster again,
/// once.
[[nodiscard]] Result<void> sendRecord(const Client& client, const std::string& topic, std::int32_t partition,
                                      const std::string& key, const std::optional<std::string>& value,
                                      std::uintptr_t ticket, std::string_view doing, const Place& place,
                                      const CallLimit& limit);

} // namespace bellwether::kafka
