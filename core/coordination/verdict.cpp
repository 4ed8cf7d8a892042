// SPDX-License-Identifier: Apache-2.0
#include "coordination/verdict.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "coordination/lease_timing.h"

namespace bellwether {

namespace {

/// A lease record or tombstone somewhere in the log, wherever it was seen.
struct LeaseTrace {
    std::optional<Lease> lease; ///< nothing: a tombstone
    RecordPosition position;
    bool hidden = false; ///< not in the committed view
    bool aborted = false;
};

std::string quoted(const MemberId& member) {
    return displayText(member.str());
}

/// One judgement: the evidence, what follows from it at once, and the rows of the table as functions.
class Judgement {
public:
    explicit Judgement(const Evidence& evidence)
        : e_(evidence)
        , lease_(evidence.state->lease())
        , described_(evidence.coordinator.kind == CoordinatorAnswer::Kind::described)
        , state_(described_ ? evidence.coordinator.state : TransactionState::unknown)
        , idKnown_(described_ && state_ != TransactionState::dead)
        , current_(idKnown_ ? evidence.coordinator.token : FencingToken::none())
        , visible_(lease_ ? lease_->lease.token : FencingToken::none()) {}

    Verdict run() {
        verdict_.lease = lease_;
        if (lease_) {
            verdict_.token = visible_;
        }
        if (!stale() && !newerRecord() && !unknownId() && !lowerToken()) {
            decide();
        }
        return std::move(verdict_);
    }

private:
    void set(VerdictKind kind, VerdictRow row, std::string reason) {
        verdict_.kind = kind;
        verdict_.row = row;
        verdict_.reason = std::move(reason);
    }

    void doubt(VerdictRow row, std::string reason) {
        set(VerdictKind::inDoubt, row, std::move(reason));
        verdict_.askAgain = true;
    }

    void vacant(VerdictRow row, std::string reason) {
        set(VerdictKind::vacant, row, std::move(reason));
        verdict_.lastHolder = lastHolder();
    }

