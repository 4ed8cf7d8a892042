// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "coordination/lease_timing.h"
#include "coordination/pinned_log.h"
#include "coordination/skew.h"
#include "coordination/succession.h"
#include "coordination/verdict.h"
#include "ports/authority.h"

namespace bellwether {

/// One member of a role as the window shows it.
struct RosterView {
    RosterEntry entry;
    std::optional<std::int64_t> rank;              ///< 0 for the holder of the lease
    bool holdsLease = false;                       ///< the visible lease names it
    std::optional<WallTime> challengesAt;          ///< nothing for the lease's holder
    SuccessionAction now = SuccessionAction::wait; ///< by this console's clock
    std::optional<SkewBound> skew;

    bool operator==(const RosterView&) const = default;
};

/// One role, joined: immutable.
struct RoleView {
    Role role;
    std::int32_t partition = 0;
    Verdict verdict;
    CoordinatorAnswer coordinator;
    std::optional<LeaseRecord> visibleLease; ///< the newest committed lease, as members see it
    std::vector<RosterView> roster;          ///< in offset order
    std::optional<WallTime> verdictSince;    ///< console's clock: since when kind and holder are the same
    WallTime topicAsOf{};                    ///< console's clock: the committed view was at the end
    SteadyTime topicAsOfSteady{};
    bool stale = false;         ///< a source is older than the staleness bound
    std::uint64_t revision = 0; ///< changes when anything above changed
};

/// A record that was not taken at face value.
struct Finding {
    RecordPosition position;
    std::string part; ///< "key", "registration value", "lease value", "partition"
    std::string what;

    bool operator==(const Finding&) const = default;
};

enum class SegmentKind { led, vacant, changing, inDoubt, contradictory, notObserved };

/// A stretch of one role's time on this console's clock during which the verdict said the same.
struct TimelineSegment {
    SegmentKind kind = SegmentKind::notObserved;
    std::optional<MemberId> holder;    ///< for led
    std::optional<FencingToken> token; ///< for led: the lease's token
    WallTime from{};
    std::optional<WallTime> to; ///< nothing: still going on
    bool beganBefore = false;   ///< it was so already when this console first looked

    bool operator==(const TimelineSegment&) const = default;
};

struct TimelineLane {
    Role role;
    std::vector<TimelineSegment> segments; ///< in time order, no overlaps
};

enum class ConnectionPhase {
    connecting, ///< nothing read yet
    reading,    ///< first read under way: see progress
    live,       ///< read to the end, answers come
    degraded,   ///< some broker, partition or coordinator does not answer
    lost,       ///< nothing answers; everything shown is old
};
[[nodiscard]] std::string_view toString(ConnectionPhase phase) noexcept;

struct ConnectionView {
    ConnectionPhase phase = ConnectionPhase::connecting;
    std::string endpoint; ///< what the operator asked for: bootstrap or "sandbox"
    std::string topic;
    std::optional<Error> problem; ///< the most telling current trouble
    std::optional<ClusterInfo> cluster;
    std::int64_t recordsRead = 0; ///< of the first read
    std::int64_t recordsKnown = 0;
    std::int32_t partitions = 0;
    std::optional<WallTime> lastGoodRead; ///< console's clock
    std::uint64_t exceptions = 0;         ///< unexpected faults of the reading thread, survived
};

/// The state of the world for one frame. Immutable; crosses threads as shared_ptr<const Snapshot>.
struct Snapshot {
    std::uint64_t sequence = 0;
    WallTime takenAt{}; ///< console's clock
    SteadyTime takenAtSteady{};
    LeaseTiming assumedTiming; ///< stagger and renew interval are in no record
    Millis stalenessBound{10'000};
    ConnectionView connection;
    std::vector<std::shared_ptr<const RoleView>>
        roles;                     ///< in natural order of names; unchanged ones are shared
    std::vector<PinnedLog> pinned; ///< partitions whose log is held back for longer than a commit takes
    std::int32_t pinnedLately = 0; ///< partitions pinned for a shorter time: that may be an ordinary commit
    std::vector<Finding> findings; ///< newest last, bounded; see findingsTotal
    std::uint64_t findingsTotal = 0;
    std::vector<std::shared_ptr<const TimelineLane>> timeline; ///< one per role, same order as roles
    WallTime watchingSince{};                                  ///< console's clock
    bool clockStepped = false; ///< this machine's wall clock jumped against its steady clock
};

/// Where a view gets its snapshots. Thread safe.
class SnapshotSource {
public:
    virtual ~SnapshotSource() = default;
    /// The newest snapshot, never null.
    [[nodiscard]] virtual std::shared_ptr<const Snapshot> latest() const = 0;
    /// Called on the feed's thread after each new snapshot; must not block. Replaces the previous listener;
    /// an empty function removes it, and when the call returns the old one is not running any more.
    virtual void onSnapshot(std::function<void()> listener) = 0;
    /// Ask every source again now.
    virtual void refresh() = 0;
};

} // namespace bellwether
