// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "coordination/ids.h"
#include "kafka/wire/api.h"

namespace bellwether::bench {

/// What went over the wire, counted at the streams.
struct Traffic {
    std::map<std::string, std::size_t> requests;       ///< by name of the request
    std::map<std::string, std::size_t> requestsOfPeer; ///< DescribeTransactions by host:port
    std::size_t bytesOut = 0;
    std::size_t bytesIn = 0;
};

/// Describes the roles twice with one client of its own, through streams that count: the first time with
/// nothing known, the second time with connections and coordinators known. Throws std::runtime_error when a
/// role is not answered.
struct CountedRuns {
    Traffic first;
    Traffic second;
};

[[nodiscard]] CountedRuns countTraffic(const std::string& bootstrap, const std::vector<Role>& roles);

/// The transactional ids of each coordinator's host:port, in the order of `roles`.
[[nodiscard]] std::map<std::string, std::vector<std::string>> coordinatorsOf(const std::string& bootstrap,
                                                                             const std::vector<Role>& roles);

} // namespace bellwether::bench
