// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "feed/snapshot.h"

namespace bellwether::ctl::test {

inline constexpr WallTime kNow = wallTime(1'700'000'010'000);

inline Snapshot liveSnapshot() {
    Snapshot snapshot;
    snapshot.takenAt = kNow;
    snapshot.connection.phase = ConnectionPhase::live;
    snapshot.connection.endpoint = "127.0.0.1:9092";
    snapshot.connection.topic = "__coordination_state";
    snapshot.connection.lastGoodRead = kNow;
    return snapshot;
}

/// A role led by node-1 under 4242:7 until 20 s after kNow, with the given verdict.
inline std::shared_ptr<const RoleView> judgedRole(const std::string& name, VerdictKind kind,
                                                  std::int32_t partition = 0) {
    const MemberId holder = *MemberId::of("node-1");
    const FencingToken token{4242, 7};
    RoleView view{*Role::of(name), partition, {}, {}, {}, {}, {}, {}, {}, false, 1};
    view.verdict.kind = kind;
    view.verdict.reason = "because of " + name;
    view.verdict.holder = holder;
    view.verdict.token = token;
    LeaseRecord lease{Lease{holder, token, kNow - Millis{10'000}, kNow + Millis{20'000}}, {}};
    view.verdict.lease = lease;
    view.visibleLease = lease;
    view.coordinator.kind = CoordinatorAnswer::Kind::described;
    view.coordinator.token = token;
    view.coordinator.state = TransactionState::completeCommit;
    return std::make_shared<const RoleView>(std::move(view));
}

} // namespace bellwether::ctl::test
