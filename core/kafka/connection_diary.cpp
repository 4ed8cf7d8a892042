// SPDX-License-Identifier: Apache-2.0
#include "kafka/connection_diary.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace bellwether::kafka {
namespace {

constexpr std::size_t kKept = 16;

// librdkafka's local codes that name the kind by themselves (rdkafka.h, RD_KAFKA_RESP_ERR__...).
constexpr int kCodeResolve = -193;
constexpr int kCodeAuthentication = -169;
constexpr int kCodeSslError = -181;
constexpr int kCodeBadMessage = -199;

/// How the client library begins what OpenSSL finds wrong with a broker's certificate.
constexpr std::string_view kExplained = "verification callback failed";
/// A broker that wants a login hangs up within milliseconds; the waits for idle connections are minutes.
constexpr unsigned kAtOnceMillis = 2'000;

struct Phrase {
    std::string_view words;
    ConnectionTrouble trouble;
};

// Ordered: the first phrase found decides. The words are librdkafka 2.14's, OpenSSL 3's and the C library's.
constexpr std::array kPhrases{
    Phrase{"connecting to a SSL listener", ConnectionTrouble::tlsPortSpokenPlain},
    Phrase{"connecting to a PLAINTEXT broker listener", ConnectionTrouble::plainPortSpokenTls},
    Phrase{"wrong version number", ConnectionTrouble::plainPortSpokenTls},
    Phrase{"packet length too long", ConnectionTrouble::plainPortSpokenTls},
    Phrase{"record layer failure", ConnectionTrouble::plainPortSpokenTls},
    Phrase{"might require SASL", ConnectionTrouble::saslMissing},
    Phrase{"broker might require SASL authentication", ConnectionTrouble::saslMissing},
    Phrase{"verify that security.protocol is correctly configured", ConnectionTrouble::saslMissing},
    Phrase{"hostname mismatch", ConnectionTrouble::hostName},
    Phrase{"IP address mismatch", ConnectionTrouble::hostName},
    Phrase{"certificate has expired", ConnectionTrouble::outdated},
    Phrase{"certificate is not yet valid", ConnectionTrouble::outdated},
    Phrase{kExplained, ConnectionTrouble::certificate},
    Phrase{"certificate could not be verified", ConnectionTrouble::certificate},
    Phrase{"certificate verify failed", ConnectionTrouble::certificate},
    Phrase{"certificate required", ConnectionTrouble::clientCertificate},
    Phrase{"client SSL authentication might be required", ConnectionTrouble::clientCertificate},
    Phrase{"bad certificate", ConnectionTrouble::clientCertificate},
    Phrase{"alert certificate unknown", ConnectionTrouble::clientRefused},
    Phrase{"alert certificate expired", ConnectionTrouble::clientRefused},
    Phrase{"alert certificate revoked", ConnectionTrouble::clientRefused},
    Phrase{"alert unsupported certificate", ConnectionTrouble::clientRefused},
    Phrase{"alert unknown ca", ConnectionTrouble::clientRefused},
    Phrase{"Unsupported SASL mechanism", ConnectionTrouble::mechanism},
    Phrase{"not valid in current SASL state", ConnectionTrouble::saslUnwanted},
    Phrase{"SASL", ConnectionTrouble::login},
    Phrase{"Authentication fail", ConnectionTrouble::login},
    Phrase{"Connection refused", ConnectionTrouble::refused},
    Phrase{"Failed to resolve", ConnectionTrouble::unresolved},
    Phrase{"Name or service not known", ConnectionTrouble::unresolved},
    Phrase{"No route to host", ConnectionTrouble::noAnswer},
    Phrase{"Network is unreachable", ConnectionTrouble::noAnswer},
    Phrase{"Connection setup timed out", ConnectionTrouble::noAnswer},
    Phrase{"Connection timed out", ConnectionTrouble::noAnswer},
    Phrase{"Invalid response size", ConnectionTrouble::notKafka},
    Phrase{"Protocol parse failure", ConnectionTrouble::notKafka},
    Phrase{"Disconnected", ConnectionTrouble::lost},
    Phrase{"Connection reset", ConnectionTrouble::lost},
    Phrase{"Broken pipe", ConnectionTrouble::lost},
};

/// "... (after 2ms in state UP)": the peer hung up on a connection that had just come about.
bool endedAtOnce(std::string_view text) {
    constexpr std::string_view kAfter = "(after ";
    const auto begin = text.rfind(kAfter);
    if (begin == std::string_view::npos || text.find("Disconnected") == std::string_view::npos) {
        return false;
    }
    const auto rest = text.substr(begin + kAfter.size());
    unsigned millis = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), millis);
    constexpr std::string_view kUp = "ms in state UP";
    return failure == std::errc{} && millis < kAtOnceMillis &&
           rest.substr(static_cast<std::size_t>(end - rest.data()), kUp.size()) == kUp;
}

} // namespace

