// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "client/coordination_client.h"
#include "simulation/member_clock.h"
#include "simulation/simulation.h"

namespace bellwether::simulation {

/// One member: the real client and leadership, told when to act instead of sleeping. It does what
/// CoordinationClient::acquire and a holder's renewal loop do, one act at a time. Not thread safe.
class SimulatedMember {
public:
    SimulatedMember(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock, LeaseTiming timing,
                    MemberSpec spec);
    ~SimulatedMember();
    SimulatedMember(const SimulatedMember&) = delete;
    SimulatedMember& operator=(const SimulatedMember&) = delete;

    /// Comes up as a fresh process at `when`.
    void startAt(SteadyTime when);
    /// When it acts next; nothing while it is not running.
    [[nodiscard]] std::optional<SteadyTime> due() const;
    /// Renews what it holds, or tries to acquire.
    void act();

    void crash();
    void restart();
    void pause();
    void resume();
    void resign();

    [[nodiscard]] const MemberSpec& spec() const noexcept { return spec_; }

    [[nodiscard]] bool believes() const noexcept { return leadership_ && leadership_->held(); }

    [[nodiscard]] MemberPhase phase() const noexcept { return phase_; }

    [[nodiscard]] FencingToken token() const noexcept {
        return believes() ? leadership_->token() : FencingToken::none();
    }

    [[nodiscard]] MemberStatus status() const;

private:
    void boot();
    void vanish();
    void renew();
    void acquire();

    void actIn(Millis delay) { due_ = clock_.steady() + delay; }

    sandbox::SandboxCluster& cluster_;
    MemberClock clock_;
    LeaseTiming timing_;
    MemberSpec spec_;
    MemberPhase phase_ = MemberPhase::notStarted;
    SteadyTime due_{};
    bool registerAgain_ = false; ///< a fresh process announces itself, so that it lands at the tail
    int fences_ = 0;
    // In this order: a leadership and a client use the transport.
    std::unique_ptr<CoordinationTransport> transport_;
    std::unique_ptr<CoordinationClient> client_;
    std::unique_ptr<Leadership> leadership_;
};

} // namespace bellwether::simulation
