// SPDX-License-Identifier: Apache-2.0
#include "simulation/simulation.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "simulation/fault_script.h"
#include "simulation/simulated_member.h"

namespace bellwether::simulation {
namespace {

constexpr Millis kChoresInterval{1'000};
constexpr Millis kCompactInterval{30'000};
/// Longest and shortest nap of the thread between two steps.
constexpr Millis kLongestNap{250};
constexpr Millis kShortestNap{1};

} // namespace

std::string_view toString(MemberPhase phase) noexcept {
    switch (phase) {
    case MemberPhase::notStarted: return "not started";
    case MemberPhase::up: return "up";
    case MemberPhase::crashed: return "crashed";
    case MemberPhase::paused: return "paused";
    case MemberPhase::left: return "left";
    }
    return "unknown";
}

class Simulation::Cast {
public:
    Cast(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock, Scenario scenario);

    Millis step(std::stop_token stop);
    void run(std::stop_token stop);
    [[nodiscard]] std::vector<MemberStatus> statuses() const;

    std::jthread thread;

private:
    void begin(SteadyTime now);
    void strike(const Fault& fault);
    [[nodiscard]] SimulatedMember* victimOf(const Fault& fault);
    [[nodiscard]] SimulatedMember* nextDue(SteadyTime now);
    void doChores(SteadyTime now);
    [[nodiscard]] Millis idleTime() const;
    void publish();

    sandbox::SandboxCluster& cluster_;
    std::shared_ptr<Clock> clock_;
    FaultScript script_;
    std::vector<std::unique_ptr<SimulatedMember>> members_;
    std::map<Role, SimulatedMember*> lastStruck_;
    bool begun_ = false;
    SteadyTime start_{};
    SteadyTime choresDue_{};
    SteadyTime compactDue_{};

    mutable std::mutex statusMutex_;
    std::vector<MemberStatus> statuses_;
};

Simulation::Cast::Cast(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock, Scenario scenario)
    : cluster_(cluster)
    , clock_(std::move(clock))
    , script_(std::move(scenario.faults), scenario.period) {
    for (MemberSpec& spec : scenario.members) {
        members_.push_back(
            std::make_unique<SimulatedMember>(cluster_, clock_, scenario.timing, std::move(spec)));
    }
    publish();
}

void Simulation::Cast::begin(SteadyTime now) {
    begun_ = true;
    start_ = now;
    choresDue_ = now + kChoresInterval;
    compactDue_ = now + kCompactInterval;
    for (auto& member : members_) {
        member->startAt(now);
    }
}

SimulatedMember* Simulation::Cast::victimOf(const Fault& fault) {
    const bool comesBack = fault.kind == FaultKind::restart || fault.kind == FaultKind::resume;
    if (comesBack && !fault.member) {
        const auto struck = lastStruck_.find(fault.role);
        return struck == lastStruck_.end() ? nullptr : struck->second;
    }
    SimulatedMember* victim = nullptr;
    for (const auto& member : members_) {
        if (member->spec().role != fault.role) {
            continue;
        }
        if (fault.member ? member->spec().member == *fault.member
                         : member->phase() == MemberPhase::up && member->believes() &&
                               (victim == nullptr || victim->token() < member->token())) {
            victim = member.get();
        }
    }
    return victim;
}

void Simulation::Cast::strike(const Fault& fault) {
    SimulatedMember* victim = victimOf(fault);
    if (victim == nullptr) {
        return;
    }
    const MemberPhase phase = victim->phase();
    const bool runs = phase == MemberPhase::up;
    const bool gone = phase == MemberPhase::crashed || phase == MemberPhase::left;
    switch (fault.kind) {
    case FaultKind::crash:
        if (runs || phase == MemberPhase::paused) {
            victim->crash();
        }
        break;
    case FaultKind::restart:
        if (gone) {
            victim->restart();
        }
        return;
    case FaultKind::pause:
        if (runs) {
            victim->pause();
        }
        break;
    case FaultKind::resume:
        if (phase == MemberPhase::paused) {
            victim->resume();
        }
        return;
    case FaultKind::resign:
        if (runs) {
            victim->resign();
        }
        break;
    }
    lastStruck_[fault.role] = victim;
}

SimulatedMember* Simulation::Cast::nextDue(SteadyTime now) {
    SimulatedMember* first = nullptr;
    for (const auto& member : members_) {
        const auto due = member->due();
        if (due && *due <= now && (first == nullptr || *due < *first->due())) {
            first = member.get();
        }
    }
    return first;
}

void Simulation::Cast::doChores(SteadyTime now) {
    if (now >= choresDue_) {
        cluster_.sweepTimeouts();
        choresDue_ = now + kChoresInterval;
    }
    if (now >= compactDue_) {
        for (std::int32_t partition = 0; partition < cluster_.options().partitions; ++partition) {
            cluster_.compact(partition);
        }
        compactDue_ = now + kCompactInterval;
    }
}

Millis Simulation::Cast::idleTime() const {
    const SteadyTime now = clock_->steady();
    SteadyTime next = choresDue_;
    for (const auto& member : members_) {
        next = std::min(next, member->due().value_or(next));
    }
    if (const auto fault = script_.due()) {
        next = std::min(next, start_ + *fault);
    }
    return std::max(next - now, Millis{0});
}

Millis Simulation::Cast::step(std::stop_token stop) {
    const SteadyTime now = clock_->steady();
    if (!begun_) {
        begin(now);
    }
    while (script_.due() && start_ + *script_.due() <= now) {
        strike(script_.take());
        publish();
    }
    // Everybody due at `now` acts once: an act ends with a due instant behind it.
    for (std::size_t acts = 0; acts < members_.size() && !stop.stop_requested(); ++acts) {
        SimulatedMember* member = nextDue(now);
        if (member == nullptr) {
            break;
        }
        member->act();
        publish();
    }
    doChores(now);
    return idleTime();
}

void Simulation::Cast::run(std::stop_token stop) {
    while (!stop.stop_requested()) {
        const Millis idle = step(stop);
        (void)clock_->sleepFor(std::clamp(idle, kShortestNap, kLongestNap), stop);
    }
}

void Simulation::Cast::publish() {
    std::vector<MemberStatus> statuses;
    statuses.reserve(members_.size());
    for (const auto& member : members_) {
        statuses.push_back(member->status());
    }
    const std::lock_guard lock(statusMutex_);
    statuses_ = std::move(statuses);
}

std::vector<MemberStatus> Simulation::Cast::statuses() const {
    const std::lock_guard lock(statusMutex_);
    return statuses_;
}

Simulation::Simulation(sandbox::SandboxCluster& cluster, std::shared_ptr<Clock> clock, Scenario scenario)
    : cast_(std::make_unique<Cast>(cluster, std::move(clock), std::move(scenario))) {}

Simulation::~Simulation() {
    stop();
}

Millis Simulation::step() {
    if (cast_->thread.joinable()) {
        throw std::logic_error("the simulation runs by itself: stop() it before step()");
    }
    return cast_->step({});
}

void Simulation::start() {
    if (!cast_->thread.joinable()) {
        cast_->thread =
            std::jthread([cast = cast_.get()](std::stop_token stop) { cast->run(std::move(stop)); });
    }
}

void Simulation::stop() {
    if (cast_->thread.joinable()) {
        cast_->thread.request_stop();
        cast_->thread.join();
    }
}

std::vector<MemberStatus> Simulation::members() const {
    return cast_->statuses();
}

std::vector<MemberId> Simulation::believers(const Role& role) const {
    std::vector<MemberId> believers;
    for (const MemberStatus& status : cast_->statuses()) {
        if (status.role == role && status.believes) {
            believers.push_back(status.member);
        }
    }
    return believers;
}

} // namespace bellwether::simulation
