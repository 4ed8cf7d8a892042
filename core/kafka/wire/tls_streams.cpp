// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_streams.h"

namespace bellwether::kafka::wire {

Result<StreamFactory> makeTlsStreams(const std::map<std::string, std::string>& /*properties*/) {
    return fail(ErrorCode::unsupported, "this version asks over plain text only", "security.protocol",
                "use a plain listener, or do without the coordinator's view");
}

} // namespace bellwether::kafka::wire
