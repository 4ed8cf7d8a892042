// SPDX-License-Identifier: Apache-2.0
#include "feed/pinned_log.h"

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether {

std::string pinnedBy(const std::vector<PartitionProducer>& producers, const Role& except,
                     const RoleOfProducer& roleOf) {
    const PartitionProducer* oldest = nullptr;
    for (const auto& row : producers) {
        if (row.openSince && (!oldest || *row.openSince < *oldest->openSince)) {
            oldest = &row;
        }
    }
    if (!oldest) {
        return {};
    }
    auto text = oldest->producer.text();
    if (const auto role = roleOf(oldest->producer.producerId)) {
        if (*role == except.str()) {
            return {};
        }
        text += fmt::format(" (role {})", displayText(*role));
    }
    return fmt::format("{}, open since offset {},", text, *oldest->openSince);
}

} // namespace bellwether
