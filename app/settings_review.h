// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "cluster_settings.h"

namespace bellwether::app {

/// Looks at settings together, when all are gathered. Notes what security.protocol makes ineffective: a
/// password where nobody logs in, a CA where nothing is encrypted. Mends what librdkafka makes no handle of:
/// a Kerberos login without a keytab, a longest wait below the first. `where` has FILE:LINE or "-X" by name.
/// Fails with `invalidArgument` on a key store that librdkafka cannot read.
[[nodiscard]] Result<void> reviewSettings(ClusterSettings& settings,
                                          const std::map<std::string, std::string>& where);

} // namespace bellwether::app
