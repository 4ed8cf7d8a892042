// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kafka/kafka_config.h"
#include "ports/authority.h"

namespace bellwether::kafka {

/// The KIP-664 requests over connections of our own (Asio), one I/O thread for all. Negotiates ApiVersions
/// per broker; caches coordinators and leaders and looks them up again on 14, 15, 16 and 6. PLAINTEXT only
/// for now: any other security.protocol in the properties makes every answer fail with `unsupported`, which
/// says so.
[[nodiscard]] Result<std::shared_ptr<Authority>> makeWireAuthority(KafkaConfig config);

} // namespace bellwether::kafka
