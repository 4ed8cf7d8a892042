// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulated_member.h"

#include <algorithm>
#include <utility>

namespace bellwether::simulation {

SimulatedMember::SimulatedMember(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock,
                                 LeaseTiming timing, MemberSpec spec)
    : cluster_(cluster)
    , clock_(std::move(clock), spec.clockOffset)
    , timing_(timing)
    , spec_(std::move(spec)) {
    boot();
}

SimulatedMember::~SimulatedMember() {
    vanish();
}

void SimulatedMember::boot() {
    transport_ = cluster_.makeTransport(spec_.client);
    client_ = std::make_unique<CoordinationClient>(*transport_, clock_, timing_);
}

void SimulatedMember::vanish() {
    if (leadership_) {
        leadership_->abandon();
    }
    leadership_.reset();
    client_.reset();
    transport_.reset();
}

void SimulatedMember::startAt(SteadyTime when) {
    phase_ = MemberPhase::up;
    due_ = when;
}

std::optional<SteadyTime> SimulatedMember::due() const {
    return phase_ == MemberPhase::up ? std::optional(due_) : std::nullopt;
}

void SimulatedMember::act() {
    if (believes()) {
        renew();
    } else {
        acquire();
    }
}

void SimulatedMember::renew() {
    if (leadership_->renewDue()) {
        const auto renewed = leadership_->renew();
        if (!leadership_->held()) {
            fences_ += renewed.error().fenced ? 1 : 0;
            leadership_.reset();
        }
        if (!renewed) {
            return actIn(CoordinationClient::kRetryInterval);
        }
    }
    const Millis left = saturatingSubtract(renewalDue(leadership_->lease(), timing_), clock_.wall());
    actIn(std::max(left, Millis{1}));
}

void SimulatedMember::acquire() {
    if (registerAgain_) {
        if (!transport_->registerMember(spec_.role, {spec_.member, clock_.wall()})) {
            return actIn(CoordinationClient::kRetryInterval);
        }
        registerAgain_ = false;
    }
    auto attempt = client_->tryAcquire(spec_.role, spec_.member);
    if (attempt && attempt->leadership) {
        leadership_ = std::move(attempt->leadership);
        return renew();
    }
    Millis pause = CoordinationClient::kRetryInterval;
    if (attempt && attempt->decision.action == SuccessionAction::wait && attempt->decision.at) {
        pause = std::clamp(saturatingSubtract(*attempt->decision.at, clock_.wall()), Millis{1}, pause);
    }
    actIn(pause);
}

void SimulatedMember::crash() {
    vanish();
    phase_ = MemberPhase::crashed;
}

void SimulatedMember::restart() {
    vanish();
    boot();
    registerAgain_ = true;
    startAt(clock_.steady());
}

void SimulatedMember::pause() {
    phase_ = MemberPhase::paused;
}

void SimulatedMember::resume() {
    startAt(clock_.steady());
}

void SimulatedMember::resign() {
    if (believes()) {
        if (const auto resigned = leadership_->resign(); !resigned) {
            fences_ += resigned.error().fenced ? 1 : 0;
        }
    }
    // It goes whatever the brokers say; a registration that stays is one more candidate that never shows up.
    (void)transport_->deregisterMember(spec_.role, spec_.member);
    vanish();
    phase_ = MemberPhase::left;
}

MemberStatus SimulatedMember::status() const {
    return {spec_.role, spec_.member, phase_, believes(), token(), fences_};
}

} // namespace bellwether::simulation
