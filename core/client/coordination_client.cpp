// SPDX-License-Identifier: Apache-2.0
#include "client/coordination_client.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace bellwether {

namespace {

bool isFence(const Error& error) { return error.fenced || error.code == ErrorCode::fenced; }

/// An expired id is cured by the next attempt, which mints a new one.
bool worthRetrying(const Error& error) { return error.retriable || error.code == ErrorCode::idExpired; }

/// How long nothing can come of another attempt. Only a turn that is still to come is waited for: after a lost
/// race or a failure the decision's instant lies in the past, and hurrying would fence a winner before its first
/// write.
Millis pauseBefore(const Result<CoordinationClient::Attempt>& attempt, WallTime now) {
    if (attempt && attempt->decision.action == SuccessionAction::wait && attempt->decision.at) {
        const Millis untilTurn = saturatingSubtract(*attempt->decision.at, now);
        return std::clamp(untilTurn, Millis{0}, CoordinationClient::kRetryInterval);
    }
    return CoordinationClient::kRetryInterval;
}

} // namespace

CoordinationClient::CoordinationClient(CoordinationTransport& transport, Clock& clock, LeaseTiming timing)
    : transport_(transport), clock_(clock), timing_(timing) {
    if (const auto valid = validate(timing); !valid) {
        throw std::invalid_argument(valid.error().text());
    }
}

Result<SuccessionDecision> CoordinationClient::readAndDecide(const Role& role, const MemberId& member) {
    const auto entries = transport_.readRoleRecords(role);
    if (!entries) {
        return fail(entries.error());
    }
    RoleState state(role);
    for (const auto& entry : *entries) {
        state.apply(entry.record, entry.position);
    }
    const SuccessionDecision decision = decide(state, member, clock_.wall(), timing_);
    if (decision.action != SuccessionAction::notRegistered) {
        unseen_.erase({role, member});
    }
    return decision;
}

Result<SuccessionDecision> CoordinationClient::registered(const Role& role, const MemberId& member) {
    auto decision = readAndDecide(role, member);
    if (!decision || decision->action != SuccessionAction::notRegistered) {
        return decision;
    }
    const auto unseen = unseen_.find({role, member});
    if (unseen != unseen_.end() && clock_.steady() - unseen->second < kUnseenRegistrationPatience) {
        return decision;
    }
    if (auto appended = transport_.registerMember(role, Registration{member, clock_.wall()}); !appended) {
        return fail(appended.error());
    }
    unseen_.insert_or_assign({role, member}, clock_.steady());
    return readAndDecide(role, member);
}

Result<CoordinationClient::Attempt> CoordinationClient::take(const Role& role, const MemberId& member,
                                                             SuccessionDecision decision) {
    Attempt attempt;
    attempt.decision = decision;
    const auto token = transport_.acquireEpoch(role);
    if (!token) {
        if (!isFence(token.error())) {
            return fail(token.error());
        }
        attempt.lostRace = true;
        return attempt;
    }
    Lease lease = grant(member, *token, clock_.wall(), timing_);
    if (auto written = transport_.writeLease(role, *token, lease); !written) {
        if (!isFence(written.error())) {
            return fail(written.error());
        }
        attempt.lostRace = true;
        return attempt;
    }
    attempt.leadership = std::make_unique<Leadership>(transport_, clock_, timing_, role, std::move(lease));
    return attempt;
}

Result<CoordinationClient::Attempt> CoordinationClient::tryAcquire(const Role& role, const MemberId& member) {
    const auto decision = registered(role, member);
    if (!decision) {
        return fail(decision.error());
    }
    if (decision->action == SuccessionAction::hold || decision->action == SuccessionAction::challenge) {
        return take(role, member, *decision);
    }
    Attempt attempt;
    attempt.decision = *decision;
    return attempt;
}

Result<std::unique_ptr<Leadership>> CoordinationClient::acquire(const Role& role, const MemberId& member,
                                                                Millis timeout, std::stop_token stop) {
    const SteadyTime begun = clock_.steady();
    while (!stop.stop_requested()) {
        auto attempt = tryAcquire(role, member);
        if (attempt && attempt->leadership) {
            return std::move(attempt->leadership);
        }
        if (!attempt && !worthRetrying(attempt.error())) {
            return fail(attempt.error());
        }
        const Millis waited = clock_.steady() - begun;
        if (waited >= timeout) {
            if (!attempt) {
                return fail(attempt.error());
            }
            return nullptr;
        }
        if (!clock_.sleepFor(std::min(pauseBefore(attempt, clock_.wall()), timeout - waited), stop)) {
            break;
        }
    }
    return fail(ErrorCode::closed, "waiting for the role was stopped", fmt::format("role {}", role.str()));
}

} // namespace bellwether
