// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "coordination/fencing_token.h"
#include "coordination/ids.h"
#include "coordination/time.h"

namespace bellwether {

/// A transaction that a partition's leader says is open there (DescribeProducers, KIP-664), with what else is
/// known of it. Each fact is absent until its source has told it.
struct OpenTransaction {
    FencingToken producer;        ///< of the last write or marker there
    std::int64_t startOffset = 0; ///< of its first record
    /// The id that a coordinator names for this producerId; bytes.
    std::optional<std::string> transactionalId;
    std::optional<Role> role;          ///< its first record is of this role
    std::optional<MemberId> member;    ///< and names this member
    std::optional<WallTime> startedAt; ///< coordinator's clock
    std::optional<WallTime>
        firstRecordAt; ///< record timestamp: the broker's clock with LogAppendTime, else the writer's
    std::optional<Millis> timeout; ///< the coordinator aborts it so long after startedAt
    /// Its coordinator says that this transaction is over: no timeout ends it (KIP-664).
    bool hanging = false;

    bool operator==(const OpenTransaction&) const = default;
};

/// A partition whose last stable offset is held back by open transactions: read_committed readers, members
/// among them, see nothing newer until the oldest ends.
struct PinnedLog {
    std::int32_t partition = 0;
    std::int64_t lastStableOffset = 0;
    std::int64_t highWatermark = 0;
    std::int64_t records = 0;          ///< that wait there, without markers; as far as they were read
    bool recordsExact = true;          ///< false: at least so many
    WallTime seenSince{};              ///< this console's clock: the same transaction has held it since
    std::vector<OpenTransaction> open; ///< oldest first; empty when no leader said whose
    std::vector<Role> hidden;          ///< roles with a record there, by name
    std::vector<Role> undecided;       ///< of these, whose verdict is in doubt or unknown

    bool operator==(const PinnedLog&) const = default;
};

} // namespace bellwether
