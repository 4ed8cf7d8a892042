// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "kafka/kafka_config.h"
#include "ports/authority.h"
#include "ports/transport.h"

namespace bellwether::kafka {

/// A member's transport over librdkafka. Per role one transactional producer (transactional.id = role), plus
/// one plain idempotent-free producer with acks=all for registrations, one read_committed reader, and
/// `authority` for describe(). Handles are made lazily and destroyed on close() within milliseconds, also
/// with the brokers gone. The minted pair is the producer's own: from its log at the moment it is given,
/// watched over by its statistics.
///
/// What a write that fails leaves behind:
/// - fenced: "token lost". Besides 47 and 90 (kafkaCode says which) also when librdkafka gave the producer a
/// new epoch
///   while it undid a failed transaction (kafkaCode 0): the coordinator no longer knows the token. Every
///   later write under the token says the same.
/// - `fatal` without fenced (idExpired, an unknown outcome of a commit, a transaction that cannot be undone):
/// the
///   producer is closed, later writes are notMinted; read the role and acquire again.
/// - else (timeout, unreachable, busy, ...): nothing was committed and the token stands; what is left of the
///   transaction is undone by the next write, first thing.
/// A commit is acknowledged before its marker is in the partition: a read at once after a write can miss it.
/// No broker reached within 3 s on a new handle, with a reason known, ends a call early as unreachable.
[[nodiscard]] Result<std::unique_ptr<CoordinationTransport>>
makeKafkaTransport(KafkaConfig config, std::shared_ptr<Authority> authority);

} // namespace bellwether::kafka
