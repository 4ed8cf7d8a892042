// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cluster_settings.h"
#include "world.h"

namespace bellwether::ctl {

/// -b, -F, -X, --file-form, --topic and --timeout as they were typed.
struct ClusterOptions {
    app::TypedSettings settings;
    std::string topic{kDefaultTopic};
    std::string timeout = "10s";
};

/// Reads and joins them (app/cluster_settings.h). The error says which option is wrong; a property's value is
/// never repeated in it. `notes` gets what was left aside.
[[nodiscard]] Result<app::WorldOptions> worldOptions(const ClusterOptions& typed, std::vector<Error>& notes);

} // namespace bellwether::ctl
