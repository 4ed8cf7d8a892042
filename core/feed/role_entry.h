// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordination/skew.h"
#include "feed/snapshot.h"
#include "feed/timeline_lane.h"

namespace bellwether::feed {

/// The evidence of the last finished round, kept so that the verdict can be made again as it ages.
struct JudgedRound {
    std::shared_ptr<const RoleState> state;
    CoordinatorAnswer coordinator;
    bool askedAfterNewestRecord = false;
    std::vector<TailLease> tail;
    bool tailRead = false;
    std::vector<UntrustedLease> untrusted;
    std::optional<std::vector<PartitionProducer>> producers;
    std::string pinnedBy;
    CoordinatorMemory memory; ///< of the answers before
    SteadyTime topicAsOf{};   ///< the bounds that the readers went past were asked then
    Verdict verdict;
};

/// Everything the engine keeps of one role. Used by the engine's thread alone.
class RoleEntry {
public:
    RoleEntry(Role role, std::int32_t partition);

    [[nodiscard]] const Role& role() const noexcept { return fold_.role(); }

    [[nodiscard]] std::int32_t partition() const noexcept { return partition_; }

    [[nodiscard]] const RoleState& fold() const noexcept { return fold_; }

    /// A record of the committed view. `live`: it arrived after the first read, so its arrival tells of
    /// clocks.
    void committed(const CoordinationRecord& record, const RecordPosition& position, WallTime arrivedWall,
                   SteadyTime arrived, bool live);
    /// A lease record of the uncommitted view.
    void uncommitted(const CoordinationRecord& record, const RecordPosition& position, SteadyTime arrived);
    /// Lease records outside the committed view when the committed reader stands at `committedNext`.
    [[nodiscard]] std::vector<TailLease> tail(std::int64_t committedNext);

    /// A lease record of either view that cannot be taken at face value.
    void distrust(UntrustedLease record, SteadyTime arrived);
    [[nodiscard]] std::vector<UntrustedLease> untrusted() const;

    /// Either reader has seen a lease whose token is, or may be, newer than the answer's.
    [[nodiscard]] bool knowsNewerThan(const CoordinatorAnswer& answer) const;

    /// When the newest lease record was first seen by either reader.
    [[nodiscard]] SteadyTime newestLeaseSeen() const noexcept { return newestLeaseSeen_; }

    [[nodiscard]] std::optional<SkewBound> skewOf(const MemberId& member) const;

    // The round under way and the last one; the engine's own book-keeping.
    bool asked = false;                   ///< a question is under way
    bool dirty = true;                    ///< something changed that no verdict has seen
    std::optional<SteadyTime> doubtSince; ///< the first of the answers in a row that left a doubt
    std::optional<SteadyTime> askAgainAt;
    std::optional<JudgedRound> round;
    std::optional<CoordinatorAnswer> refusal; ///< the coordinator's lasting refusal, in place of an answer
    std::optional<Error> lastFailure;
    std::optional<PriorAuthority> prior;
    CoordinatorMemory memory;
    std::shared_ptr<const RoleView> view;
    std::optional<WallTime> verdictSince;
    LaneBuilder lane;

private:
    struct TailRecord {
        std::optional<Lease> lease;
        RecordPosition position;
    };

    struct Skews {
        SkewEstimator console{SkewReference::console};
        SkewEstimator broker{SkewReference::broker};
    };

    void learnSkew(const MemberId& member, WallTime memberTime, const RecordPosition& position,
                   WallTime arrived, bool live);

    RoleState fold_;
    std::int32_t partition_;
    std::map<std::int64_t, TailRecord> tail_;
    std::optional<UntrustedLease> unreadable_; ///< the newest of the role's partition
    std::optional<UntrustedLease> misplaced_;  ///< that with the highest token
    SteadyTime newestLeaseSeen_{};
    std::map<MemberId, Skews> skews_;
};

} // namespace bellwether::feed
