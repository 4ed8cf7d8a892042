// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "world.h"

namespace bellwether::ctl {

/// -b, -F, -X, --topic and --timeout as they were typed.
struct ClusterOptions {
    std::string bootstrap;
    std::string propertyFile;
    std::vector<std::string> properties;
    std::string topic{kDefaultTopic};
    std::string timeout = "10s";
};

/// Reads the property file and joins it with -X (which wins) and -b (which wins over a bootstrap.servers
/// among them). The error says which option is wrong; a property's value is never repeated in it.
[[nodiscard]] Result<app::WorldOptions> worldOptions(const ClusterOptions& typed);

} // namespace bellwether::ctl
