// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <vector>

#include <asio/io_context.hpp>

#include "coordination/time.h"
#include "kafka/wire/sasl_exchange.h"

namespace bellwether::kafka::wire {

/// A bearer token as OAUTHBEARER carries it (RFC 7628, KIP-255), and until when it is of use.
struct OauthToken {
    std::string token;
    std::string principal;
    WallTime expires{};
    std::map<std::string, std::string> extensions; ///< SASL extensions (KIP-342)
};

/// sasl.oauthbearer.config of librdkafka: `principal=ann scope=a,b lifeSeconds=60 extension_team=blue`,
/// values may be quoted. Unknown names are `invalidArgument`.
struct UnsecuredTokenSettings {
    std::string principal;
    std::string principalClaimName = "sub";
    std::string scopeClaimName = "scope";
    std::vector<std::string> scope;
    std::int64_t lifeSeconds = 3600;
    std::map<std::string, std::string> extensions;
};

[[nodiscard]] Result<UnsecuredTokenSettings> parseUnsecuredToken(std::string_view text);
/// A JSON web token without a signature (RFC 7515, "alg": "none"): for brokers that are set up for tests.
[[nodiscard]] OauthToken makeUnsecuredToken(const UnsecuredTokenSettings& settings, WallTime now);

/// `key=value` pairs as SASL extensions: names are letters, "auth" is taken, values are printable.
[[nodiscard]] Result<void> checkExtension(std::string_view property, const std::string& name,
                                          const std::string& value);

/// The exchange with a token in hand.
[[nodiscard]] std::unique_ptr<SaslExchange> makeOauthExchange(const OauthToken& token);

/// Where tokens come from; one call, on the worker's thread, at a time.
using TokenSource =
    std::function<Result<OauthToken>(const std::shared_ptr<const std::atomic<bool>>& cancelled)>;

/// Tokens are kept until 80 % of their lifetime have passed, or a broker refuses one; many logins at a time
/// wait for one fetch. `blocks`: the source is called on a worker.
[[nodiscard]] std::shared_ptr<SaslCredentials> makeOauthCredentials(asio::io_context& io, TokenSource source,
                                                                    bool blocks, std::string who);

} // namespace bellwether::kafka::wire
