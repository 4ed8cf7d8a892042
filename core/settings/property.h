// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "coordination/result.h"

namespace bellwether::settings {

/// One setting as it was written. Values may be secrets: no message repeats them.
struct Property {
    std::string name;
    std::string value;
    std::string where; ///< FILE:LINE, or "-X"

    bool operator==(const Property&) const = default;
};

using Properties = std::vector<Property>;

} // namespace bellwether::settings
