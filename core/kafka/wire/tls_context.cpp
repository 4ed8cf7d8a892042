// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_context.h"

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "kafka/wire/tls_identity.h"
#include "kafka/wire/tls_trust.h"

namespace bellwether::kafka::wire {
namespace {

Result<void> setLists(SSL_CTX& context, const TlsSettings& settings) {
    const auto refuse = [](std::string_view property, const std::string& value,
                           std::string hint) -> Result<void> {
        ERR_clear_error(); // its words say less
        return fail(ErrorCode::invalidArgument,
                    fmt::format("property \"{}\" names nothing that this OpenSSL can use: {}", property,
                                displayText(value)),
                    {}, std::move(hint));
    };
    if (!settings.cipherSuites.empty() &&
        SSL_CTX_set_cipher_list(&context, settings.cipherSuites.c_str()) != 1) {
        return refuse(
            "ssl.cipher.suites", settings.cipherSuites,
            "OpenSSL's names of TLS 1.2 suites are meant, see openssl ciphers -v; those of TLS 1.3 are "
            "always on");
    }
    if (!settings.curves.empty() && SSL_CTX_set1_groups_list(&context, settings.curves.c_str()) != 1) {
        return refuse("ssl.curves.list", settings.curves, "write for example X25519:P-256");
    }
    if (!settings.signatureAlgorithms.empty() &&
        SSL_CTX_set1_sigalgs_list(&context, settings.signatureAlgorithms.c_str()) != 1) {
        return refuse("ssl.sigalgs.list", settings.signatureAlgorithms,
                      "write for example RSA+SHA256:ECDSA+SHA256");
    }
    return {};
}

Result<void> setIdentity(SSL_CTX& context, const TlsIdentity& identity) {
    bool taken = SSL_CTX_use_certificate(&context, identity.certificate.get()) == 1 &&
                 SSL_CTX_use_PrivateKey(&context, identity.key.get()) == 1;
    for (const auto& each : identity.chain) {
        taken = taken && SSL_CTX_add1_chain_cert(&context, each.get()) == 1;
    }
    if (!taken) {
        const OpensslErrors errors;
        return fail(ErrorCode::invalidArgument,
                    fmt::format("OpenSSL refuses the client certificate {}: {}",
                                describe(*identity.certificate).subject, errors.text()),
                    {}, "make a new certificate; keys of RSA need 2048 bits, hashes SHA-256");
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const TlsContext>> makeTlsContext(const TlsSettings& settings) {
    auto made = std::make_shared<TlsContext>();
    made->context.reset(SSL_CTX_new(TLS_client_method()));
    if (!made->context || SSL_CTX_set_min_proto_version(made->context.get(), TLS1_2_VERSION) != 1) {
        const OpensslErrors errors;
        return fail(ErrorCode::internal, fmt::format("OpenSSL cannot be set up: {}", errors.text()), {},
                    "check OpenSSL's installation and openssl.cnf");
    }
    auto& context = *made->context;
    SSL_CTX_set_options(&context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_session_cache_mode(&context, SSL_SESS_CACHE_OFF);
    watchAttempts(context, settings.verify);
    if (const auto set = setLists(context, settings); !set) {
        return fail(set.error());
    }
    auto trust = loadTlsTrust(context, settings);
    if (!trust) {
        return fail(std::move(trust).error());
    }
    const auto identity = loadTlsIdentity(settings);
    if (!identity) {
        return fail(identity.error());
    }
    if (*identity) {
        if (const auto set = setIdentity(context, **identity); !set) {
            return fail(set.error());
        }
        made->own = describe(*(*identity)->certificate);
    }
    made->checkName = settings.verify && settings.checkName;
    made->trust = std::move(*trust);
    made->revocation = displayText(settings.crlLocation);
    ERR_clear_error();
    return made;
}

} // namespace bellwether::kafka::wire