std::string_view withoutThreadName(std::string_view text) noexcept {
    constexpr std::string_view kBegin = "[thrd:";
    constexpr std::string_view kEnd = "]: ";
    if (text.substr(0, kBegin.size()) != kBegin) {
        return text;
    }
    const auto end = text.find(kEnd);
    return end == std::string_view::npos ? text : text.substr(end + kEnd.size());
}

ConnectionTrouble classifyConnectionText(int code, std::string_view text) noexcept {
    const auto says = [&](std::string_view words) { return text.find(words) != std::string_view::npos; };
    if (says("in state APIVERSION_QUERY") && (says("Disconnected") || says("Connection reset"))) {
        // A TLS port hangs up on the first request of a plain client; whom a TLS client talks to has passed
        // the handshake, so it is another server.
        return says("ssl://") ? ConnectionTrouble::notKafka : ConnectionTrouble::tlsPortSpokenPlain;
    }
    if (says("in state SSL_HANDSHAKE") && says("Disconnected")) {
        return ConnectionTrouble::plainPortSpokenTls;
    }
    if (endedAtOnce(text) && text.substr(0, 4) != "sasl") {
        return ConnectionTrouble::lostAtOnce;
    }
    for (const auto& phrase : kPhrases) {
        if (text.find(phrase.words) != std::string_view::npos) {
            return phrase.trouble;
        }
    }
    switch (code) {
    case kCodeResolve: return ConnectionTrouble::unresolved;
    case kCodeAuthentication: return ConnectionTrouble::login;
    case kCodeSslError: return ConnectionTrouble::plainPortSpokenTls;
    case kCodeBadMessage: return ConnectionTrouble::notKafka;
    default: return ConnectionTrouble::other;
    }
}

std::string_view connectionClause(ConnectionTrouble trouble) noexcept {
    switch (trouble) {
    case ConnectionTrouble::refused: return "nobody listens on that port";
    case ConnectionTrouble::unresolved: return "the host name has no address";
    case ConnectionTrouble::noAnswer: return "the host does not answer";
    case ConnectionTrouble::tlsPortSpokenPlain:
        return "the port hangs up on a plain client, as a TLS port does";
    case ConnectionTrouble::plainPortSpokenTls: return "the port does not speak TLS";
    case ConnectionTrouble::saslMissing: return "the port hangs up on a client that does not log in";
    case ConnectionTrouble::certificate: return "the broker's certificate is not trusted";
    case ConnectionTrouble::hostName: return "the broker's certificate is for another host";
    case ConnectionTrouble::outdated: return "the broker's certificate is out of date";
    case ConnectionTrouble::clientCertificate:
        return "the broker wants a client certificate of a CA that it trusts";
    case ConnectionTrouble::clientRefused: return "the broker rejects the client certificate";
    case ConnectionTrouble::login: return "the login failed";
    case ConnectionTrouble::mechanism: return "the broker's listener does not enable the SASL mechanism";
    case ConnectionTrouble::saslUnwanted: return "the broker's listener knows no SASL";
    case ConnectionTrouble::notKafka: return "what answers there is not Kafka";
    case ConnectionTrouble::lostAtOnce:
    case ConnectionTrouble::lost: return "the connection was lost";
    case ConnectionTrouble::other: break;
    }
    return {};
}

