// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "coordination/result.h"
#include "kafka/wire/stream.h"

namespace bellwether::kafka::wire {

/// Streams over TLS (OpenSSL), set up from librdkafka's ssl.* and enable.ssl.* properties: files are read,
/// keys decrypted and certificates parsed here, once. Fails with `invalidArgument` for what cannot be used (a
/// missing file, a wrong passphrase, a key that does not fit its certificate), naming the property and the
/// file.
[[nodiscard]] Result<StreamFactory> makeTlsStreams(const std::map<std::string, std::string>& properties);

} // namespace bellwether::kafka::wire
