// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/time.h"

namespace bellwether::kafka {

/// Why a connection does not come about, as far as the client library's words tell.
enum class ConnectionTrouble {
    other,              ///< words that fit no other kind
    refused,            ///< TCP: nobody listens there
    unresolved,         ///< the host name has no address
    noAnswer,           ///< TCP: packets vanish
    tlsPortSpokenPlain, ///< a plain client on a TLS port
    plainPortSpokenTls, ///< a TLS client on a plain port
    saslMissing,        ///< the port wants a login and the client does not try
    certificate,        ///< the broker's certificate is not trusted
    hostName,           ///< the certificate is for another host
    outdated,           ///< the certificate has expired or is not valid yet
    clientCertificate,  ///< the broker wants a certificate of the client
    clientRefused,      ///< the broker does not accept the client's certificate
    login,              ///< SASL refused the credentials
    mechanism,          ///< the listener does not enable the SASL mechanism
    saslUnwanted,       ///< a client logs in where there is no SASL
    notKafka,           ///< the bytes that came back make no sense
    lostAtOnce,         ///< the broker hung up on the first request after ApiVersions; the diary makes it
                        ///< saslMissing when that happens again, else lost
    lost,               ///< an established connection ended
};

/// The text of a log line without the name of the thread that wrote it ("[thrd:main]: ").
[[nodiscard]] std::string_view withoutThreadName(std::string_view text) noexcept;

/// Reads the client library's words. `code` is its local error code (negative) or a broker's.
[[nodiscard]] ConnectionTrouble classifyConnectionText(int code, std::string_view text) noexcept;
/// What an operator should do, naming librdkafka's setting; empty for `other` and `lost`.
[[nodiscard]] std::string_view connectionHint(ConnectionTrouble trouble) noexcept;
/// One clause that says what is wrong; empty for `other`.
[[nodiscard]] std::string_view connectionClause(ConnectionTrouble trouble) noexcept;
/// True for troubles that waiting does not cure: another protocol, a certificate, a login.
[[nodiscard]] bool isMisconfiguration(ConnectionTrouble trouble) noexcept;

/// True where the broker was reached and does not let this client in: a login, a mechanism, a certificate.
[[nodiscard]] bool isRefusal(ConnectionTrouble trouble) noexcept;

/// What one client handle heard of its connections. Thread safe: librdkafka's threads write, callers read.
class ConnectionDiary {
public:
    struct Entry {
        ConnectionTrouble trouble = ConnectionTrouble::other;
        int code = 0;
        std::string text;
        SteadyTime at{};
    };

    /// An error event or a log line about a connection.
    void note(int code, std::string_view text, SteadyTime at);
    /// A broker answered a request: troubles before this moment are history.
    void noteReached();

    /// The trouble that says most since a broker last answered: what was found wrong with the broker's
    /// certificate, any other misconfiguration, anything else; then the newest. Nothing when there was none.
    [[nodiscard]] std::optional<Entry> telling() const;
    /// A broker has answered this handle at least once.
    [[nodiscard]] bool everReached() const;

private:
    mutable std::mutex mutex_;
    std::deque<Entry> entries_; ///< since the last answer, newest last, a few
    bool reached_ = false;
};

} // namespace bellwether::kafka
