// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "coordination/record_codec.h"
#include "coordination/role_state.h"

namespace bellwether {

/// One decoded record of a role with its place in the log.
struct CoordinationEntry {
    CoordinationRecord record;
    RecordPosition position;
};

/// What a member needs of the cluster. One instance serves one member; calls may come from any one thread at
/// a time (implementations serialize). Every call blocks at most for the implementation's configured timeout.
class CoordinationTransport {
public:
    virtual ~CoordinationTransport() = default;

    /// Mints a new epoch for the role (InitProducerId on transactional.id = role) and fences whoever held it.
    /// The pair is the minting producer's own, not read back from the coordinator. A second call for one role
    /// in one transport replaces the first producer; its token is dead from that moment.
    [[nodiscard]] virtual Result<FencingToken> acquireEpoch(const Role& role) = 0;

    /// Reads the role's whole partition, read_committed, up to the last stable offset at the time of the
    /// call, and returns the role's records in offset order. A read that does not get there is incompleteRead
    /// ("incomplete read, N of M"), never a shorter roster; a record of this role that does not decode is
    /// undecodable with topic, partition and offset.
    [[nodiscard]] virtual Result<std::vector<CoordinationEntry>> readRoleRecords(const Role& role) = 0;

    /// Appends a registration; returns when acks=all is in. Not transactional: the record goes to the tail.
    [[nodiscard]] virtual Result<void> registerMember(const Role& role, const Registration& registration) = 0;
    /// Appends a registration tombstone.
    [[nodiscard]] virtual Result<void> deregisterMember(const Role& role, const MemberId& member) = 0;

    /// Writes the lease in a transaction under `token`, which must be the one this transport minted for the
    /// role (else notMinted, nothing written). ErrorCode::fenced (broker codes 47 and 90, nothing else) means
    /// the leadership is over. ErrorCode::idExpired (49) means the coordinator forgot the id: mint again.
    [[nodiscard]] virtual Result<void> writeLease(const Role& role, FencingToken token,
                                                  const Lease& lease) = 0;
    /// Writes a lease tombstone in a transaction under `token`; errors as writeLease.
    [[nodiscard]] virtual Result<void> clearLease(const Role& role, FencingToken token) = 0;

    /// The coordinator's current pair; nothing when it knows no such id (error 105).
    [[nodiscard]] virtual Result<std::optional<FencingToken>> describe(const Role& role) = 0;

    /// Closes the producers this transport built; later calls fail with closed. Idempotent.
    virtual void close() = 0;
};

} // namespace bellwether
