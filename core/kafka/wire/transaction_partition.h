// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace bellwether::kafka::wire {

/// The partition of the transaction log whose leader coordinates a transactional id: the broker takes Java's
/// String.hashCode() of it, over UTF-16, without its sign (org.apache.kafka.common.utils.Utils.abs), modulo
/// the number of partitions, which is at least 1. Bytes that are no UTF-8 count as U+FFFD each.
[[nodiscard]] std::size_t transactionPartition(std::string_view transactionalId, std::size_t partitions);

} // namespace bellwether::kafka::wire
