// SPDX-License-Identifier: Apache-2.0
#include "ctl/cluster_options.h"

#include <utility>

#include "ctl/duration.h"

namespace bellwether::ctl {

Result<app::WorldOptions> worldOptions(const ClusterOptions& typed, std::vector<Error>& notes) {
    auto settings = app::readClusterSettings(typed.settings);
    if (!settings) {
        return fail(std::move(settings).error());
    }
    notes = std::move(settings->notes);
    app::WorldOptions options;
    options.bootstrap = std::move(settings->bootstrap);
    options.properties = std::move(settings->properties);
    if (options.bootstrap.empty()) {
        return fail(ErrorCode::invalidArgument, "no cluster was named", "command line",
                    "give -b HOST:PORT, or -b sandbox for the embedded one");
    }
    const auto timeout = parseDuration(typed.timeout);
    if (!timeout) {
        return fail(timeout.error());
    }
    if (*timeout <= Millis{0}) {
        return fail(ErrorCode::invalidArgument, "--timeout has to be positive", "command line",
                    "write for example 10s");
    }
    options.timeout = *timeout;
    options.topic = typed.topic;
    return options;
}

} // namespace bellwether::ctl
