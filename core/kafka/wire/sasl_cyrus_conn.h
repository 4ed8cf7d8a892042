// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/sasl_cyrus.h"

namespace bellwether::kafka::wire {

/// An exchange by a sasl_conn_t of its own, with its first message made: what may block has happened.
/// `unsupported` when the library has no plugin for the mechanism, with the package that has it; `refused`
/// when there is no ticket. Any thread; an object moves between threads, but is used by one at a time.
[[nodiscard]] Result<std::unique_ptr<SaslExchange>>
startCyrusExchange(std::shared_ptr<const CyrusSettings> settings, const std::string& host);

} // namespace bellwether::kafka::wire
