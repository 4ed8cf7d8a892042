// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_streams.h"

#include "kafka/wire/tls_context.h"
#include "kafka/wire/tls_settings.h"
#include "kafka/wire/tls_stream.h"

namespace bellwether::kafka::wire {

Result<StreamFactory> makeTlsStreams(const std::map<std::string, std::string>& properties) {
    const auto settings = parseTlsSettings(properties);
    if (!settings) {
        return fail(settings.error());
    }
    auto context = makeTlsContext(*settings);
    if (!context) {
        return fail(std::move(context).error());
    }
    return [context = std::move(*context), silences = std::make_shared<TlsSilences>()](asio::io_context& io,
                                                                                       const HostPort& peer) {
        return makeTlsStream(io, peer, context, silences);
    };
}

} // namespace bellwether::kafka::wire
