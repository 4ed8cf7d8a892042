// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "kafka/wire/ask.h"

namespace bellwether::kafka::wire {

/// A request that any broker can answer. The brokers are tried in order of their health; the next one is
/// asked as soon as one fails, or has been silent for `patience`, while the earlier ones may still answer:
/// the first success wins. When all have failed the error lists each broker's reason. The handler runs once,
/// on the I/O thread, never inside the call; the connection is the one that answered (null on failure).
struct AnyBrokerRequest {
    ApiKey api{};
    VersionRange versions;
    Encoder encoder;
    Instant deadline;
    Millis patience{250};
};

using AnyBrokerHandler = std::function<void(Result<Reply>, ConnectionPtr)>;

void askAnyBroker(asio::io_context& io, std::vector<ConnectionPtr> candidates, AnyBrokerRequest request,
                  AnyBrokerHandler handler);

} // namespace bellwether::kafka::wire
