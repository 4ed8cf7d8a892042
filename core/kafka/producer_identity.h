// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "coordination/fencing_token.h"

namespace bellwether::kafka {

/// The pair that a producer holds by its own statistics (librdkafka STATISTICS.md, "eos"). Only in state
/// Assigned with a count of at least one: an earlier snapshot can hold -1 or a pair that is being replaced.
/// Nothing otherwise, also for text that is not such JSON.
[[nodiscard]] std::optional<FencingToken> tokenFromStatistics(std::string_view json);

/// The pair in the log line with which the producer notes that it was given one ("Acquired
/// PID{Id:7,Epoch:3}"). It is written at the moment of the change, long before the next statistics. Nothing
/// for any other line.
[[nodiscard]] std::optional<FencingToken> tokenFromLogLine(std::string_view text);

/// The broker's code in a log line about a refused request (facilities ADDPARTS, ENDTXN, GETPID, TXNERR): 47
/// INVALID_PRODUCER_EPOCH or 90 PRODUCER_FENCED; nothing for any other line. The library's errors themselves
/// say only "fenced".
[[nodiscard]] std::optional<int> fenceCodeFromLogLine(std::string_view facility, std::string_view text);

} // namespace bellwether::kafka