    [[nodiscard]] std::optional<MemberId> lastHolder() const {
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

    void addFenced(const MemberId& member) {
        if (std::find(verdict_.fenced.begin(), verdict_.fenced.end(), member) == verdict_.fenced.end()) {
            verdict_.fenced.push_back(member);
        }
    }

    /// Authors of every lease under a token older than the coordinator's, except `exempt`.
    void fenceOlderAuthors(const std::optional<MemberId>& exempt) {
        if (lease_ && visible_ < current_ && lease_->lease.member != exempt) {
            addFenced(lease_->lease.member);
        }
        for (const auto& entry : e_.tail) {
            const bool older = entry.lease && entry.lease->token < current_;
            if (older && entry.fate == TailLease::Fate::undecided && entry.lease->member != exempt) {
                addFenced(entry.lease->member);
            }
        }
    }

    /// The newest lease record of the whole log up to the high watermark, aborted ones only when asked for.
    /// Records of a transaction that began after the coordinator's answer are left out: the answer does not
    /// speak of them.
    [[nodiscard]] std::optional<LeaseTrace> newestTrace(bool withAborted) const {
        std::optional<LeaseTrace> newest;
        if (const auto& position = e_.state->newestLeasePosition()) {
            newest =
                LeaseTrace{lease_ ? std::optional(lease_->lease) : std::nullopt, *position, false, false};
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

    /// First offset of the open transaction that the partition shows for the coordinator's very pair.
    [[nodiscard]] std::optional<std::int64_t> openSince() const {
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

    /// The newest lease record of the open transaction that starts at `since`.
    [[nodiscard]] std::optional<LeaseTrace> newestSince(std::int64_t since) const {
        std::optional<LeaseTrace> newest;
        for (const auto& entry : e_.tail) {
            const bool inside = entry.fate == TailLease::Fate::undecided && entry.position.offset >= since;
            if (inside && (!newest || entry.position.offset > newest->position.offset)) {
                newest = LeaseTrace{entry.lease, entry.position, true, false};
            }
        }
        return newest;
    }

    [[nodiscard]] std::string pinned() const {
        return e_.pinnedBy.empty() ? std::string("an open transaction ends")
                                   : "the open transaction of " + e_.pinnedBy + " ends";
    }

    /// Row 8's judgement of the author of a lease.
    void authoritative(VerdictRow row, const LeaseRecord& lease, bool hidden, const std::string& because) {
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

    /// Whoever wrote under a token below the deciding lease's own has been overtaken by it.
    void fenceOlderAuthorsThan(const LeaseRecord& decisive) {
        if (lease_ && visible_ < decisive.lease.token && lease_->lease.member != decisive.lease.member) {
            addFenced(lease_->lease.member);
        }
    }

    // Row 1.
    bool stale() {
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

    bool unknown(std::string reason) {
        set(VerdictKind::unknown, VerdictRow::r1Stale, std::move(reason));
        return true;
    }

    // Row 4; before rows 2 and 3, so that a lease written after the coordinator was asked is a question.
    bool newerRecord() {
        std::optional<LeaseTrace> newest;
        const auto consider = [&](const Lease& lease, const RecordPosition& position) {
            if (lease.token > current_ && (!newest || lease.token > newest->lease->token)) {
                newest = LeaseTrace{lease, position, false, false};
            }
        };
        if (const auto& highest = e_.state->highestTokenLease()) {
            consider(highest->lease, highest->position);
        }
        for (const auto& entry : e_.tail) {
            if (entry.lease) {
                consider(*entry.lease, entry.position);
            }
        }
        if (!newest || (!idKnown_ && e_.askedAfterNewestRecord)) {
            return false;
        }
        const auto where = fmt::format("{} of {} at offset {}", newest->lease->token.text(),
                                       quoted(newest->lease->member), newest->position.offset);
        if (!e_.askedAfterNewestRecord) {
            doubt(VerdictRow::r4NewerThanCoordinator,
                  fmt::format("a lease {} was written after the coordinator was asked", where));
            return true;
        }
        set(VerdictKind::contradictory, VerdictRow::r4NewerThanCoordinator,
            fmt::format(
                "the lease {} is newer than the coordinator's {}: another cluster, a restored one, or a "
                "forged record",
                where, current_.text()));
        return true;
    }

    // Rows 2 and 3.
    bool unknownId() {
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
            vacant(VerdictRow::r2NeverLed,
                   "released, and the coordinator no longer knows the transactional id");
        } else {
            vacant(VerdictRow::r2NeverLed,
                   "nobody ever led: the coordinator knows no epoch and there is no lease");
        }
        return true;
    }

    // Row 4b.
    bool lowerToken() {
        const auto& highest = e_.state->highestTokenLease();
        if (!lease_ || !highest || highest->lease.token <= visible_) {
            return false;
        }
        set(VerdictKind::contradictory, VerdictRow::r4bLowerToken,
            fmt::format(
                "the newest lease carries {}, an earlier one at offset {} carries {}: the protocol cannot "
                "commit that",
                visible_.text(), highest->position.offset, highest->lease.token.text()));
        return true;
    }

    // Rows 5 to 13. Here the coordinator knows the id, and no record is newer than its pair.
    void decide() {
        if (state_ == TransactionState::empty && (!lease_ || visible_ < current_)) {
            return claimed();
        }
        if (!lease_ && isInFlight(state_)) {
            return claimingFirst();
        }
        if (released()) {
            return;
        }
        if (lease_ && visible_ == current_) {
            return authoritative(VerdictRow::r8SameToken, *lease_, false,
                                 fmt::format("lease token {} = coordinator token", visible_.text()));
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
        doubt(
            VerdictRow::r13Else,
            fmt::format("the coordinator names a transaction state that this version does not know, with {}",
                        current_.text()));
    }

    // Rows 5 and 9.
    void claimed() {
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
    void claimingFirst() {
        std::optional<LeaseTrace> trace;
        if (const auto since = openSince()) {
            trace = newestSince(*since);
        }
        if (trace && trace->lease) {
            verdict_.claimant = trace->lease->member;
        }
        fenceOlderAuthors(verdict_.claimant);
        set(VerdictKind::claiming, VerdictRow::r6ClaimingFirst,
            verdict_.claimant
                ? fmt::format("{} is writing its first lease under {} ({})", quoted(*verdict_.claimant),
                              current_.text(), toString(state_))
                : fmt::format("a first lease is being written under {} ({}); the log does not show by "
                              "whom yet",
                              current_.text(), toString(state_)));
    }

    // Row 7.
    bool released() {
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
        fenceOlderAuthors(lastHolder());
        vacant(
            VerdictRow::r7Released,
            fmt::format("released: the tombstone at offset {} is committed, but hidden from readers until {}",
                        newest->position.offset, pinned()));
        return true;
    }

    // Rows 10 and 10b.
    void writing() {
        if (const auto since = openSince(); since && e_.tailRead) {
            const auto trace = newestSince(*since);
            if (trace && trace->lease) {
                return writingLease(*trace->lease, *since);
            }
        }
        const bool asBefore = e_.prior && e_.prior->described == current_ && lease_ &&
                              e_.prior->holder == lease_->lease.member && e_.prior->leaseToken == visible_;
        if (asBefore) {
            return authoritative(
                VerdictRow::r10bBegun, *lease_, false,
                fmt::format("{} is unchanged since {} was authoritative; a transaction is begun",
                            current_.text(), quoted(lease_->lease.member)));
        }
        doubt(VerdictRow::r10bBegun,
              fmt::format(
                  "a transaction under {} is {}, and the log does not show whose; its first record will",
                  current_.text(), toString(state_)));
    }

    void writingLease(const Lease& written, std::int64_t since) {
        if (written.member == lease_->lease.member && written.token == visible_) {
            return authoritative(
                VerdictRow::r10Writing, *lease_, false,
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
    void committed() {
        if (!e_.tailRead) {
            return doubt(
                VerdictRow::r13Else,
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
        const bool rolledOver = decisive.lease.token.producerId != current_.producerId;
        auto because =
            decisive.lease.token == current_
                ? fmt::format("the coordinator committed {}, the token of {}'s lease at offset {}",
                              current_.text(), quoted(decisive.lease.member), decisive.position.offset)
                : fmt::format("{} leads under {}; {} to {} by its own commits", quoted(decisive.lease.member),
                              decisive.lease.token.text(),
                              rolledOver ? "the producerId rolled over" : "the epoch advanced",
                              current_.text());
        if (newest->hidden) {
            because += fmt::format("; that lease is hidden from readers until {}", pinned());
        }
        authoritative(VerdictRow::r11Committed, decisive, newest->hidden, because);
    }

    // Row 12.
    void aborted() {
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

    const Evidence& e_;
    const std::optional<LeaseRecord>& lease_;
    bool described_;
    TransactionState state_;
    bool idKnown_;
    FencingToken current_; ///< C; none when the coordinator knows no such id
    FencingToken visible_; ///< t; none without a lease
    Verdict verdict_;
};

} // namespace

std::string_view toString(VerdictKind kind) noexcept {
    switch (kind) {
    case VerdictKind::unknown: return "unknown";
    case VerdictKind::vacant: return "vacant";
    case VerdictKind::claimed: return "claimed";
    case VerdictKind::claiming: return "claiming";
    case VerdictKind::authoritative: return "authoritative";
    case VerdictKind::overdue: return "overdue";
    case VerdictKind::contradictory: return "contradictory";
    case VerdictKind::inDoubt: return "in doubt";
    }
    return "unknown";
}

std::string_view toString(VerdictRow row) noexcept {
    static constexpr std::array<std::string_view, 15> kNames{"1", "2", "3",  "4",   "4b", "5",  "6", "7",
                                                             "8", "9", "10", "10b", "11", "12", "13"};
    const auto index = static_cast<std::size_t>(row);
    return index < kNames.size() ? kNames[index] : std::string_view("?");
}

Verdict judge(const Evidence& evidence) {
    return Judgement(evidence).run();
}

std::optional<PriorAuthority> remember(const Verdict& verdict, const Evidence& evidence) {
    const bool holds = verdict.kind == VerdictKind::authoritative || verdict.kind == VerdictKind::overdue;
    const bool described = evidence.coordinator.kind == CoordinatorAnswer::Kind::described;
    if (holds && described && verdict.holder && verdict.token) {
        return PriorAuthority{evidence.coordinator.token, *verdict.holder, *verdict.token};
    }
    const bool moved = described && evidence.prior && evidence.prior->described != evidence.coordinator.token;
    return moved || evidence.coordinator.kind == CoordinatorAnswer::Kind::unknownId ? std::nullopt
                                                                                    : evidence.prior;
}

} // namespace bellwether
