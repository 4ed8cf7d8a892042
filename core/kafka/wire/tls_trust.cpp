// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_trust.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <openssl/pem.h>

#include "coordination/display_text.h"
#include "kafka/wire/tls_source.h"

namespace bellwether::kafka::wire {
namespace {

namespace fs = std::filesystem;

void freeInfos(STACK_OF(X509_INFO) * stack) noexcept {
    sk_X509_INFO_pop_free(stack, X509_INFO_free);
}

using InfosPtr = std::unique_ptr<STACK_OF(X509_INFO), OpensslFree<freeInfos>>;

struct Added {
    int certificates = 0;
    int revocationLists = 0;
};

Result<Added> addPem(X509_STORE& store, const TlsSource& source, std::string_view pem) {
    const auto bytes = readingOf(pem);
    ERR_clear_error();
    const InfosPtr infos(PEM_X509_INFO_read_bio(bytes.get(), nullptr, nullptr, nullptr));
    const OpensslErrors errors;
    if (!infos) {
        return fail(source.wrong(fmt::format("has PEM data that cannot be read: {}", errors.text()),
                                 "check it: openssl storeutl -noout -text FILE"));
    }
    Added added;
    for (int i = 0; i < sk_X509_INFO_num(infos.get()); ++i) {
        const auto* info = sk_X509_INFO_value(infos.get(), i);
        if (info->x509 != nullptr && X509_STORE_add_cert(&store, info->x509) == 1) {
            ++added.certificates;
        }
        if (info->crl != nullptr && X509_STORE_add_crl(&store, info->crl) == 1) {
            ++added.revocationLists;
        }
    }
    return added;
}

Result<void> addCaText(X509_STORE& store, const TlsSource& source, std::string_view pem) {
    const auto added = addPem(store, source, pem);
    if (!added) {
        return fail(added.error());
    }
    if (added->certificates > 0) {
        return {};
    }
    switch (foreignFormatOf(pem)) {
    case ForeignFormat::javaKeystore:
        return fail(source.wrong(
            "names a Java keystore (JKS); PEM is needed",
            fmt::format("write its certificates out: keytool -exportcert -rfc -keystore {} -alias ALIAS",
                        source.quoted())));
    case ForeignFormat::der:
        return fail(source.wrong(
            "has no PEM certificate in that file",
            fmt::format("convert it: openssl x509 -inform DER -in {} -out ca.pem, or of a PKCS#12 store: "
                        "openssl pkcs12 -nokeys -in {} -out ca.pem",
                        source.quoted(), source.quoted())));
    case ForeignFormat::none: break;
    }
    return fail(source.wrong("has no PEM certificate", "it begins with -----BEGIN CERTIFICATE-----"));
}

// Certificates in a folder are found by the hash of their names: 8 hexadecimal digits, a dot, a number.
bool isHashName(const std::string& name) {
    const auto hexadecimal = [](unsigned char c) { return std::isxdigit(c) != 0; };
    return name.size() > 9 && std::all_of(name.begin(), name.begin() + 8, hexadecimal) && name[8] == '.' &&
           std::isdigit(static_cast<unsigned char>(name[9])) != 0;
}

Result<void> addFolder(X509_STORE& store, const TlsSource& source) {
    std::error_code unreadable;
    bool found = false;
    for (fs::directory_iterator each(source.path, unreadable), end; !unreadable && each != end;
         each.increment(unreadable)) {
        found = found || isHashName(each->path().filename().string());
    }
    if (unreadable) {
        return fail(source.wrong(fmt::format("names a folder that cannot be read: {}", unreadable.message()),
                                 "check its rights"));
    }
    if (!found) {
        return fail(
            source.wrong("names a folder without hashed certificates",
                         fmt::format("prepare it: openssl rehash {}, or name a PEM file", source.quoted())));
    }
    if (X509_STORE_load_path(&store, source.path.c_str()) != 1) {
        const OpensslErrors errors;
        return fail(source.wrong(fmt::format("names a folder that cannot be used: {}", errors.text()),
                                 "name a PEM file"));
    }
    return {};
}

Result<std::string> addLocation(X509_STORE& store, const std::string& location) {
    const TlsSource source{"ssl.ca.location", location};
    std::error_code ignored;
    if (fs::is_directory(location, ignored)) {
        const auto added = addFolder(store, source);
        if (!added) {
            return fail(added.error());
        }
    } else {
        const auto pem = readTlsFile(source);
        if (!pem) {
            return fail(pem.error());
        }
        const auto added = addCaText(store, source, *pem);
        if (!added) {
            return fail(added.error());
        }
    }
    return fmt::format("ssl.ca.location {}", displayText(location));
}

/// The first of the usual places that can be used; empty: none.
std::string probe(X509_STORE& store) {
    for (const auto* place :
         {"/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/certs/ca-bundle.crt",
          "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem",
          "/etc/pki/tls/cacert.pem", "/etc/ssl/cert.pem", "/etc/ssl/certs/ca-certificates.crt",
          "/etc/ssl/certs", "/usr/local/share/certs/ca-root-nss.crt"}) {
        if (addLocation(store, place)) {
            return fmt::format("the system's store {}", place);
        }
    }
    return {};
}

Result<void> addRevocationLists(X509_STORE& store, const std::string& location) {
    const TlsSource source{"ssl.crl.location", location};
    const auto pem = readTlsFile(source);
    if (!pem) {
        return fail(pem.error());
    }
    const auto added = addPem(store, source, *pem);
    if (!added) {
        return fail(added.error());
    }
    if (added->revocationLists == 0) {
        return fail(
            source.wrong("has no PEM revocation list in that file",
                         "one begins with -----BEGIN X509 CRL-----; from DER: openssl crl -inform DER"));
    }
    X509_STORE_set_flags(&store, X509_V_FLAG_CRL_CHECK);
    return {};
}

} // namespace

Result<std::string> loadTlsTrust(SSL_CTX& context, const TlsSettings& settings) {
    auto& store = *SSL_CTX_get_cert_store(&context);
    std::string origin;
    if (settings.caLocation == "probe") {
        origin = settings.caPem.empty() ? probe(store) : std::string();
    } else if (!settings.caLocation.empty()) {
        auto added = addLocation(store, settings.caLocation);
        if (!added) {
            return added;
        }
        origin = std::move(*added);
    }
    if (!settings.caPem.empty()) {
        const auto added = addCaText(store, {"ssl.ca.pem", {}}, settings.caPem);
        if (!added) {
            return fail(added.error());
        }
        origin += origin.empty() ? "ssl.ca.pem" : " and ssl.ca.pem";
    }
    if (origin.empty()) {
        // Nothing there is no error: the handshake will say that nobody is trusted.
        (void)SSL_CTX_set_default_verify_paths(&context);
        origin = "the system's store";
    }
    if (!settings.crlLocation.empty()) {
        const auto added = addRevocationLists(store, settings.crlLocation);
        if (!added) {
            return fail(added.error());
        }
    }
    ERR_clear_error();
    return origin;
}

} // namespace bellwether::kafka::wire
