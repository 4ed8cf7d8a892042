// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "coordination/result.h"

namespace bellwether::settings {

/// One login module of a JAAS line (sasl.jaas.config, KIP-85).
struct JaasEntry {
    std::string module; ///< class name without its package
    std::map<std::string, std::string> options;
};

/// Parses `package.Module required name=value name="value" ... ;`. Quotes are " or ', a backslash inside them
/// escapes as in Java's StreamTokenizer (\n, \t, octal, any other character itself). Fails with
/// `invalidArgument` naming the option, never its value; `where` is for messages.
[[nodiscard]] Result<JaasEntry> parseJaas(std::string_view text, const std::string& where);

} // namespace bellwether::settings
