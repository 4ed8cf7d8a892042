// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace bellwether::app {

/// What a name that nobody knows may have been meant to be.
struct Likeness {
    std::string nearest; ///< a known name; empty when none is near
    bool ofSecurity = false;
    /// The known name of security behind the prefix of another client (producer.security.protocol).
    std::string behindPrefix;
    bool ofJava = false; ///< `nearest` is the very name, and only Java's clients have it
};

/// Looks for the nearest known name, librdkafka's and those of security that Java has: spelling, case, and
/// `_` or `-` for a dot do not matter. What looks like a setting of security is one.
[[nodiscard]] Likeness likenessOf(const std::string& name);

} // namespace bellwether::app
