// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "coordination/evidence.h"
#include "coordination/pinned_log.h"
#include "feed/role_table.h"
#include "ports/authority.h"

namespace bellwether::feed {

/// What one round learned of a partition; producers are absent when they were not asked or did not answer.
struct PartitionRound {
    std::int32_t partition = 0;
    std::int64_t lastStableOffset = 0;
    std::int64_t highWatermark = 0;
    std::optional<std::vector<PartitionProducer>> producers;
};

/// A transactional id and its coordinator's last answer.
struct KnownId {
    std::string transactionalId;
    CoordinatorAnswer answer;
};

/// Follows which partitions are pinned, and by whom. Used by the engine's thread alone.
class PinnedPartitions {
public:
    /// What goes away sooner is somebody's ordinary commit.
    static constexpr Millis kPatience{1'500};
    static constexpr Millis kListAgain{5'000};

    void note(PartitionRound round, SteadyTime now, WallTime wall);

    void clear() { partitions_.clear(); }

    using KnownIds = std::function<std::optional<KnownId>(std::int64_t producerId)>;

    /// ProducerIds whose transactional id nobody has named yet; they count as asked for from now on.
    [[nodiscard]] std::vector<std::int64_t> toBeListed(SteadyTime now, const KnownIds& known);
    void listed(const TransactionListing& listing);

    /// Pinned for longer than kPatience, by partition. `undecided` is left empty.
    [[nodiscard]] std::vector<PinnedLog> view(SteadyTime now, const KnownIds& known,
                                              const RoleTable& table) const;

    /// Pinned, and for no longer than that.
    [[nodiscard]] std::int32_t lately(SteadyTime now) const;

private:
    using Key = std::pair<std::int64_t, std::int64_t>; ///< producerId, first offset

    struct Partition {
        PartitionRound round;
        std::map<Key, SteadyTime> firstSeen; ///< of each open transaction
        SteadyTime since{};
        WallTime sinceWall{};
    };

    struct Listing {
        SteadyTime askedAt{};
        std::optional<ListedTransaction> found;
    };

    [[nodiscard]] static Key keyOf(const PartitionRound& round);
    [[nodiscard]] OpenTransaction describe(const Partition& partition, const PartitionProducer& row,
                                           const KnownIds& known, const RoleTable& table) const;

    std::map<std::int32_t, Partition> partitions_; ///< those that are pinned now
    std::map<std::int64_t, Listing> listings_;     ///< by producerId
};

} // namespace bellwether::feed
