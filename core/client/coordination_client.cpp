// SPDX-License-Identifier: Apache-2.0
#include "client/coordination_client.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace bellwether {

namespace {

bool isFence(const Error& error) {
    return error.fenced || error.code == ErrorCode::fenced;
}

/// An expired id is cured by the next attempt, which mints a new one.
bool worthRetrying(const Error& error) {
    return error.retriable || error.code == ErrorCode::idExpired;
}

/// How long nothing can come of another attempt. Only a turn that is still to come is waited for: after a
/// lost race or a failure the decision's instant lies in the past, and hurrying would fence a winner before
/// its first write.
Millis pauseBefore(const Result<CoordinationClient::Attempt>& attempt, WallTime now) {
    if (attempt && attempt->decision.action == SuccessionAction::wait && attempt->decision.at) {
        const Millis untilTurn = saturatingSubtract(*attempt->decision.at, now);
        return std::clamp(untilTurn, Millis{0}, CoordinationClient::kRetryInterval);
    }
    return CoordinationClient::kRetryInterval;
}

} // namespace

CoordinationClient::CoordinationClient(CoordinationTransport& transport, Clock& clock, LeaseTiming timing)
    : transport_(transport)
    , clock_(clock)
    , timing_(timing) {
    if (const auto valid = validate(timing); !valid) {
        throw std::invalid_argument(valid.error().text());
    }
}

Result<CoordinationClient::Attempt> CoordinationClient::readAndDecide(const Role& role,
                                                                      const MemberId& member) {
    const auto entries = transport_.readRoleRecords(role);
    if (!entries) {
        return fail(entries.error());
    }
    Attempt attempt;
    attempt.state.emplace(role);
    for (const auto& entry : *entries) {
        attempt.state->apply(entry.record, entry.position);
    }
    attempt.decision = decide(*attempt.state, member, clock_.wall(), timing_);
    if (attempt.decision.action != SuccessionAction::notRegistered) {
        unseen_.erase({role, member});
    }
    return attempt;
}

Result<CoordinationClient::Attempt> CoordinationClient::registerAndDecide(const Role& role,
                                                                          const MemberId& member) {
    auto attempt = readAndDecide(role, member);
    if (!attempt || attempt->decision.action != SuccessionAction::notRegistered) {
        return attempt;
    }
    const auto unseen = unseen_.find({role, member});
    if (unseen != unseen_.end() && clock_.steady() - unseen->second < kUnseenRegistrationPatience) {
        return attempt;
    }
    if (auto appended = transport_.registerMember(role, Registration{member, clock_.wall()}); !appended) {
        return fail(appended.error());
    }
    unseen_.insert_or_assign({role, member}, clock_.steady());
    attempt = readAndDecide(role, member);
    if (attempt) {
        attempt->registered = true;
    }
    return attempt;
}

Result<void> CoordinationClient::take(Attempt& attempt, const Role& role, const MemberId& member) {
    const auto unlessFenced = [&attempt](const Error& error) -> Result<void> {
        if (!isFence(error)) {
            return fail(error);
        }
        attempt.lostRace = true;
        return {};
    };
    const auto token = transport_.acquireEpoch(role);
    if (!token) {
        return unlessFenced(token.error());
    }
    Lease lease = grant(member, *token, clock_.wall(), timing_);
    if (const auto written = transport_.writeLease(role, *token, lease); !written) {
        return unlessFenced(written.error());
    }
    attempt.leadership = std::make_unique<Leadership>(transport_, clock_, timing_, role, std::move(lease));
    return {};
}

Result<CoordinationClient::Attempt> CoordinationClient::tryAcquire(const Role& role, const MemberId& member) {
    auto attempt = registerAndDecide(role, member);
    if (!attempt) {
        return attempt;
    }
    const SuccessionAction action = attempt->decision.action;
    if (action == SuccessionAction::hold || action == SuccessionAction::challenge) {
        if (auto taken = take(*attempt, role, member); !taken) {
            return fail(taken.error());
        }
    }
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
