// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kafka/kafka_config.h"
#include "kafka/wire/stream.h"

namespace bellwether::kafka::wire {

/// Turns host names into endpoints without ever blocking the I/O thread or its end. Numeric addresses need no
/// lookup. A name is looked up by a thread of its own that is never joined (a resolver can hang for many
/// seconds): at most one per name at a time, however many ask. All calls and handlers on the I/O thread; a
/// handler never runs inside resolve().
class NameLookup : public std::enable_shared_from_this<NameLookup> {
public:
    using Handler = std::function<void(Result<Endpoints>)>;

    explicit NameLookup(asio::io_context& io);
    ~NameLookup();
    NameLookup(const NameLookup&) = delete;
    NameLookup& operator=(const NameLookup&) = delete;

    void resolve(const HostPort& peer, Handler handler);
    /// Drops the handlers; threads still looking up find nobody to tell.
    void close();

private:
    struct Gate; ///< lets a late thread find out that the io_context is gone

    struct Waiting {
        std::uint16_t port;
        Handler handler;
    };

    void finish(const std::string& host, const Result<std::vector<asio::ip::address>>& addresses);

    asio::io_context& io_;
    std::shared_ptr<Gate> gate_;
    std::map<std::string, std::vector<Waiting>> waiting_;
};

} // namespace bellwether::kafka::wire
