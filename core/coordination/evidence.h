// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/role_state.h"

namespace bellwether {

/// State of a transactional id at its coordinator (KIP-664; PrepareEpochFence is KIP-890's name for a mint
/// over an open transaction).
enum class TransactionState {
    unknown,
    empty,
    ongoing,
    prepareCommit,
    prepareAbort,
    completeCommit,
    completeAbort,
    dead,
    prepareEpochFence,
};
/// Kafka's own spelling: "Empty", "Ongoing", "CompleteCommit", ...; "Unknown" for unknown.
[[nodiscard]] std::string_view toString(TransactionState state) noexcept;
[[nodiscard]] TransactionState transactionStateFromName(std::string_view name) noexcept;
/// Ongoing, PrepareCommit, PrepareAbort or PrepareEpochFence.
[[nodiscard]] bool isInFlight(TransactionState state) noexcept;

/// What the transaction coordinator said of one role.
struct CoordinatorAnswer {
    enum class Kind {
        notAsked,  ///< no answer yet
        described, ///< token and state are set
        unknownId, ///< Kafka error 105: no epoch exists
        failed,    ///< `error` says why
    };
    Kind kind = Kind::notAsked;
    FencingToken token;
    TransactionState state = TransactionState::unknown;
    Millis transactionTimeout{0};
    /// Coordinator's clock. Only meaningful in Ongoing: 3.9 and 4.0 leave the last one behind in Empty.
    std::optional<WallTime> transactionStart;
    std::optional<Error> error;
    WallTime asOf{};      ///< this console's clock, when the answer arrived
    SteadyTime askedAt{}; ///< when the request was sent
    SteadyTime answeredAt{};

    bool operator==(const CoordinatorAnswer&) const = default;
};

/// A lease record (or lease tombstone) of the role that a read_uncommitted reader sees and the committed
/// reader does not.
struct TailLease {
    enum class Fate {
        undecided, ///< at or above the last stable offset: open, or decided and hidden
        aborted,   ///< below the last stable offset, and the committed reader does not show it
    };
    std::optional<Lease> lease; ///< nothing: a tombstone
    RecordPosition position;
    Fate fate = Fate::undecided;

    bool operator==(const TailLease&) const = default;
};

/// A lease record of the role that cannot be taken at face value: its value does not decode, or it stands in
/// another partition than the rule's. It may be the newest, so what rests on the newest lease is in doubt.
struct UntrustedLease {
    RecordPosition position;
    std::optional<FencingToken> token; ///< when its value can be read
    std::string why;                   ///< "lease value: version 1, only 0 is known", ...
    bool misplaced = false;

    bool operator==(const UntrustedLease&) const = default;
};

/// One row of DescribeProducers for the role's partition (KIP-664). The epoch is that of the last write or
/// marker there: commits and aborts move it, a mint does not.
struct PartitionProducer {
    FencingToken producer;
    std::optional<std::int64_t> openSince; ///< first offset of its open transaction
    std::optional<WallTime> lastTimestamp;

    bool operator==(const PartitionProducer&) const = default;
};

/// A past verdict `authoritative`, remembered so that the beginning of the holder's next transaction is not
/// mistaken for a challenge.
struct PriorAuthority {
    FencingToken described; ///< the coordinator's pair at that answer
    MemberId holder;
    FencingToken leaseToken;
    std::int64_t leaseOffset = -1; ///< of the lease that decided

    bool operator==(const PriorAuthority&) const = default;
};

/// What earlier answers of the coordinator said of the role, in the order in which they were asked for.
struct CoordinatorMemory {
    /// The newest pair so far; none before the first answer.
    FencingToken newest;
    /// ProducerIds that the role had and has left since. They never come back, and nothing else tells their
    /// order: brokers take ids in blocks of 1,000, so a later id may be the lower number.
    std::vector<std::int64_t> left;

    bool operator==(const CoordinatorMemory&) const = default;
};

/// Everything known of one role at one moment. The coordinator was asked first; the log's tail and the
/// partition's producers were read after its answer.
struct Evidence {
    const RoleState* state =
        nullptr; ///< committed view; not owned, must outlive the call; never null for judge()
    CoordinatorAnswer coordinator;
    /// The coordinator was asked after the newest record of the role had been seen. False makes a lease that
    /// is newer than the answer a question, not a contradiction.
    bool askedAfterNewestRecord = true;
    /// Lease records outside the committed view, in offset order.
    std::vector<TailLease> tail;
    /// The tail was read up to a high watermark fetched after the coordinator's answer.
    bool tailRead = true;
    /// Lease records that cannot be trusted: of the role's partition the newest, of others that with the
    /// highest token.
    std::vector<UntrustedLease> untrusted;
    /// The partition's producers, asked after the coordinator's answer; nothing: not asked or failed.
    std::optional<std::vector<PartitionProducer>> producers;
    /// The committed view was read to the last stable offset.
    bool topicReadToEnd = true;
    std::optional<Error> topicError;
    std::optional<PriorAuthority> prior;
    CoordinatorMemory memory;
    /// Who else holds the log back: text for reasons, e.g. "77:3 (other) open since offset 4"; empty if
    /// nobody.
    std::string pinnedBy;

    WallTime now{};           ///< this console's clock
    Millis coordinatorAge{0}; ///< since the coordinator's answer, monotonic
    Millis topicAge{0};       ///< since the committed view was last known to be at the end, monotonic
    Millis stalenessBound{10'000};
};

} // namespace bellwether
