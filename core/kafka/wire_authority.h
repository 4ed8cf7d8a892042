// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kafka/kafka_config.h"
#include "ports/authority.h"

namespace bellwether::kafka {

/// The KIP-664 requests over connections of our own (Asio), one I/O thread for all. Negotiates ApiVersions
/// per broker; caches coordinators and leaders and looks them up again on 14, 15, 16 and 6. Logs in as
/// librdkafka does by the same properties (security.protocol, ssl.*, sasl.*); a setting that is wrong or not
/// known here is an error of this call, which names the property.
[[nodiscard]] Result<std::shared_ptr<Authority>> makeWireAuthority(KafkaConfig config);

} // namespace bellwether::kafka
