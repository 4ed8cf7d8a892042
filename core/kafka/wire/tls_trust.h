// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "kafka/wire/tls_openssl.h"
#include "kafka/wire/tls_settings.h"

namespace bellwether::kafka::wire {

/// Puts the CAs (ssl.ca.location, ssl.ca.pem, or the system's) and ssl.crl.location into the context's store.
/// The result says where they come from, for messages: "ssl.ca.location /etc/ca.pem".
[[nodiscard]] Result<std::string> loadTlsTrust(SSL_CTX& context, const TlsSettings& settings);

} // namespace bellwether::kafka::wire
