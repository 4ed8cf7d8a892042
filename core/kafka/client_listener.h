// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "kafka/kafka_error.h"

namespace bellwether::kafka {

/// What a client handle tells of itself. Calls come from librdkafka's threads (producers), or from the thread
/// that polls (consumers: `problem`); `log` from any. Implementations are thread safe and do not block.
class ClientListener {
public:
    virtual ~ClientListener() = default;

    virtual void statistics(std::string_view json) { static_cast<void>(json); }

    /// syslog levels: 3 error, 4 warning, 7 debug; `facility` is librdkafka's short tag.
    virtual void log(int level, std::string_view facility, std::string_view text) {
        static_cast<void>(level), static_cast<void>(facility), static_cast<void>(text);
    }

    virtual void problem(const Fault& fault) { static_cast<void>(fault); }

    /// `ticket` is what produce() was given; code 0 is a success.
    virtual void delivered(std::uintptr_t ticket, const Fault& fault) {
        static_cast<void>(ticket), static_cast<void>(fault);
    }
};

} // namespace bellwether::kafka
