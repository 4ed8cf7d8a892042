// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "kafka/wire/tls_attempt.h"
#include "kafka/wire/tls_settings.h"

namespace bellwether::kafka::wire {

/// What all the sessions of one set of properties share. Never changes.
struct TlsContext {
    TlsContextPtr context;
    bool checkName = true;
    std::string trust;                   ///< where the CAs come from, for messages
    std::string revocation;              ///< ssl.crl.location, for messages
    std::optional<CertificateWords> own; ///< the client certificate
};

/// Reads every file that the settings name.
[[nodiscard]] Result<std::shared_ptr<const TlsContext>> makeTlsContext(const TlsSettings& settings);

} // namespace bellwether::kafka::wire
