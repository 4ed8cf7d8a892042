// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coordination/result.h"

namespace bellwether::report {

/// A coordinator's refusal as it stands in a file: Kafka's code, spelled out with its name where it is one
/// that a DescribeTransactions answer can carry. `where` names the role.
[[nodiscard]] Error refusalOf(int kafkaCode, std::string where);

} // namespace bellwether::report
