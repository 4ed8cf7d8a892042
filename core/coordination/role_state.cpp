// SPDX-License-Identifier: Apache-2.0
#include "coordination/role_state.h"

#include <algorithm>

namespace bellwether {

namespace {

/// A role gets a new producerId after 32,767 epochs or weeks of silence: more in one log are not members'
/// doing.
constexpr std::size_t kMostTenancies = 64;

} // namespace

RoleState::RoleState(Role role)
    : role_(std::move(role)) {}

bool RoleState::apply(const CoordinationRecord& record, const RecordPosition& position) {
    if (record.key.role != role_) {
        return false;
    }
    bool changed = false;
    if (record.key.kind == RecordKind::registration) {
        const auto* registration = std::get_if<Registration>(&record.value);
        if (!record.key.member || (registration == nullptr && !record.isTombstone())) {
            return false;
        }
        const auto [slot, added] = members_.try_emplace(*record.key.member);
        if (added || position.offset > slot->second.position.offset) {
            slot->second.position = position;
            slot->second.registeredAt =
                registration == nullptr ? std::nullopt : std::optional(registration->registeredAt);
            changed = true;
        }
    } else {
        const auto* lease = std::get_if<Lease>(&record.value);
        if (lease == nullptr && !record.isTombstone()) {
            return false;
        }
        if (!leasePosition_ || position.offset > leasePosition_->offset) {
            leasePosition_ = position;
            lease_ = lease == nullptr ? std::nullopt : std::optional(LeaseRecord{*lease, position});
            changed = true;
        }
        if (lease != nullptr && (!lastLease_ || position.offset > lastLease_->position.offset)) {
            lastLease_ = LeaseRecord{*lease, position};
            changed = true;
        }
        if (lease != nullptr && note({*lease, position})) {
            changed = true;
        }
    }
    if (position.offset > newestOffset_) {
        newestOffset_ = position.offset;
        changed = true;
    }
    return changed;
}

bool RoleState::note(const LeaseRecord& record) {
    const auto offset = record.position.offset;
    const auto [at, added] =
        tenancies_.try_emplace(record.lease.token.producerId, Tenancy{record, record, offset});
    auto& tenancy = at->second;
    bool changed = added;
    if (!added) {
        const auto epoch = record.lease.token.producerEpoch;
        const auto highest = tenancy.highest.lease.token.producerEpoch;
        if (epoch > highest || (epoch == highest && offset < tenancy.highest.position.offset)) {
            tenancy.highest = record;
            changed = true;
        }
        if (offset > tenancy.newest.position.offset) {
            tenancy.newest = record;
            changed = true;
        }
        if (offset < tenancy.firstOffset) {
            tenancy.firstOffset = offset;
            changed = true;
        }
    } else if (tenancies_.size() > kMostTenancies) {
        const auto oldest =
            std::min_element(tenancies_.begin(), tenancies_.end(), [](const auto& a, const auto& b) {
                return a.second.newest.position.offset < b.second.newest.position.offset;
            });
        tenancies_.erase(oldest);
    }
    return changed;
}

std::optional<LeaseRecord> RoleState::highestUnder(std::int64_t producerId) const {
    const auto found = tenancies_.find(producerId);
    return found == tenancies_.end() ? std::nullopt : std::optional(found->second.highest);
}

std::optional<LeaseRecord> RoleState::notBefore() const {
    if (!lease_) {
        return std::nullopt;
    }
    const auto newest = lease_->lease.token;
    const auto own = tenancies_.find(newest.producerId);
    if (own == tenancies_.end()) {
        return std::nullopt;
    }
    if (own->second.highest.lease.token.producerEpoch > newest.producerEpoch) {
        return own->second.highest;
    }
    for (const auto& [producerId, tenancy] : tenancies_) {
        if (producerId != newest.producerId && tenancy.newest.position.offset > own->second.firstOffset) {
            return tenancy.newest;
        }
    }
    return std::nullopt;
}

std::vector<RosterEntry> RoleState::roster() const {
    std::vector<RosterEntry> entries;
    for (const auto& [member, slot] : members_) {
        if (slot.registeredAt) {
            entries.push_back({member, *slot.registeredAt, slot.position});
        }
    }
    std::sort(entries.begin(), entries.end(), [](const RosterEntry& a, const RosterEntry& b) {
        return a.position.offset < b.position.offset;
    });
    return entries;
}

std::optional<RosterEntry> RoleState::rosterEntry(const MemberId& member) const {
    const auto slot = members_.find(member);
    if (slot == members_.end() || !slot->second.registeredAt) {
        return std::nullopt;
    }
    return RosterEntry{member, *slot->second.registeredAt, slot->second.position};
}

} // namespace bellwether