std::string_view connectionHint(ConnectionTrouble trouble) noexcept {
    switch (trouble) {
    case ConnectionTrouble::refused: return "start the broker, or correct host and port in bootstrap.servers";
    case ConnectionTrouble::unresolved:
        return "correct the host name in bootstrap.servers, or the broker's advertised.listeners";
    case ConnectionTrouble::noAnswer:
        return "check the address in bootstrap.servers, the broker's advertised.listeners and the firewall";
    case ConnectionTrouble::tlsPortSpokenPlain:
        return "set security.protocol=ssl (or sasl_ssl), or use the port of a listener without TLS";
    case ConnectionTrouble::plainPortSpokenTls:
        return "set security.protocol=plaintext (or sasl_plaintext), or use the broker's TLS port";
    case ConnectionTrouble::saslMissing:
        return "set security.protocol=sasl_plaintext or sasl_ssl, with sasl.mechanism, sasl.username and "
               "sasl.password";
    case ConnectionTrouble::certificate:
        return "set ssl.ca.location to the file of the CA that signed the broker's certificate";
    case ConnectionTrouble::hostName:
        return "use a host name that the certificate names in bootstrap.servers and advertised.listeners, or "
               "set ssl.endpoint.identification.algorithm=none";
    case ConnectionTrouble::outdated: return "renew the broker's certificate; is the clock here right?";
    case ConnectionTrouble::clientCertificate:
        return "set ssl.certificate.location and ssl.key.location to a certificate of a CA in the broker's "
               "ssl.truststore.location";
    case ConnectionTrouble::clientRefused:
        return "see that the certificate of ssl.certificate.location is in date and of a CA that the broker "
               "trusts; the broker's log says more";
    case ConnectionTrouble::login: return "check sasl.username and sasl.password";
    case ConnectionTrouble::mechanism: return "set sasl.mechanism to one that the listener enables";
    case ConnectionTrouble::saslUnwanted:
        return "name the port of a SASL listener, or set security.protocol=plaintext (ssl over TLS)";
    case ConnectionTrouble::notKafka: return "use a port of a Kafka broker in bootstrap.servers";
    case ConnectionTrouble::lostAtOnce:
    case ConnectionTrouble::lost: return "check that the broker is up; it is tried again";
    case ConnectionTrouble::other: break;
    }
    return {};
}

bool isMisconfiguration(ConnectionTrouble trouble) noexcept {
    switch (trouble) {
    case ConnectionTrouble::tlsPortSpokenPlain:
    case ConnectionTrouble::plainPortSpokenTls:
    case ConnectionTrouble::saslMissing:
    case ConnectionTrouble::certificate:
    case ConnectionTrouble::hostName:
    case ConnectionTrouble::outdated:
    case ConnectionTrouble::clientCertificate:
    case ConnectionTrouble::clientRefused:
    case ConnectionTrouble::login:
    case ConnectionTrouble::mechanism:
    case ConnectionTrouble::saslUnwanted:
    case ConnectionTrouble::notKafka: return true;
    default: return false;
    }
}

bool isRefusal(ConnectionTrouble trouble) noexcept {
    return trouble == ConnectionTrouble::login || trouble == ConnectionTrouble::mechanism ||
           trouble == ConnectionTrouble::saslUnwanted || trouble == ConnectionTrouble::saslMissing ||
           trouble == ConnectionTrouble::clientCertificate || trouble == ConnectionTrouble::clientRefused;
}

void ConnectionDiary::note(int code, std::string_view text, SteadyTime at) {
    const std::scoped_lock lock(mutex_);
    text = withoutThreadName(text);
    auto trouble = classifyConnectionText(code, text);
    if (reached_ && isMisconfiguration(trouble)) {
        trouble =
            ConnectionTrouble::lost; // the same settings have worked: a broker is going away or coming up
    }
    if (trouble == ConnectionTrouble::lostAtOnce && !reached_) {
        const auto broker = text.substr(0, text.find(": "));
        const bool again = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& entry) {
            return entry.trouble == ConnectionTrouble::lostAtOnce && entry.text.rfind(broker, 0) == 0;
        });
        trouble = again ? ConnectionTrouble::saslMissing : trouble;
    } else if (trouble == ConnectionTrouble::lostAtOnce) {
        trouble = ConnectionTrouble::lost;
    }
    entries_.push_back({trouble, code, std::string(text), at});
    if (entries_.size() > kKept) {
        entries_.pop_front();
    }
}

void ConnectionDiary::noteReached() {
    const std::scoped_lock lock(mutex_);
    reached_ = true;
    entries_.clear();
}

std::optional<ConnectionDiary::Entry> ConnectionDiary::telling() const {
    const std::scoped_lock lock(mutex_);
    const auto rank = [](const Entry& entry) {
        if (entry.trouble == ConnectionTrouble::hostName || entry.trouble == ConnectionTrouble::outdated ||
            entry.text.find(kExplained) != std::string::npos) {
            return 4;
        }
        if (isMisconfiguration(entry.trouble)) {
            return 3;
        }
        if (entry.trouble == ConnectionTrouble::other) {
            return 0;
        }
        return entry.trouble == ConnectionTrouble::lost || entry.trouble == ConnectionTrouble::lostAtOnce ? 1
                                                                                                          : 2;
    };
    const auto best = std::max_element(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) {
        return rank(a) != rank(b) ? rank(a) < rank(b) : a.at < b.at;
    });
    return best == entries_.end() ? std::nullopt : std::optional(*best);
}

bool ConnectionDiary::everReached() const {
    const std::scoped_lock lock(mutex_);
    return reached_;
}

} // namespace bellwether::kafka
