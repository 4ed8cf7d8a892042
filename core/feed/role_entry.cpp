// SPDX-License-Identifier: Apache-2.0
#include "feed/role_entry.h"

#include <algorithm>
#include <utility>

namespace bellwether::feed {

RoleEntry::RoleEntry(Role role, std::int32_t partition)
    : lane(role)
    , fold_(std::move(role))
    , partition_(partition) {}

void RoleEntry::committed(const CoordinationRecord& record, const RecordPosition& position,
                          WallTime arrivedWall, SteadyTime arrived, bool live) {
    const bool seenInTail = tail_.contains(position.offset);
    if (!fold_.apply(record, position)) {
        return;
    }
    dirty = true;
    if (record.key.kind == RecordKind::lease && !seenInTail) {
        newestLeaseSeen_ = arrived;
    }
    if (const auto* lease = std::get_if<Lease>(&record.value)) {
        learnSkew(lease->member, lease->grantedAt, position, arrivedWall, live);
    } else if (const auto* registration = std::get_if<Registration>(&record.value)) {
        learnSkew(registration->member, registration->registeredAt, position, arrivedWall, live);
    }
}

void RoleEntry::uncommitted(const CoordinationRecord& record, const RecordPosition& position,
                            SteadyTime arrived) {
    const auto& newest = fold_.newestLeasePosition();
    if (record.key.kind != RecordKind::lease || (newest && position.offset <= newest->offset)) {
        return;
    }
    TailRecord entry{.lease = {}, .position = position};
    if (const auto* lease = std::get_if<Lease>(&record.value)) {
        entry.lease = *lease;
    }
    tail_.insert_or_assign(position.offset, std::move(entry));
    newestLeaseSeen_ = arrived;
    dirty = true;
}

std::vector<TailLease> RoleEntry::tail(std::int64_t committedNext) {
    // What the committed view has reached with a newer lease record no longer matters. Of the aborted ones
    // only the newest can decide anything.
    if (const auto& newest = fold_.newestLeasePosition()) {
        tail_.erase(tail_.begin(), tail_.upper_bound(newest->offset));
    }
    const auto firstUndecided = tail_.lower_bound(committedNext);
    if (firstUndecided != tail_.begin()) {
        tail_.erase(tail_.begin(), std::prev(firstUndecided));
    }
    std::vector<TailLease> result;
    for (const auto& [offset, entry] : tail_) {
        const auto fate = offset < committedNext ? TailLease::Fate::aborted : TailLease::Fate::undecided;
        result.push_back({entry.lease, entry.position, fate});
    }
    return result;
}

void RoleEntry::distrust(UntrustedLease record, SteadyTime arrived) {
    auto& kept = record.misplaced ? misplaced_ : unreadable_;
    const bool newer = !kept || (record.misplaced ? record.token > kept->token
                                                  : record.position.offset > kept->position.offset);
    if (newer) {
        kept = std::move(record);
        newestLeaseSeen_ = arrived;
        dirty = true;
    }
}

bool RoleEntry::knowsNewerThan(const CoordinatorAnswer& answer) const {
    const auto current =
        answer.kind == CoordinatorAnswer::Kind::described ? answer.token : FencingToken::none();
    const auto mayBeNewer = [&](const Lease& lease) {
        if (lease.token.producerId == current.producerId) {
            return lease.token.producerEpoch > current.producerEpoch;
        }
        const auto& left = memory.left;
        const bool past = std::find(left.begin(), left.end(), lease.token.producerId) != left.end();
        return !past && !(prior && prior->leaseToken == lease.token);
    };
    const auto highest = fold_.highestUnder(current.producerId);
    const auto& last = fold_.lastLease();
    return (highest && mayBeNewer(highest->lease)) || (last && mayBeNewer(last->lease)) ||
           std::any_of(tail_.begin(), tail_.end(), [&](const auto& entry) {
               return entry.second.lease && mayBeNewer(*entry.second.lease);
           });
}

std::vector<UntrustedLease> RoleEntry::untrusted() const {
    std::vector<UntrustedLease> result;
    for (const auto* record : {&unreadable_, &misplaced_}) {
        if (*record) {
            result.push_back(**record);
        }
    }
    return result;
}

std::optional<SkewBound> RoleEntry::skewOf(const MemberId& member) const {
    const auto found = skews_.find(member);
    if (found == skews_.end()) {
        return std::nullopt;
    }
    const auto broker = found->second.broker.bound();
    return broker ? broker : found->second.console.bound();
}

void RoleEntry::learnSkew(const MemberId& member, WallTime memberTime, const RecordPosition& position,
                          WallTime arrived, bool live) {
    auto& skews = skews_[member];
    if (position.timestampType == TimestampType::logAppendTime) {
        skews.broker.add(memberTime, position.timestamp);
    }
    if (live) {
        skews.console.add(memberTime, arrived);
    }
}

} // namespace bellwether::feed
