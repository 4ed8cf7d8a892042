// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
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
    /// Nothing: whoever holds the role at that moment (for restart and resume: the last one struck).
    std::optional<MemberId> member;
};

/// A cast and a script. Repeats from the beginning every `period` when it is positive.
struct Scenario {
    LeaseTiming timing;
    std::vector<MemberSpec> members;
    std::vector<Fault> faults;
    Millis period{0};
};

/// A few roles with a few members each, one skewed clock, and a failover every 20 to 40 seconds: what the console
/// opens on without a cluster.
[[nodiscard]] Scenario defaultScenario();

/// Runs members (the real CoordinationClient) on a sandbox cluster. step() is deterministic for a manual clock;
/// start() drives it from a thread of its own on the real clock.
class Simulation {
public:
    Simulation(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock, Scenario scenario);
    ~Simulation();

    /// Lets everybody act who is due at the clock's now; returns how long nothing will happen.
    Millis step();
    void start();
    void stop();
    /// Members that believe they hold the role now.
    [[nodiscard]] std::vector<MemberId> believers(const Role& role) const;

private:
    class Cast;
    std::unique_ptr<Cast> cast_;
};

} // namespace bellwether::simulation
