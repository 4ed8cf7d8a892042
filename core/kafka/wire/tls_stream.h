// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <mutex>

#include "kafka/wire/stream.h"
#include "kafka/wire/tls_context.h"

namespace bellwether::kafka::wire {

/// How often each peer closed before it said anything. Any thread.
class TlsSilences {
public:
    /// How often by now; 0: it spoke TLS before.
    int closed(const HostPort& peer);
    void spoke(const HostPort& peer);

private:
    static constexpr int kSpoke = -1;

    std::mutex mutex_;
    std::map<std::pair<std::string, std::uint16_t>, int> inARow_;
};

[[nodiscard]] std::shared_ptr<Stream> makeTlsStream(asio::io_context& io, const HostPort& peer,
                                                    std::shared_ptr<const TlsContext> context,
                                                    std::shared_ptr<TlsSilences> silences);

} // namespace bellwether::kafka::wire
