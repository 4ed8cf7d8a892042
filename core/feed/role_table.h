// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coordination/display_text.h"
#include "feed/role_entry.h"
#include "ports/log_consumer.h"

namespace bellwether::feed {

struct NaturalOrder {
    bool operator()(const std::string& a, const std::string& b) const noexcept {
        return compareNatural(a, b) < 0;
    }
};

/// All roles of the topic, fed by both readers. Keeps how far each reader stands and what did not decode.
class RoleTable {
public:
    using Roles = std::map<std::string, RoleEntry, NaturalOrder>;
    static constexpr std::size_t kMostFindings = 10'000;

    explicit RoleTable(std::int32_t partitions);

    void take(Isolation isolation, const PollBatch& batch, WallTime wall, SteadyTime now);

    [[nodiscard]] Roles& roles() noexcept { return roles_; }

    [[nodiscard]] std::int32_t partitions() const noexcept {
        return static_cast<std::int32_t>(committed_.size());
    }

    /// Where the reader's next record will come from.
    [[nodiscard]] std::int64_t next(Isolation isolation, std::int32_t partition) const;
    /// The committed reader is past the offset that its first read set out for.
    void liveFrom(std::int32_t partition, std::int64_t offset);

    [[nodiscard]] const std::deque<Finding>& findings() const noexcept { return findings_; }

    [[nodiscard]] std::uint64_t findingsTotal() const noexcept { return findingsTotal_; }

    /// A record that the uncommitted reader has seen and the committed one has not come to yet.
    struct Waiting {
        std::optional<Role> role; ///< nothing: no record of this format, or in the wrong place
        std::optional<MemberId> member;
        std::optional<WallTime> timestamp;
    };

    static constexpr std::size_t kMostWaiting = 10'000;

    /// By offset; at most kMostWaiting, the oldest.
    [[nodiscard]] const std::map<std::int64_t, Waiting>& waiting(std::int32_t partition) const {
        return waiting_.at(static_cast<std::size_t>(partition));
    }

    /// Sum over partitions of offsets read from `beginnings` on; for progress.
    [[nodiscard]] std::int64_t readSince(const std::map<std::int32_t, std::int64_t>& beginnings) const;

private:
    void await(const ConsumedRecord& raw);
    void takeOne(Isolation isolation, const ConsumedRecord& raw, WallTime wall, SteadyTime now);
    [[nodiscard]] RoleEntry& entryOf(const Role& role);
    void find(const RecordPosition& position, std::string part, std::string what);

    Roles roles_;
    std::vector<std::int64_t> committed_;
    std::vector<std::int64_t> uncommitted_;
    std::vector<std::int64_t> liveFrom_;
    std::vector<std::map<std::int64_t, Waiting>> waiting_; ///< by partition
    std::deque<Finding> findings_;
    std::uint64_t findingsTotal_ = 0;
};

} // namespace bellwether::feed
