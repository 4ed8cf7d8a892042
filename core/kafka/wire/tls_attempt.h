// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kafka/wire/tls_openssl.h"

namespace bellwether::kafka::wire {

/// A certificate in words, for messages; bounded, whatever the peer sent.
struct CertificateWords {
    std::string subject;
    std::string issuer;
    std::string notBefore; ///< "2026-01-31 12:00:00 UTC"
    std::string notAfter;
    std::string names; ///< the DNS names and IP addresses it is good for; empty: none
};

[[nodiscard]] CertificateWords describe(const X509& certificate);

/// What was seen in one TLS session, filled by OpenSSL's callbacks.
struct TlsAttempt {
    struct Distrust {
        int reason = 0; ///< X509_V_ERR_...
        CertificateWords of;
        bool isLeaf = false;
        /// The last one of the chain as it could be built, the nearest to a root.
        CertificateWords top;
    };

    std::string name;         ///< the host that was asked for
    bool established = false; ///< the handshake is done
    std::optional<Distrust> distrust;
    bool certificateWanted = false; ///< the broker asked for a client certificate
    /// Ours was not sent, because none of the CAs that the broker named issued it.
    bool withheld = false;
    std::string acceptedIssuers; ///< the CAs that the broker named
};

/// Lets every session of the context fill the attempt that it was given. `verifies`: a certificate that does
/// not pass ends the handshake.
void watchAttempts(SSL_CTX& context, bool verifies);

/// `attempt` must outlive the session.
[[nodiscard]] bool setAttempt(SSL& session, TlsAttempt& attempt);

} // namespace bellwether::kafka::wire
