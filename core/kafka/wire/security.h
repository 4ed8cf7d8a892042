// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <asio/io_context.hpp>

#include "kafka/wire/sasl_exchange.h"
#include "kafka/wire/stream.h"

namespace bellwether::kafka::wire {

/// What a connection does between TCP and the first request.
struct Security {
    StreamFactory makeStream = makePlainStream;
    bool tls = false;
    std::shared_ptr<SaslCredentials> credentials; ///< null: no SASL
};

/// From librdkafka's properties: security.protocol (any case), ssl.*, sasl.*. Nothing is connected to.
/// `invalidArgument` names the property that is missing or wrong; `unsupported` names the one whose value
/// librdkafka knows and this client does not.
[[nodiscard]] Result<Security> makeSecurity(asio::io_context& io,
                                            const std::map<std::string, std::string>& properties);

} // namespace bellwether::kafka::wire
