// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "coordination/result.h"

namespace bellwether::settings {

/// The bytes of a file or of what a pipe gives. Fails with `invalidArgument` and the reason alone, so that
/// the caller can say of what: it cannot be read, or is longer than `most`.
[[nodiscard]] Result<std::string> readBounded(const std::string& path, std::size_t most);

} // namespace bellwether::settings
