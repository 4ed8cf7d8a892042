// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_failure.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>

namespace bellwether::kafka::wire {
namespace {

constexpr const char* kNoTlsHint =
    "set security.protocol=PLAINTEXT or SASL_PLAINTEXT, or name the broker's TLS port";
constexpr int kClosesOfAPlainPort = 3;

Error failure(ErrorCode code, std::string what, std::string hint, bool retriable = false) {
    Error error;
    error.code = code;
    error.what = std::move(what);
    error.hint = std::move(hint);
    error.retriable = retriable;
    return error;
}

Error wantsCertificate(const TlsAttempt& attempt, const TlsContext& context) {
    const auto accepted = attempt.acceptedIssuers.empty()
                              ? ""
                              : fmt::format("; it accepts those of {}", attempt.acceptedIssuers);
    if (!context.own) {
        return failure(ErrorCode::refused,
                       fmt::format("the broker wants a client certificate, and none is set{}", accepted),
                       "set ssl.certificate.location and ssl.key.location, or ssl.keystore.location");
    }
    return failure(
        ErrorCode::refused,
        fmt::format("the broker wants a client certificate of another CA: ours, {}, was issued by {}{}",
                    context.own->subject, context.own->issuer, accepted),
        "get a certificate from a CA that the broker trusts");
}

Error rejected(std::string_view why, const TlsContext& context, std::string hint) {
    return failure(ErrorCode::refused,
                   fmt::format("the broker rejects the client certificate {}: {}",
                               context.own ? context.own->subject : "(none)", why),
                   std::move(hint));
}

bool isOutOfDate(const TlsContext& context) {
    const auto* own = SSL_CTX_get0_certificate(context.context.get());
    return own != nullptr && (X509_cmp_current_time(X509_get0_notAfter(own)) < 0 ||
                              X509_cmp_current_time(X509_get0_notBefore(own)) > 0);
}

// Alerts that can be about the client's certificate.
std::optional<Error> certificateAlert(int alert, const TlsAttempt& attempt, const TlsContext& context) {
    const bool sent = attempt.certificateWanted && context.own && !attempt.withheld;
    switch (alert) {
    case SSL_AD_BAD_CERTIFICATE:
    case SSL_AD_UNSUPPORTED_CERTIFICATE:
    case SSL_AD_CERTIFICATE_REVOKED:
    case SSL_AD_CERTIFICATE_EXPIRED:
    case SSL_AD_CERTIFICATE_UNKNOWN:
    case SSL_AD_UNKNOWN_CA:
    case SSL_AD_ACCESS_DENIED:
    case TLS13_AD_CERTIFICATE_REQUIRED: break;
    case SSL_AD_HANDSHAKE_FAILURE: // without a certificate that it wanted, a broker of TLS 1.2 says this
        return attempt.certificateWanted && !sent ? std::optional(wantsCertificate(attempt, context))
                                                  : std::nullopt;
    default: return std::nullopt;
    }
    if (!attempt.certificateWanted && alert != TLS13_AD_CERTIFICATE_REQUIRED) {
        return std::nullopt;
    }
    if (!sent) {
        return wantsCertificate(attempt, context);
    }
    const bool saysNothing = alert == SSL_AD_BAD_CERTIFICATE || alert == SSL_AD_CERTIFICATE_UNKNOWN;
    if (saysNothing && isOutOfDate(context)) { // which brokers in Java do not tell
        alert = SSL_AD_CERTIFICATE_EXPIRED;
    }
    switch (alert) {
    case SSL_AD_CERTIFICATE_REVOKED: return rejected("it was revoked", context, "get a new certificate");
    case SSL_AD_CERTIFICATE_EXPIRED:
        return rejected(fmt::format("it is out of date (valid from {} to {})", context.own->notBefore,
                                    context.own->notAfter),
                        context, "renew the certificate; is the broker's clock right?");
    case SSL_AD_UNKNOWN_CA:
        return rejected(
            fmt::format("it does not know the CA {}", context.own->issuer), context,
            "that CA has to be in the broker's ssl.truststore.location, and the chain up to it in "
            "ssl.certificate.location");
    case SSL_AD_UNSUPPORTED_CERTIFICATE:
        return rejected("it is of a kind that it does not accept", context,
                        "it needs the extended key usage clientAuth and an algorithm that the broker knows");
    case SSL_AD_ACCESS_DENIED: return rejected("access denied", context, "see the broker's log");
    default: break;
    }
    return rejected("it does not accept it and says no more", context,
                    fmt::format("see the broker's log; it was issued by {}, valid until {}",
                                context.own->issuer, context.own->notAfter));
}

Error otherAlert(int alert, const TlsAttempt& attempt) {
    const auto text = fmt::format("alert {}", SSL_alert_desc_string_long(alert));
    switch (alert) {
    case SSL_AD_PROTOCOL_VERSION:
        return failure(ErrorCode::unsupported, "the broker and this client have no TLS version in common",
                       "TLS 1.2 or later is needed: see the broker's ssl.enabled.protocols");
    case SSL_AD_HANDSHAKE_FAILURE:
    case SSL_AD_INSUFFICIENT_SECURITY:
        return failure(ErrorCode::unsupported,
                       fmt::format("the broker and this client have no cipher suite, curve or signature in "
                                   "common ({})",
                                   text),
                       "compare ssl.cipher.suites, ssl.curves.list and ssl.sigalgs.list with the broker's "
                       "settings");
    case SSL_AD_UNRECOGNIZED_NAME:
        return failure(ErrorCode::unreachable,
                       fmt::format("the broker has no certificate for the name {} ({})", attempt.name, text),
                       "reach the broker under a name that it knows");
    default: break;
    }
    return failure(ErrorCode::unreachable, fmt::format("the broker ended the TLS session: {}", text),
                   "see the broker's log");
}

bool isNoTls(int reason) {
    switch (reason) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_WRONG_SSL_VERSION:
    case SSL_R_UNSUPPORTED_SSL_VERSION:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_RECORD_LENGTH_MISMATCH:
    case SSL_R_BAD_RECORD_TYPE:
    case SSL_R_HTTP_REQUEST: return true;
#ifdef SSL_R_RECORD_LAYER_FAILURE // since OpenSSL 3.2
    case SSL_R_RECORD_LAYER_FAILURE: return true;
#endif
    default: return false;
    }
}

} // namespace

