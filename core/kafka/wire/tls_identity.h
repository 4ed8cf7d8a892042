// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "kafka/wire/tls_openssl.h"
#include "kafka/wire/tls_settings.h"

namespace bellwether::kafka::wire {

/// With what this client shows who it is.
struct TlsIdentity {
    CertificatePtr certificate;
    std::vector<CertificatePtr> chain; ///< the issuers that are sent along
    KeyPtr key;
};

/// From ssl.certificate.*, ssl.key.* or ssl.keystore.*; nothing when none is set. The key belongs to the
/// certificate. No message holds a passphrase.
[[nodiscard]] Result<std::optional<TlsIdentity>> loadTlsIdentity(const TlsSettings& settings);

} // namespace bellwether::kafka::wire
