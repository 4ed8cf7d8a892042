// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "settings/property.h"

namespace bellwether::settings {

/// Settings in librdkafka's names, and what was left aside on the way.
struct ClientSettings {
    Properties properties;          ///< in the file's order; a later one of the same name counts
    std::vector<Error> notes;       ///< what is ignored, and why; never a secret
    std::vector<std::string> names; ///< every name that was written, as it was
};

/// Java client properties in librdkafka's names: names and values that differ, the JAAS line, key stores and
/// trust stores (files are read here). Names that only producers, consumers or the JVM know are left aside
/// with a note; names that nobody knows stay as they are, for the caller to judge. Fails with
/// `invalidArgument` on what would silently mean something else: a JKS store, a config provider's ${...}, a
/// login module without translation.
[[nodiscard]] Result<ClientSettings> fromJava(const Properties& java);

/// The value has a reference to a config provider, ${NAME:...}, wherever it stands.
[[nodiscard]] bool refersToProvider(std::string_view value);

} // namespace bellwether::settings
