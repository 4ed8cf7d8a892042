// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "coordination/record_codec.h"

namespace bellwether {

/// Whose clock stamped a record: the producer's (CreateTime) or the broker's (LogAppendTime).
enum class TimestampType { unknown, createTime, logAppendTime };

/// Where and when a record stands in the log.
struct RecordPosition {
    std::int32_t partition = 0;
    std::int64_t offset = -1;
    WallTime timestamp{}; ///< of the clock that `timestampType` names
    TimestampType timestampType = TimestampType::unknown;

    bool operator==(const RecordPosition&) const = default;
};

struct RosterEntry {
    MemberId member;
    WallTime registeredAt{}; ///< member's clock
    RecordPosition position;

    bool operator==(const RosterEntry&) const = default;
};

struct LeaseRecord {
    Lease lease;
    RecordPosition position;

    bool operator==(const LeaseRecord&) const = default;
};

/// The fold of one role's records as a read_committed reader sees them. For every key the record of the
/// highest offset counts, so the result does not depend on the order of apply() calls, nor on repeats.
class RoleState {
public:
    explicit RoleState(Role role);

    /// Returns true when the record changed the state. Records of other roles are dropped (false).
    bool apply(const CoordinationRecord& record, const RecordPosition& position);

    [[nodiscard]] const Role& role() const noexcept { return role_; }

    /// Registered members in offset order, oldest first.
    [[nodiscard]] std::vector<RosterEntry> roster() const;
    [[nodiscard]] std::optional<RosterEntry> rosterEntry(const MemberId& member) const;

    /// The current lease, or nothing when there was none or the newest record is a tombstone.
    [[nodiscard]] const std::optional<LeaseRecord>& lease() const noexcept { return lease_; }

    /// Position of the newest lease record, tombstones included.
    [[nodiscard]] const std::optional<RecordPosition>& newestLeasePosition() const noexcept {
        return leasePosition_;
    }

    /// The newest lease that was not a tombstone: who led last, as far as the log still tells.
    [[nodiscard]] const std::optional<LeaseRecord>& lastLease() const noexcept { return lastLease_; }

    /// The lease with the highest epoch under one producerId (among equals the lowest offset); nothing when
    /// no lease carries that id, or only one of the oldest of very many ids.
    [[nodiscard]] std::optional<LeaseRecord> highestUnder(std::int64_t producerId) const;

    /// A lease that the newest one cannot follow, in a log that members wrote: it has a higher epoch under
    /// the same producerId, or stands between two leases of the newest's producerId (an id that was left
    /// never comes back). Different producerIds are in no order by their numbers: brokers take ids in blocks.
    [[nodiscard]] std::optional<LeaseRecord> notBefore() const;

    /// Highest offset folded so far, -1 when none.
    [[nodiscard]] std::int64_t newestOffset() const noexcept { return newestOffset_; }

    bool operator==(const RoleState&) const = default;

private:
    struct MemberSlot {
        RecordPosition position;
        std::optional<WallTime> registeredAt; ///< nothing: deregistered
        bool operator==(const MemberSlot&) const = default;
    };

    /// The leases under one producerId.
    struct Tenancy {
        LeaseRecord highest;
        LeaseRecord newest;
        std::int64_t firstOffset = 0;
        bool operator==(const Tenancy&) const = default;
    };

    bool note(const LeaseRecord& record);

    Role role_;
    std::map<MemberId, MemberSlot> members_;
    std::optional<LeaseRecord> lease_;
    std::optional<RecordPosition> leasePosition_;
    std::optional<LeaseRecord> lastLease_;
    std::map<std::int64_t, Tenancy> tenancies_; ///< by producerId
    std::int64_t newestOffset_ = -1;
};

} // namespace bellwether
