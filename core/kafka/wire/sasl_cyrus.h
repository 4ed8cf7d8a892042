// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/io_context.hpp>

#include "kafka/wire/sasl_exchange.h"

namespace bellwether::kafka::wire {

/// What Cyrus SASL does here: PLAIN (RFC 4616), SCRAM-SHA-256 and -512 (RFC 5802, 7677; it checks the nonce
/// and the broker's signature and refuses more than 65,536 iterations) and GSSAPI (RFC 4752, without a
/// security layer; tickets come from the ticket cache, fetched on a thread of its own since a KDC may be
/// slow).
struct CyrusSettings {
    std::string mechanism;
    std::string user;              ///< not for GSSAPI
    std::string password;          ///< not for GSSAPI
    std::string service = "kafka"; ///< GSSAPI: of the broker's principal service/host
};

[[nodiscard]] std::shared_ptr<SaslCredentials> makeCyrusCredentials(asio::io_context& io,
                                                                    CyrusSettings settings);

} // namespace bellwether::kafka::wire
