// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/sasl_oauth.h"

namespace bellwether::kafka::wire {

/// The client credentials grant (RFC 6749, 4.4) at a token endpoint, as sasl.oauthbearer.method=oidc of
/// librdkafka does it.
struct OidcSettings {
    std::string clientId;
    std::string clientSecret;
    std::string endpoint; ///< http(s) URL
    std::string scope;    ///< may be empty
    std::string caFile;   ///< https.ca.location; empty: the system's
    std::map<std::string, std::string> extensions;
    Millis timeout{4'500}; ///< of one attempt; short enough to be told of within 5 s
};

/// Blocks until there is a token, an error, the timeout or `cancelled` (looked at every 100 ms). The token's
/// lifetime is that of its "exp" claim, else of expires_in. Failures: `unreachable` and `timeout`
/// (retriable), `refused` (the endpoint's own words), `protocol` (no token in the answer); where: the
/// endpoint. Any thread.
[[nodiscard]] Result<OauthToken> fetchOidcToken(const OidcSettings& settings,
                                                const std::shared_ptr<const std::atomic<bool>>& cancelled);

} // namespace bellwether::kafka::wire
