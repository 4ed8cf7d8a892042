// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "coordination/evidence.h"

namespace bellwether {

/// The role (name as bytes) that a producerId belongs to, as far as the coordinators' answers tell.
using RoleOfProducer = std::function<std::optional<std::string>(std::int64_t producerId)>;

/// Who holds a partition's log back: its oldest open transaction, in the words that a reason quotes. Empty
/// when nobody does, or when it is `except` itself. Pure.
[[nodiscard]] std::string pinnedBy(const std::vector<PartitionProducer>& producers, const Role& except,
                                   const RoleOfProducer& roleOf);

} // namespace bellwether
