// SPDX-License-Identifier: Apache-2.0
// Why a broker's certificate does not pass, and what to do.
#include <fmt/format.h>
#include <openssl/x509_vfy.h>

#include "kafka/wire/tls_failure.h"

namespace bellwether::kafka::wire {
namespace {

std::string whose(const TlsAttempt::Distrust& distrust) {
    return distrust.isLeaf ? fmt::format("the broker's certificate {}", distrust.of.subject)
                           : fmt::format("the CA certificate {}", distrust.of.subject);
}

void unknownCa(Error& error, const TlsAttempt::Distrust& distrust, const TlsContext& context) {
    const auto& top = distrust.top;
    error.what = fmt::format("the broker's certificate comes from an unknown CA: the top-most certificate is "
                             "{}, issued by {}, which is not in {}",
                             top.subject, top.issuer, context.trust);
    error.hint = fmt::format("set ssl.ca.location to a PEM file with the certificate of {}", top.issuer);
}

void wrongName(Error& error, const TlsAttempt& attempt, const TlsAttempt::Distrust& distrust) {
    error.what = fmt::format("the broker's certificate is for another host: {} was asked for, it names {}",
                             attempt.name, distrust.of.names.empty() ? "none" : distrust.of.names);
    error.hint = "reach the broker under a name of its certificate (bootstrap, advertised.listeners), or set "
                 "ssl.endpoint.identification.algorithm=none";
}

} // namespace

Error distrustError(const TlsAttempt& attempt, const TlsContext& context) {
    const auto distrust = attempt.distrust.value_or(TlsAttempt::Distrust{});
    Error error;
    error.code = ErrorCode::unreachable;
    switch (distrust.reason) {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: unknownCa(error, distrust, context); return error;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
        error.what = fmt::format("the broker shows a self-signed certificate, {}, which is not in {}",
                                 distrust.of.subject, context.trust);
        error.hint = "if it is the right one, set ssl.ca.location to a PEM file with it";
        return error;
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
        error.what = fmt::format("{} is not signed by the CA {} of {}", whose(distrust), distrust.of.issuer,
                                 context.trust);
        error.hint = "a CA of that name with another key signed it: get the present CA certificate";
        return error;
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH: wrongName(error, attempt, distrust); return error;
    case X509_V_ERR_CERT_HAS_EXPIRED:
        error.what = fmt::format("{} expired on {}", whose(distrust), distrust.of.notAfter);
        error.hint = distrust.isLeaf ? "renew the broker's certificate; is the clock here right?"
                                     : "get the present CA certificate; is the clock here right?";
        return error;
    case X509_V_ERR_CERT_NOT_YET_VALID:
        error.what = fmt::format("{} is not valid before {}", whose(distrust), distrust.of.notBefore);
        error.hint = "is the clock here right?";
        return error;
    case X509_V_ERR_CERT_REVOKED:
        error.what = fmt::format("{} was revoked by {}, says {}", whose(distrust), distrust.of.issuer,
                                 context.revocation);
        error.hint = "the broker needs a new certificate";
        return error;
    case X509_V_ERR_UNABLE_TO_GET_CRL:
        error.what = fmt::format("{} has no revocation list of {}", context.revocation, distrust.of.issuer);
        error.hint = "add the CA's list to the file of ssl.crl.location, or leave that property out";
        return error;
    case X509_V_ERR_CRL_HAS_EXPIRED:
    case X509_V_ERR_CRL_NOT_YET_VALID:
    case X509_V_ERR_CRL_SIGNATURE_FAILURE:
        error.what = fmt::format("the revocation list of {} in {} cannot be used: {}", distrust.of.issuer,
                                 context.revocation, X509_verify_cert_error_string(distrust.reason));
        error.hint = "get the CA's present list; is the clock here right?";
        return error;
    case X509_V_ERR_INVALID_PURPOSE:
        error.what = fmt::format("{} is not meant for a server", whose(distrust));
        error.hint = "the broker needs a certificate with the extended key usage serverAuth";
        return error;
    default: break;
    }
    error.what = fmt::format("{} is not accepted: {}", whose(distrust),
                             X509_verify_cert_error_string(distrust.reason));
    error.hint = "the broker needs another certificate";
    return error;
}

} // namespace bellwether::kafka::wire
