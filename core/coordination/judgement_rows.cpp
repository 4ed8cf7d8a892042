// SPDX-License-Identifier: Apache-2.0
// The rows of the table.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "coordination/judgement.h"
#include "coordination/lease_timing.h"

namespace bellwether {

namespace {

std::string quoted(const MemberId& member) {
    return displayText(member.str());
}

} // namespace

// Row 1.
bool Judgement::stale() {
    const auto& answer = e_.coordinator;
    if (answer.kind == CoordinatorAnswer::Kind::notAsked) {
        return unknown("the coordinator has not answered yet");
    }
    if (answer.kind == CoordinatorAnswer::Kind::failed) {
        return unknown("the coordinator could not be asked: " +
                       (answer.error ? answer.error->text() : std::string("no reason was given")));
    }
    if (e_.topicError) {
        return unknown("the topic could not be read: " + e_.topicError->text());
    }
    if (!e_.topicReadToEnd) {
        return unknown("the topic has not been read to its end yet");
    }
    if (e_.coordinatorAge > e_.stalenessBound) {
        return unknown(fmt::format("the coordinator's last answer is older than {}",
                                   durationInWords(e_.stalenessBound)));
    }
    if (e_.topicAge > e_.stalenessBound) {
        return unknown(fmt::format("the topic was last read to its end more than {} ago",
                                   durationInWords(e_.stalenessBound)));
    }
    return false;
}

bool Judgement::unknown(std::string reason) {
    set(VerdictKind::unknown, VerdictRow::r1Stale, std::move(reason));
    return true;
}

// Row 4, the coordinator against itself.
bool Judgement::wentBack() {
    const auto& newest = e_.memory.newest;
    const bool back =
        idKnown_ && (wasLeft(current_.producerId) || (newest.producerId == current_.producerId &&
                                                      newest.producerEpoch > current_.producerEpoch));
    if (back) {
        doubt(VerdictRow::r4NewerThanCoordinator,
              fmt::format(
                  "the coordinator says {} and has said {} before: a broker that does not know yet that "
                  "it is the coordinator no more, or a cluster restored",
                  current_.text(), newest.text()));
    }
    return back;
}

// Row 4, the log against the coordinator.
bool Judgement::newerRecord() {
    std::optional<LeaseTrace> newer;
    bool open = false;
    const auto consider = [&](const Lease& lease, const RecordPosition& position) {
        const auto order = cannotBeHere(lease.token, position.offset) ? Order::newer : orderOf(lease.token);
        if (order == Order::notNewer) {
            return;
        }
        if (!newer || (order == Order::newer && open)) {
            newer = LeaseTrace{lease, position, false, false};
            open = order == Order::open;
        }
    };
    if (const auto highest = e_.state->highestUnder(current_.producerId)) {
        consider(highest->lease, highest->position);
    }
    for (const auto& entry : e_.tail) {
        if (entry.lease) {
            consider(*entry.lease, entry.position);
        }
    }
    if (const auto& last = e_.state->lastLease()) {
        consider(last->lease, last->position);
    }
    if (!newer || (!idKnown_ && e_.askedAfterNewestRecord)) {
        return false;
    }
    const auto where = fmt::format("{} of {} at offset {}", newer->lease->token.text(),
                                   quoted(newer->lease->member), newer->position.offset);
    if (!e_.askedAfterNewestRecord) {
        doubt(VerdictRow::r4NewerThanCoordinator,
              fmt::format("a lease {} was written after the coordinator was asked", where));
        return true;
    }
    set(VerdictKind::contradictory, VerdictRow::r4NewerThanCoordinator,
        fmt::format("the lease {} is newer than the coordinator's {}: another cluster, a restored one, or a "
                    "forged record",
                    where, current_.text()));
    return true;
}

// Rows 2 and 3.
bool Judgement::unknownId() {
    if (idKnown_) {
        return false;
    }
    const bool hiddenLease = std::any_of(e_.tail.begin(), e_.tail.end(), [](const TailLease& entry) {
        return entry.lease && entry.fate == TailLease::Fate::undecided;
    });
    if (lease_ || hiddenLease) {
        vacant(VerdictRow::r3IdExpired, "the transactional id expired at the coordinator; the author of "
                                        "the last lease can write no more");
    } else if (e_.state->lastLease()) {
        vacant(VerdictRow::r2NeverLed, "released, and the coordinator no longer knows the transactional id");
    } else {
        vacant(VerdictRow::r2NeverLed,
               "nobody ever led: the coordinator knows no epoch and there is no lease");
    }
    return true;
}

// Row 4b.
bool Judgement::impossibleOrder() {
    const auto earlier = e_.state->notBefore();
    if (!earlier) {
        return false;
    }
    set(VerdictKind::contradictory, VerdictRow::r4bLowerToken,
        fmt::format(
            "the newest lease carries {}, an earlier one at offset {} carries {}: the protocol cannot "
            "commit that",
            visible_.text(), earlier->position.offset, earlier->lease.token.text()));
    return true;
}

// Rows 5 to 13.
void Judgement::decide() {
    if (state_ == TransactionState::empty && (!lease_ || visible_ != current_)) {
        return claimed();
    }
    if (!lease_ && isInFlight(state_)) {
        return claimingFirst();
    }
    if (released()) {
        return;
    }
    if (lease_ && visible_ == current_) {
        return sameToken();
    }
    if (isInFlight(state_)) {
        return writing();
    }
    if (state_ == TransactionState::completeCommit) {
        return committed();
    }
    if (state_ == TransactionState::completeAbort) {
        return aborted();
    }
    doubt(VerdictRow::r13Else,
          fmt::format("the coordinator names a transaction state that this version does not know, with {}",
                      current_.text()));
}

// Row 8.
void Judgement::sameToken() {
    const auto because = fmt::format("lease token {} = coordinator token", visible_.text());
    const auto newest = newestTrace(false);
    const bool renewed = state_ == TransactionState::completeCommit && e_.tailRead &&
                         e_.askedAfterNewestRecord && newest && newest->hidden && newest->lease &&
                         newest->lease->member == lease_->lease.member && newest->lease->token == visible_;
    if (renewed && !isLive(lease_->lease, e_.now)) {
        // Members read the old deadline as well, and act on it.
        return authoritative(
            VerdictRow::r8SameToken, {*newest->lease, newest->position}, true,
            because + fmt::format("; its renewal at offset {} is committed, but hidden from readers "
                                  "until {}, so standbys see a deadline that is past and may "
                                  "challenge",
                                  newest->position.offset, pinned()));
    }
    authoritative(VerdictRow::r8SameToken, *lease_, false, because);
}

// Rows 5 and 9.
void Judgement::claimed() {
    fenceOlderAuthors(std::nullopt);
    if (!lease_) {
        set(VerdictKind::claimed, VerdictRow::r5ClaimedFirst,
            fmt::format("somebody minted {} and has written no lease yet", current_.text()));
        return;
    }
    set(VerdictKind::claimed, VerdictRow::r9Minted,
        fmt::format("{} was minted after {}'s {}: {} is fenced, and nobody has written since",
                    current_.text(), quoted(lease_->lease.member), visible_.text(),
                    quoted(lease_->lease.member)));
}

// Row 6.
void Judgement::claimingFirst() {
    std::optional<LeaseTrace> trace;
    if (const auto since = openSince()) {
        trace = newestSince(*since);
    }
    if (trace && trace->lease) {
        verdict_.claimant = trace->lease->member;
    }
    if (verdict_.claimant) { // else any author in the tail may be the one who is writing
        fenceOlderAuthors(verdict_.claimant);
    }
    set(VerdictKind::claiming, VerdictRow::r6ClaimingFirst,
        verdict_.claimant
            ? fmt::format("{} is writing its first lease under {} ({})", quoted(*verdict_.claimant),
                          current_.text(), toString(state_))
            : fmt::format("a first lease is being written under {} ({}); the log does not show by "
                          "whom yet",
                          current_.text(), toString(state_)));
}

// Row 7.
bool Judgement::released() {
    const bool decided =
        state_ == TransactionState::completeCommit || state_ == TransactionState::completeAbort;
    if (!decided) {
        return false;
    }
    const auto newest = newestTrace(false);
    if (newest && newest->lease) {
        return false;
    }
    if (!e_.tailRead) {
        if (lease_) {
            return false;
        }
        doubt(VerdictRow::r13Else, "no lease is committed, and the log's tail could not be read");
        return true;
    }
    const auto& last = e_.state->lastLease();
    const auto newestToken = last ? last->lease.token : FencingToken::none();
    if (doubtDistrusted(newest ? newest->position.offset : -1, newestToken)) {
        return true;
    }
    if (!newest) {
        vacant(VerdictRow::r7Released, "the log holds no lease: released, or a claim that was aborted");
        return true;
    }
    if (!newest->hidden) {
        vacant(VerdictRow::r7Released,
               fmt::format("released: a committed tombstone at offset {}", newest->position.offset));
        return true;
    }
    if (state_ == TransactionState::completeAbort) {
        return false; // the aborted transaction may be the one that holds this tombstone
    }
    if (!e_.askedAfterNewestRecord) {
        doubt(VerdictRow::r7Released,
              fmt::format("a tombstone at offset {} was seen after the coordinator was asked",
                          newest->position.offset));
        return true;
    }
    fenceOlderAuthors(lastHolder());
    vacant(VerdictRow::r7Released,
           fmt::format("released: the tombstone at offset {} is committed, but hidden from readers until {}",
                       newest->position.offset, pinned()));
    return true;
}

// Rows 10 and 10b.
void Judgement::writing() {
    if (const auto since = openSince(); since && e_.tailRead) {
        const auto trace = newestSince(*since);
        if (doubtDistrusted(trace ? trace->position.offset : *since - 1,
                            trace && trace->lease ? trace->lease->token : visible_)) {
            return;
        }
        if (trace && trace->lease) {
            return writingLease(*trace->lease, *since);
        }
    }
    const bool asBefore = e_.prior && e_.prior->described == current_ && lease_ &&
                          e_.prior->holder == lease_->lease.member && e_.prior->leaseToken == visible_;
    if (asBefore) {
        return authoritative(VerdictRow::r10bBegun, *lease_, false,
                             fmt::format("{} is unchanged since {} was authoritative; a transaction is begun",
                                         current_.text(), quoted(lease_->lease.member)));
    }
    doubt(VerdictRow::r10bBegun,
          fmt::format("a transaction under {} is {}, and the log does not show whose; its first record will",
                      current_.text(), toString(state_)));
}

void Judgement::writingLease(const Lease& written, std::int64_t since) {
    if (written.member == lease_->lease.member && written.token == visible_) {
        return authoritative(VerdictRow::r10Writing, *lease_, false,
                             fmt::format("{} renews under {} in a transaction open since offset {}; its own "
                                         "commits moved the epoch to {}",
                                         quoted(written.member), visible_.text(), since, current_.text()));
    }
    verdict_.claimant = written.member;
    fenceOlderAuthors(written.member);
    set(VerdictKind::claiming, VerdictRow::r10Writing,
        fmt::format("{} is writing a lease under {} in a transaction open since offset {}; {} is fenced",
                    quoted(written.member), written.token.text(), since, quoted(lease_->lease.member)));
}

// Row 11.
void Judgement::committed() {
    if (!e_.tailRead) {
        return doubt(VerdictRow::r13Else,
                     fmt::format("the coordinator committed under {}, and the log's tail could not be read",
                                 current_.text()));
    }
    const auto newest = newestTrace(true);
    if (!newest || newest->aborted || !newest->lease) {
        return doubt(
            VerdictRow::r11Committed,
            fmt::format("the coordinator committed under {}, but the newest lease record in the log was "
                        "aborted",
                        current_.text()));
    }
    const LeaseRecord decisive{*newest->lease, newest->position};
    if (doubtDistrusted(decisive.position.offset, decisive.lease.token)) {
        return;
    }
    const auto after = cameAfter(decisive);
    if (!after) {
        return doubt(
            VerdictRow::r11Committed,
            fmt::format("the coordinator committed under {}, and nothing tells whether its producerId "
                        "came after that of {}'s lease {}",
                        current_.text(), quoted(decisive.lease.member), decisive.lease.token.text()));
    }
    if (!*after) {
        return set(VerdictKind::contradictory, VerdictRow::r11Committed,
                   fmt::format("the coordinator committed under {}, but the partition shows no write of that "
                               "producerId after {}'s lease {}: another cluster, a restored one, or a forged "
                               "record",
                               current_.text(), quoted(decisive.lease.member), decisive.lease.token.text()));
    }
    const bool rolledOver = decisive.lease.token.producerId != current_.producerId;
    auto because =
        decisive.lease.token == current_
            ? fmt::format("the coordinator committed {}, the token of {}'s lease at offset {}",
                          current_.text(), quoted(decisive.lease.member), decisive.position.offset)
            : fmt::format("{} leads under {}; {} to {} by its own commits", quoted(decisive.lease.member),
                          decisive.lease.token.text(),
                          rolledOver ? "the producerId rolled over" : "the epoch advanced", current_.text());
    if (newest->hidden) {
        because += fmt::format("; that lease is hidden from readers until {}", pinned());
    }
    authoritative(VerdictRow::r11Committed, decisive, newest->hidden, because);
}

// Row 12.
void Judgement::aborted() {
    const auto newest = newestTrace(true);
    const bool othersClaim = newest && newest->hidden && newest->lease &&
                             (!lease_ || newest->lease->member != lease_->lease.member);
    if (othersClaim) {
        verdict_.claimant = newest->lease->member;
    } else if (lease_) {
        verdict_.holder = lease_->lease.member;
    }
    doubt(VerdictRow::r12Aborted,
          fmt::format("the last write was aborted, by its author or by timeout, and the epoch is {}; {}",
                      current_.text(),
                      othersClaim ? fmt::format("the newest claim is {}'s", quoted(newest->lease->member))
                      : lease_    ? fmt::format("{}'s next renewal decides", quoted(lease_->lease.member))
                                  : std::string("the next write decides")));
}

} // namespace bellwether
