// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "coordination/lease_timing.h"
#include "sandbox/sandbox_cluster.h"

namespace bellwether::simulation {

struct MemberSpec {
    Role role;
    MemberId member;
    Millis clockOffset{0}; ///< member's wall clock minus the cluster's
    sandbox::ClientKind client = sandbox::ClientKind::endTxnV5;
};

enum class FaultKind {
    crash,   ///< the member stops at once and writes nothing; its lease runs out
    restart, ///< comes back as a fresh process: registers again, lands at the tail
    pause,   ///< stops acting but keeps its producer, as a long GC pause would
    resume,  ///< goes on where it was; a fence tells it
    resign,  ///< releases the role and deregisters
};

struct Fault {
    Millis at{0}; ///< after start
    FaultKind kind = FaultKind::crash;
    Role role;
    /// Nothing: whoever holds the role at that moment (for restart and resume: the last one struck). A fault
    /// that finds nobody to strike passes.
    std::optional<MemberId> member;
};

/// A cast and a script. Repeats from the beginning every `period` when it is positive.
struct Scenario {
    LeaseTiming timing;
    std::vector<MemberSpec> members;
    std::vector<Fault> faults;
    Millis period{0};
};

enum class MemberPhase { notStarted, up, crashed, paused, left };
[[nodiscard]] std::string_view toString(MemberPhase phase) noexcept;

/// What one member does and thinks; the cluster may think otherwise.
struct MemberStatus {
    Role role;
    MemberId member;
    MemberPhase phase = MemberPhase::notStarted;
    bool believes = false; ///< holds a leadership that no fence has ended yet; a paused member may, wrongly
    FencingToken token;    ///< of that leadership; none() without one
    int fences = 0;        ///< leaderships of this member that a fence has ended
};

/// A few roles with a few members each, one skewed clock, and a failover every 20 to 40 seconds: what the
/// console opens on without a cluster. The first holder crashes 10 s after the start.
[[nodiscard]] Scenario defaultScenario();

/// Runs members (the real CoordinationClient) on a sandbox cluster, and the brokers' chores (sweepTimeouts,
/// compact). step() is deterministic for a manual clock that is moved by what step() returned, or less;
/// start() drives it from a thread of its own. The cluster must outlive it; `clock` is the cluster's. step()
/// from one thread at a time and not while started; the rest from any. Throws std::invalid_argument for a
/// timing that is not legal.
class Simulation {
public:
    Simulation(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock, Scenario scenario);
    ~Simulation();

    /// Lets everybody act who is due at the clock's now; returns how long nothing will happen. The first step
    /// brings everybody up in the order of the scenario: members register, and the first of each role takes
    /// it.
    Millis step();
    void start();
    void stop();
    /// Members that believe they hold the role now.
    [[nodiscard]] std::vector<MemberId> believers(const Role& role) const;
    /// All members in the order of the scenario.
    [[nodiscard]] std::vector<MemberStatus> members() const;

private:
    class Cast;
    std::unique_ptr<Cast> cast_;
};

} // namespace bellwether::simulation
