// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "coordination/record_codec.h"
#include "coordination/result.h"
#include "coordination/time.h"

namespace bellwether::kafka {

/// How to reach a cluster: librdkafka property names and values, as in its own configuration files.
struct KafkaConfig {
    /// HOST:PORT[,HOST:PORT...]; required.
    std::string bootstrap;
    std::string topic{kDefaultTopic};
    /// Further librdkafka properties (security.protocol, ...). They override this library's own choices
    /// except those that safety rests on (isolation.level, enable.idempotence, acks, transactional.id).
    std::map<std::string, std::string> properties;
    /// Bound on every blocking call.
    Millis timeout{10'000};
    /// transaction.timeout.ms of members' producers.
    Millis transactionTimeout{10'000};
};

struct HostPort {
    std::string host;
    std::uint16_t port = 0;
    bool operator==(const HostPort&) const = default;
};

/// Parses a bootstrap list: names, IPv4, [IPv6]; the port is required. The error names the bad entry.
[[nodiscard]] Result<std::vector<HostPort>> parseBootstrap(std::string_view text);

/// librdkafka knows a property of this name, an alias included.
[[nodiscard]] bool isProperty(const std::string& name);
/// The name that an alias stands for; any other name itself.
[[nodiscard]] std::string propertyBehind(const std::string& name);
/// The names that it lists, for suggestions: those that have a default, and the usual ones of security.
[[nodiscard]] std::vector<std::string> propertyNames();
/// `invalidArgument` for a value that librdkafka does not take, in its words; those of secrets it takes all.
[[nodiscard]] Result<void> checkProperty(const std::string& name, const std::string& value);

/// Version of the librdkafka in use, e.g. "2.14.2".
[[nodiscard]] std::string librdkafkaVersion();

} // namespace bellwether::kafka
