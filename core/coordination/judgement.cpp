// SPDX-License-Identifier: Apache-2.0
// What follows from the evidence at once.
#include "coordination/judgement.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "coordination/lease_timing.h"

namespace bellwether {

namespace {

/// From this epoch on the next mint or commit gets a new producerId.
constexpr std::int16_t kExhausted = 32'766;

} // namespace

Verdict Judgement::run() {
    verdict_.lease = lease_;
    if (lease_) {
        verdict_.token = visible_;
    }
    if (!stale() && !wentBack() && !newerRecord() && !unknownId() && !impossibleOrder()) {
        decide();
    }
    return std::move(verdict_);
}

void Judgement::set(VerdictKind kind, VerdictRow row, std::string reason) {
    verdict_.kind = kind;
    verdict_.row = row;
    verdict_.reason = std::move(reason);
}

void Judgement::doubt(VerdictRow row, std::string reason) {
    set(VerdictKind::inDoubt, row, std::move(reason));
    verdict_.askAgain = true;
}

void Judgement::vacant(VerdictRow row, std::string reason) {
    set(VerdictKind::vacant, row, std::move(reason));
    verdict_.lastHolder = lastHolder();
}

std::optional<MemberId> Judgement::lastHolder() const {
    std::optional<LeaseTrace> newest;
    if (const auto& last = e_.state->lastLease()) {
        newest = LeaseTrace{last->lease, last->position, false, false};
    }
    for (const auto& entry : e_.tail) {
        const bool newer = !newest || entry.position.offset > newest->position.offset;
        if (entry.lease && entry.fate == TailLease::Fate::undecided && newer) {
            newest = LeaseTrace{entry.lease, entry.position, true, false};
        }
    }
    return newest ? std::optional(newest->lease->member) : std::nullopt;
}

void Judgement::addFenced(const MemberId& member) {
    if (std::find(verdict_.fenced.begin(), verdict_.fenced.end(), member) == verdict_.fenced.end()) {
        verdict_.fenced.push_back(member);
    }
}

bool Judgement::wasLeft(std::int64_t producerId) const {
    return std::find(e_.memory.left.begin(), e_.memory.left.end(), producerId) != e_.memory.left.end();
}

Judgement::Order Judgement::orderOf(FencingToken token) const {
    if (token.producerId == current_.producerId) {
        return token.producerEpoch > current_.producerEpoch ? Order::newer : Order::notNewer;
    }
    // A producerId that was seen before the coordinator was asked, and is not its answer, is past.
    const bool past = wasLeft(token.producerId) || (e_.prior && e_.prior->leaseToken == token);
    if (past || (idKnown_ && e_.askedAfterNewestRecord)) {
        return Order::notNewer;
    }
    return idKnown_ ? Order::open : Order::newer;
}

bool Judgement::cannotBeHere(FencingToken token, std::int64_t offset) const {
    const auto& prior = e_.prior;
    return idKnown_ && prior && prior->leaseOffset >= 0 && offset > prior->leaseOffset &&
           prior->described.producerId == current_.producerId && token.producerId != current_.producerId &&
           token.producerId != prior->leaseToken.producerId;
}

std::optional<bool> Judgement::cameAfter(const LeaseRecord& lease) const {
    // The numbers are evidence of one kind only: a block of ids is handed out upwards, so a lower one is most
    // often older. Where it is not, the log has to say so.
    const auto theirId = lease.lease.token.producerId;
    if (theirId <= current_.producerId || wasLeft(theirId)) {
        return true;
    }
    if (!e_.producers) {
        return std::nullopt;
    }
    const auto row = [&](std::int64_t producerId) {
        return std::find_if(e_.producers->begin(), e_.producers->end(),
                            [&](const auto& each) { return each.producer.producerId == producerId; });
    };
    const auto none = e_.producers->end();
    const auto ours = row(current_.producerId);
    const auto theirs = row(theirId);
    if (ours != none && theirs != none) {
        return ours->lastTimestamp >= theirs->lastTimestamp;
    }
    if (theirs !=
        none) { // the commit that rolled over leaves the old id's last epoch, and none of the new one
        return theirs->producer.producerEpoch >= kExhausted;
    }
    // A partition forgets a producer after a day of silence.
    const bool wroteSince = ours != none && ours->lastTimestamp >= lease.position.timestamp;
    return wroteSince ? std::optional(true) : std::nullopt;
}

void Judgement::fenceOlderAuthors(const std::optional<MemberId>& exempt) {
    if (lease_ && visible_ != current_ && lease_->lease.member != exempt) {
        addFenced(lease_->lease.member);
    }
    for (const auto& entry : e_.tail) {
        const bool older =
            entry.lease && entry.lease->token != current_ && orderOf(entry.lease->token) == Order::notNewer;
        if (older && entry.fate == TailLease::Fate::undecided && entry.lease->member != exempt) {
            addFenced(entry.lease->member);
        }
    }
}

std::optional<Judgement::LeaseTrace> Judgement::newestTrace(bool withAborted) const {
    std::optional<LeaseTrace> newest;
    if (const auto& position = e_.state->newestLeasePosition()) {
        newest = LeaseTrace{lease_ ? std::optional(lease_->lease) : std::nullopt, *position, false, false};
    }
    const auto begunSince = isInFlight(state_) ? std::nullopt : openSince();
    for (const auto& entry : e_.tail) {
        const bool aborted = entry.fate == TailLease::Fate::aborted;
        if ((aborted && !withAborted) || (begunSince && entry.position.offset >= *begunSince)) {
            continue;
        }
        if (!newest || entry.position.offset > newest->position.offset) {
            newest = LeaseTrace{entry.lease, entry.position, true, aborted};
        }
    }
    return newest;
}

std::optional<std::int64_t> Judgement::openSince() const {
    if (!e_.producers) {
        return std::nullopt;
    }
    for (const auto& row : *e_.producers) {
        if (row.producer == current_ && row.openSince) {
            return row.openSince;
        }
    }
    return std::nullopt;
}

std::optional<Judgement::LeaseTrace> Judgement::newestSince(std::int64_t since) const {
    std::optional<LeaseTrace> newest;
    for (const auto& entry : e_.tail) {
        const bool inside = entry.fate == TailLease::Fate::undecided && entry.position.offset >= since;
        if (inside && (!newest || entry.position.offset > newest->position.offset)) {
            newest = LeaseTrace{entry.lease, entry.position, true, false};
        }
    }
    return newest;
}

std::string Judgement::pinned() const {
    return e_.pinnedBy.empty() ? std::string("an open transaction ends")
                               : "the open transaction of " + e_.pinnedBy + " ends";
}

void Judgement::authoritative(VerdictRow row, const LeaseRecord& lease, bool hidden,
                              const std::string& because) {
    verdict_.holder = lease.lease.member;
    verdict_.token = lease.lease.token;
    verdict_.lease = lease;
    verdict_.leaseHidden = hidden;
    verdict_.writingNow = isInFlight(state_);
    fenceOlderAuthorsThan(lease);
    if (isLive(lease.lease, e_.now)) {
        set(VerdictKind::authoritative, row, because + "; lease live; topic read to the end");
    } else {
        verdict_.expiredFor = saturatingSubtract(e_.now, lease.lease.deadline);
        set(VerdictKind::overdue, row,
            because + "; the lease's deadline is past and nobody has taken the role");
    }
}

void Judgement::fenceOlderAuthorsThan(const LeaseRecord& decisive) {
    if (lease_ && lease_->position.offset < decisive.position.offset &&
        lease_->lease.member != decisive.lease.member) {
        addFenced(lease_->lease.member);
    }
}

const UntrustedLease* Judgement::distrusted(std::int64_t offset, FencingToken token) const {
    for (const auto& untrusted : e_.untrusted) {
        // Offsets of another partition say nothing; there the token, if it can be read, does.
        const bool newer = untrusted.misplaced ? untrusted.token && *untrusted.token > token
                                               : untrusted.position.offset > offset;
        if (newer) {
            return &untrusted;
        }
    }
    return nullptr;
}

bool Judgement::doubtDistrusted(std::int64_t offset, FencingToken token) {
    const auto* untrusted = distrusted(offset, token);
    if (!untrusted) {
        return false;
    }
    doubt(VerdictRow::r13Else,
          fmt::format(
              "the coordinator is at {}, and a lease record that may decide cannot be trusted: partition {}, "
              "offset {}, {}",
              current_.text(), untrusted->position.partition, untrusted->position.offset, untrusted->why));
    return true;
}

} // namespace bellwether
