// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "coordination/verdict.h"

namespace bellwether {

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

    Verdict run();

private:
    /// A lease record or tombstone somewhere in the log, wherever it was seen.
    struct LeaseTrace {
        std::optional<Lease> lease; ///< nothing: a tombstone
        RecordPosition position;
        bool hidden = false; ///< not in the committed view
        bool aborted = false;
    };

    void set(VerdictKind kind, VerdictRow row, std::string reason);
    void doubt(VerdictRow row, std::string reason);
    void vacant(VerdictRow row, std::string reason);
    [[nodiscard]] std::optional<MemberId> lastHolder() const;
    void addFenced(const MemberId& member);
    /// Whether a record's token is newer than the coordinator's pair. `open`: another producerId, and nothing
    /// tells which of the two came first.
    enum class Order { notNewer, newer, open };
    [[nodiscard]] Order orderOf(FencingToken token) const;
    [[nodiscard]] bool wasLeft(std::int64_t producerId) const;
    /// The coordinator kept its producerId since an answer that was judged before this lease of another one
    /// was written.
    [[nodiscard]] bool cannotBeHere(FencingToken token, std::int64_t offset) const;
    /// The partition, looked at after the coordinator answered, shows that the coordinator's producerId came
    /// after that of `lease`. Nothing: it does not tell.
    [[nodiscard]] std::optional<bool> cameAfter(const LeaseRecord& lease) const;
    /// Authors of every lease under a token older than the coordinator's, except `exempt`.
    void fenceOlderAuthors(const std::optional<MemberId>& exempt);
    /// The newest lease record of the whole log up to the high watermark, aborted ones only when asked for.
    /// Records of a transaction that began after the coordinator's answer are left out: the answer does not
    /// speak of them.
    [[nodiscard]] std::optional<LeaseTrace> newestTrace(bool withAborted) const;
    /// First offset of the open transaction that the partition shows for the coordinator's very pair.
    [[nodiscard]] std::optional<std::int64_t> openSince() const;
    /// The newest lease record of the open transaction that starts at `since`.
    [[nodiscard]] std::optional<LeaseTrace> newestSince(std::int64_t since) const;
    /// A lease record that cannot be trusted and may be newer than the one at `offset` under `token`.
    [[nodiscard]] const UntrustedLease* distrusted(std::int64_t offset, FencingToken token) const;
    /// True, with the verdict in doubt, when there is one.
    bool doubtDistrusted(std::int64_t offset, FencingToken token);
    [[nodiscard]] std::string pinned() const;
    /// Row 8's judgement of the author of a lease.
    void authoritative(VerdictRow row, const LeaseRecord& lease, bool hidden, const std::string& because);
    /// Whoever wrote under a token below the deciding lease's own has been overtaken by it.
    void fenceOlderAuthorsThan(const LeaseRecord& decisive);
    // Row 1.
    bool stale();
    bool unknown(std::string reason);
    // Row 4; before rows 2 and 3, so that a lease written after the coordinator was asked is a question.
    bool wentBack();
    bool newerRecord();
    // Rows 2 and 3.
    bool unknownId();
    // Row 4b.
    bool impossibleOrder();
    // Rows 5 to 13. Here the coordinator knows the id, and no record is newer than its pair.
    void decide();
    // Row 8.
    void sameToken();
    // Rows 5 and 9.
    void claimed();
    // Row 6.
    void claimingFirst();
    // Row 7.
    bool released();
    // Rows 10 and 10b.
    void writing();
    void writingLease(const Lease& written, std::int64_t since);
    // Row 11.
    void committed();
    // Row 12.
    void aborted();

    const Evidence& e_;
    const std::optional<LeaseRecord>& lease_;
    bool described_;
    TransactionState state_;
    bool idKnown_;
    FencingToken current_; ///< C; none when the coordinator knows no such id
    FencingToken visible_; ///< t; none without a lease
    Verdict verdict_;
};

} // namespace bellwether
