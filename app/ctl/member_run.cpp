// SPDX-License-Identifier: Apache-2.0
#include "ctl/member_run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether::ctl {

namespace {

bool isFence(const Error& error) {
    return error.fenced || error.code == ErrorCode::fenced;
}

} // namespace

MemberRun::MemberRun(CoordinationTransport& transport, Clock& clock, MemberRunOptions options,
                     MemberEventSink sink)
    : transport_(transport)
    , clock_(clock)
    , options_(std::move(options))
    , sink_(std::move(sink))
    , client_(transport, clock, options_.timing) {}

MemberRunEnd MemberRun::run(std::stop_token stop) {
    Step step = Step::goOn;
    while (step == Step::goOn) {
        if (stop.stop_requested() || !heard_) {
            step = Step::leave;
        } else {
            step = leadership_ ? lead(stop) : compete(stop);
        }
    }
    if (step == Step::failed) {
        tell(MemberEventKind::failed, error_->text());
        return MemberRunEnd::failed;
    }
    const MemberRunEnd left = leave();
    return step == Step::lost ? MemberRunEnd::lost : left;
}

MemberRun::Step MemberRun::compete(std::stop_token stop) {
    auto attempt = client_.tryAcquire(options_.role, options_.member);
    if (!attempt) {
        const Error& error = attempt.error();
        // A record that does not decode is somebody else's fault, and heals: a standby stays.
        const bool heals = error.code == ErrorCode::idExpired || error.code == ErrorCode::undecodable;
        if (!error.retriable && !heals) {
            error_ = error;
            return Step::failed;
        }
        return reportTrouble(error) == Step::leave ? Step::leave
                                                   : pause(CoordinationClient::kRetryInterval, stop);
    }
    troubleTold_.clear();
    if (attempt->registered) {
        tell(MemberEventKind::registered);
    }
    if (attempt->leadership) {
        leadership_ = std::move(attempt->leadership);
        token_ = leadership_->token();
        waitTold_.clear();
        tell(MemberEventKind::leading,
             attempt->decision.action == SuccessionAction::hold ? "held its own live lease" : "",
             leadership_->lease().deadline);
        return Step::goOn;
    }
    if (attempt->lostRace) {
        tell(MemberEventKind::lostRace, "another member minted a newer epoch first");
        return pause(CoordinationClient::kRetryInterval, stop);
    }
    reportWait(*attempt);
    Millis rest = CoordinationClient::kRetryInterval;
    if (attempt->decision.at) {
        rest = std::clamp(saturatingSubtract(*attempt->decision.at, clock_.wall()), Millis{0}, rest);
    }
    return pause(rest, stop);
}

MemberRun::Step MemberRun::lead(std::stop_token stop) {
    const SteadyTime ledSince = clock_.steady();
    SteadyTime lastWrite = ledSince;
    while (heard_) {
        const SteadyTime now = clock_.steady();
        if (options_.holdFor && now - ledSince >= *options_.holdFor) {
            return Step::leave;
        }
        // The wall clock says when a renewal is due; the steady one is a bound for a wall clock that was set
        // back.
        Millis rest = CoordinationClient::kRetryInterval;
        if (leadership_->renewDue() || now - lastWrite >= options_.timing.renewInterval) {
            const auto renewed = leadership_->renew();
            if (renewed) {
                troubleTold_.clear();
                lastWrite = clock_.steady();
                tell(MemberEventKind::renewed, {}, leadership_->lease().deadline);
                continue;
            }
            if (!leadership_->held()) {
                return lose(renewed.error());
            }
            if (reportTrouble(renewed.error()) == Step::leave) {
                return Step::leave;
            }
        } else {
            const WallTime due = renewalDue(leadership_->lease(), options_.timing);
            rest = std::min(saturatingSubtract(due, clock_.wall()),
                            lastWrite + options_.timing.renewInterval - now);
        }
        if (options_.holdFor) {
            rest = std::min(rest, *options_.holdFor - (now - ledSince));
        }
        if (!clock_.sleepFor(std::max(rest, Millis{1}), stop)) {
            return Step::leave;
        }
    }
    return Step::leave;
}

MemberRun::Step MemberRun::lose(const Error& reason) {
    leadership_.reset();
    const auto successor = newerLease();
    if (reason.code == ErrorCode::idExpired) {
        tell(MemberEventKind::idExpired,
             successor ? whoFenced(successor)
                       : "the coordinator no longer knows this producer: the transactional id expired, or "
                         "whoever minted next got a new producerId");
    } else if (isFence(reason)) {
        tell(MemberEventKind::fenced, whoFenced(successor));
    } else {
        tell(MemberEventKind::tokenLost, reason.text());
    }
    token_.reset();
    if (successor && successor->member == options_.member) {
        Error twin;
        twin.code = ErrorCode::fenced;
        twin.what = fmt::format("another process runs as member {}", displayText(options_.member.str()));
        twin.where = fmt::format("role {}", displayText(options_.role.str()));
        twin.hint = "give every process a member name of its own; two of one name fence each other for ever";
        error_ = std::move(twin);
        return Step::failed;
    }
    if (options_.once) {
        error_ = reason;
        return Step::lost;
    }
    // No failback: a deposed member takes a place at the tail.
    const auto registered =
        transport_.registerMember(options_.role, Registration{options_.member, clock_.wall()});
    if (!registered) {
        return reportTrouble(registered.error());
    }
    tell(MemberEventKind::registered, "again, at the tail");
    return Step::goOn;
}

