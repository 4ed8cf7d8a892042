// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/tls_identity.h"

namespace bellwether::kafka::wire {

/// From the PKCS#12 file ssl.keystore.location, old ones included when OpenSSL's legacy provider is
/// installed.
[[nodiscard]] Result<TlsIdentity> loadTlsKeystore(const TlsSettings& settings);

} // namespace bellwether::kafka::wire
