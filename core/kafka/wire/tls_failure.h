// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coordination/result.h"
#include "kafka/wire/tls_context.h"

namespace bellwether::kafka::wire {

/// The broker's certificate did not pass. Never retriable.
[[nodiscard]] Error distrustError(const TlsAttempt& attempt, const TlsContext& context);

/// OpenSSL ended the session, in the handshake or later, by its own finding or by the broker's alert.
/// `opensslCode` is one of its error queue. `refused`: the broker does not accept this client's certificate;
/// `unsupported`: no common version or cipher; `protocol`: what answers speaks no TLS.
[[nodiscard]] Error tlsError(unsigned long opensslCode, const TlsAttempt& attempt, const TlsContext& context);

/// `times`: how often this peer closed before it said anything, this time included; 0: it spoke TLS before.
[[nodiscard]] Error closedAtFirst(int times);
/// The peer closed, without an alert, after it had answered.
[[nodiscard]] Error closedInHandshake(const TlsAttempt& attempt);

} // namespace bellwether::kafka::wire