std::optional<Lease> MemberRun::newerLease() {
    const auto entries = transport_.readRoleRecords(options_.role);
    if (!entries || !token_) {
        return std::nullopt;
    }
    RoleState state(options_.role);
    for (const auto& entry : *entries) {
        state.apply(entry.record, entry.position);
    }
    if (!state.lease()) {
        return std::nullopt;
    }
    const auto& lease = state.lease()->lease;
    // Another producerId came after ours, whatever the numbers: ours was the newest while we led.
    const bool overtaken = lease.token.producerId != token_->producerId || lease.token > *token_;
    return overtaken ? std::optional(lease) : std::nullopt;
}

std::string MemberRun::whoFenced(const std::optional<Lease>& successor) {
    if (successor) {
        return fmt::format("{} leads under {}", displayText(successor->member.str()),
                           successor->token.text());
    }
    // The coordinator's own abort after the transaction timeout looks the same, so no rival is claimed here.
    if (const auto described = transport_.describe(options_.role); described && *described) {
        return fmt::format("token lost; the coordinator's epoch is {} and no newer lease can be read yet",
                           (*described)->text());
    }
    return "token lost";
}

MemberRunEnd MemberRun::leave() {
    MemberRunEnd end = MemberRunEnd::left;
    const auto unclean = [&](const char* what, const Error& error) {
        tell(MemberEventKind::trouble, fmt::format("{}: {}", what, error.text()));
        error_ = error;
        end = MemberRunEnd::leftUnclean;
    };
    // Also when no attempt ever succeeded: a registration of unknown outcome may stand in the log.
    // Out of the roster first: whoever is next then has no rank to wait for when the lease is gone.
    if (options_.deregister) {
        if (const auto gone = transport_.deregisterMember(options_.role, options_.member); gone) {
            tell(MemberEventKind::deregistered);
        } else {
            unclean("not deregistered", gone.error());
        }
    }
    if (leadership_) {
        if (const auto resigned = leadership_->resign(); resigned) {
            tell(MemberEventKind::resigned);
        } else if (isFence(resigned.error()) || resigned.error().code == ErrorCode::idExpired) {
            tell(MemberEventKind::fenced, "before it could resign; " + whoFenced(newerLease()));
        } else {
            unclean("not resigned, the lease runs out by itself", resigned.error());
            leadership_->abandon();
        }
        leadership_.reset();
    }
    return end;
}

MemberRun::Step MemberRun::pause(Millis duration, std::stop_token stop) {
    return clock_.sleepFor(duration, stop) ? Step::goOn : Step::leave;
}

MemberRun::Step MemberRun::reportTrouble(const Error& error) {
    std::string text = error.text();
    if (text != troubleTold_) {
        tell(MemberEventKind::trouble, text);
        troubleTold_ = std::move(text);
    }
    return heard_ ? Step::goOn : Step::leave;
}

void MemberRun::reportWait(const CoordinationClient::Attempt& attempt) {
    if (attempt.decision.action == SuccessionAction::notRegistered) {
        constexpr const char* kHidden =
            "its registration cannot be read yet, somebody's open transaction hides it";
        if (waitTold_ != kHidden) {
            tell(MemberEventKind::waiting, kHidden);
            waitTold_ = kHidden;
        }
        return;
    }
    const auto rank = rankOf(*attempt.state, options_.member);
    std::string behind = "no lease";
    if (const auto& lease = attempt.state->lease()) {
        behind = fmt::format("{} leads under {}", displayText(lease->lease.member.str()),
                             lease->lease.token.text());
    }
    std::string detail = fmt::format("{}, rank {}", behind, rank.value_or(0));
    // A renewal only moves the turn; it is no news.
    if (detail != waitTold_) {
        tell(MemberEventKind::waiting, detail, attempt.decision.at);
        waitTold_ = std::move(detail);
    }
}

void MemberRun::tell(MemberEventKind kind, std::string detail, std::optional<WallTime> until) {
    MemberEvent event;
    event.kind = kind;
    event.at = clock_.wall();
    event.token = token_;
    event.until = until;
    event.detail = std::move(detail);
    if (heard_) {
        heard_ = sink_(event);
    }
}

} // namespace bellwether::ctl
