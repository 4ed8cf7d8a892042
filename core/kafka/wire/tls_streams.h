// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "coordination/result.h"
#include "kafka/wire/stream.h"

namespace bellwether::kafka::wire {

/// Streams over TLS 1.2 or later (OpenSSL), set up from librdkafka's ssl.* and enable.ssl.* properties with
/// librdkafka's meanings: files are read, keys decrypted and certificates parsed here, once, on the calling
/// thread. Nothing of the process changes. The factory may be copied and used on any thread.
///
/// Fails with `invalidArgument` for what cannot be used (a missing file, a wrong passphrase, a key that does
/// not fit its certificate), naming the property and the file, and with `unsupported` for a property that
/// librdkafka knows and this client does not (ssl.engine.*, ssl.providers, callbacks).
///
/// A stream's open() fails, beside what every stream's does, and not retriable: `unreachable` (the broker's
/// certificate does not pass; the port closes at the first bytes of TLS again and again), `protocol` (another
/// protocol), `unsupported` (no common version or cipher), `refused` (this client's certificate is missing or
/// rejected; in TLS 1.3 only the first read tells). The end of a session without TLS's own end is an error
/// of reads like the end of the stream, with another text.
[[nodiscard]] Result<StreamFactory> makeTlsStreams(const std::map<std::string, std::string>& properties);

} // namespace bellwether::kafka::wire