Error tlsError(unsigned long opensslCode, const TlsAttempt& attempt, const TlsContext& context) {
    if (attempt.distrust) {
        return distrustError(attempt, context);
    }
    const int reason = ERR_GET_REASON(opensslCode);
    if (reason > SSL_AD_REASON_OFFSET && reason <= SSL_AD_REASON_OFFSET + 255) {
        const int alert = reason - SSL_AD_REASON_OFFSET;
        auto error = certificateAlert(alert, attempt, context);
        return error ? std::move(*error) : otherAlert(alert, attempt);
    }
    const auto* words = ERR_reason_error_string(opensslCode);
    const std::string text = words == nullptr ? fmt::format("OpenSSL error {:x}", opensslCode) : words;
    if (isNoTls(reason) && !attempt.established) {
        return failure(ErrorCode::protocol, "the port does not speak TLS", kNoTlsHint);
    }
    if (isNoTls(reason) || reason == SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC) {
        return failure(ErrorCode::unreachable, "the bytes of the TLS session came damaged",
                       "something between here and the broker changes them", true);
    }
    switch (reason) {
    case SSL_R_UNSUPPORTED_PROTOCOL:
    case SSL_R_VERSION_TOO_LOW:
        return failure(ErrorCode::unsupported, "the broker speaks only a TLS version that is older than 1.2",
                       "TLS 1.2 or later is needed: see the broker's ssl.enabled.protocols");
    case SSL_R_NO_CIPHERS_AVAILABLE:
    case SSL_R_NO_SUITABLE_GROUPS:
    case SSL_R_NO_SUITABLE_KEY_SHARE:
    case SSL_R_NO_SUITABLE_SIGNATURE_ALGORITHM:
        return failure(ErrorCode::unsupported, fmt::format("no TLS session can be agreed on: {}", text),
                       "check ssl.cipher.suites, ssl.curves.list and ssl.sigalgs.list");
    default: break;
    }
    return failure(ErrorCode::unreachable, fmt::format("the TLS session failed: {}", text),
                   "see the broker's log, and compare the TLS versions and ciphers");
}

Error closedAtFirst(int times) {
    static constexpr const char* kWhat = "the peer closed the connection at the first bytes of TLS";
    if (times == 0) {
        return failure(ErrorCode::unreachable, kWhat,
                       "it spoke TLS before: the broker goes down or is overloaded", true);
    }
    if (times < kClosesOfAPlainPort) {
        // A broker that goes down does so, too.
        return failure(ErrorCode::unreachable, kWhat,
                       fmt::format("if it does so again, the port does not speak TLS: {}", kNoTlsHint), true);
    }
    return failure(
        ErrorCode::unreachable,
        fmt::format("the port does not speak TLS: {} times in a row it closed at the first bytes", times),
        kNoTlsHint);
}

Error closedInHandshake(const TlsAttempt& attempt) {
    return failure(
        ErrorCode::unreachable, "the peer closed the connection in the middle of the TLS handshake",
        attempt.certificateWanted ? "it asked for a client certificate before; see the broker's log"
                                  : "see the broker's log",
        true);
}

} // namespace bellwether::kafka::wire
