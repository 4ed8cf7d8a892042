// SPDX-License-Identifier: Apache-2.0
#include "coordination/role_state.h"

#include <algorithm>

namespace bellwether {

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
        if (lease != nullptr && (!highestToken_ || lease->token > highestToken_->lease.token ||
                                 (lease->token == highestToken_->lease.token &&
                                  position.offset < highestToken_->position.offset))) {
            highestToken_ = LeaseRecord{*lease, position};
            changed = true;
        }
    }
    if (position.offset > newestOffset_) {
        newestOffset_ = position.offset;
        changed = true;
    }
    return changed;
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
