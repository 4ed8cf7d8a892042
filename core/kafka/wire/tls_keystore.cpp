// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_keystore.h"

#include <optional>

#include <fmt/format.h>

#include "kafka/wire/tls_source.h"

namespace bellwether::kafka::wire {
namespace {

bool parse(std::string_view bytes, const std::string& password, TlsIdentity& into) {
    const auto reading = readingOf(bytes);
    const Pkcs12Ptr store(d2i_PKCS12_bio(reading.get(), nullptr));
    EVP_PKEY* key = nullptr;
    X509* certificate = nullptr;
    STACK_OF(X509)* others = nullptr;
    if (!store || PKCS12_parse(store.get(), password.c_str(), &key, &certificate, &others) != 1) {
        return false;
    }
    into.key.reset(key);
    into.certificate.reset(certificate);
    into.chain.clear();
    const CertificatesPtr stack(others);
    while (others != nullptr && sk_X509_num(others) > 0) {
        into.chain.emplace_back(sk_X509_shift(others));
    }
    return true;
}

/// With the old algorithms; what comes out does not depend on them. Nothing: they are not installed.
std::optional<bool> parseOld(std::string_view bytes, const std::string& password, TlsIdentity& into) {
    std::vector<Encoding> certificates;
    std::optional<Encoding> key;
    {
        const auto old = OldAlgorithms::load();
        if (!old) {
            return std::nullopt;
        }
        TlsIdentity read;
        if (!parse(bytes, password, read)) {
            return false;
        }
        if (!read.key || !read.certificate) {
            return true;
        }
        key.emplace(*read.key);
        certificates.emplace_back(*read.certificate);
        for (const auto& each : read.chain) {
            certificates.emplace_back(*each);
        }
    }
    into.key = key->key();
    into.certificate = certificates.front().certificate();
    for (auto each = certificates.begin() + 1; each != certificates.end(); ++each) {
        into.chain.push_back(each->certificate());
    }
    return true;
}

Error notPkcs12(const TlsSource& source, std::string_view bytes, const OpensslErrors& errors) {
    if (foreignFormatOf(bytes) == ForeignFormat::javaKeystore) {
        return source.wrong(
            "names a Java keystore (JKS); PKCS#12 is needed",
            fmt::format("convert it: keytool -importkeystore -srckeystore {} -destkeystore client.p12 "
                        "-deststoretype PKCS12",
                        source.quoted()));
    }
    if (bytes.find("-----BEGIN ") != std::string_view::npos) {
        return source.wrong("names a PEM file; PKCS#12 is needed",
                            "for PEM set ssl.certificate.location and ssl.key.location instead");
    }
    return source.wrong(fmt::format("names a file that is no PKCS#12: {}", errors.text()),
                        fmt::format("check it: openssl pkcs12 -info -noout -in {}", source.quoted()));
}

} // namespace

Result<TlsIdentity> loadTlsKeystore(const TlsSettings& settings) {
    const TlsSource source{"ssl.keystore.location", settings.keystoreLocation};
    const auto bytes = readTlsFile(source);
    if (!bytes) {
        return fail(bytes.error());
    }
    ERR_clear_error();
    {
        const auto reading = readingOf(*bytes);
        const Pkcs12Ptr isOne(d2i_PKCS12_bio(reading.get(), nullptr));
        const OpensslErrors errors;
        if (!isOne) {
            return fail(notPkcs12(source, *bytes, errors));
        }
    }
    if (settings.keystorePassword.empty()) {
        return fail(ErrorCode::invalidArgument, "property \"ssl.keystore.password\" is missing", {},
                    "ssl.keystore.location needs it");
    }
    TlsIdentity identity;
    if (!parse(*bytes, settings.keystorePassword, identity)) {
        const OpensslErrors errors;
        if (errors.has(ERR_LIB_PKCS12, PKCS12_R_MAC_VERIFY_FAILURE)) {
            Error error = source.wrong("", "correct ssl.keystore.password");
            error.what = fmt::format("wrong passphrase for the keystore in {}", error.where);
            error.where = "ssl.keystore.password";
            return fail(std::move(error));
        }
        const auto readAgain = parseOld(*bytes, settings.keystorePassword, identity);
        ERR_clear_error(); // the first reasons are the ones to tell
        if (!readAgain && errors.lacksAlgorithm()) {
            return fail(source.wrong(
                "names a PKCS#12 file under an old encryption that this OpenSSL has only with its legacy "
                "provider, which is not installed",
                fmt::format(
                    "on a system that has it, write it anew: openssl pkcs12 -legacy -in {0} -out client.pem "
                    "&& openssl pkcs12 -export -in client.pem -out client.p12 && rm client.pem",
                    source.quoted())));
        }
        if (!readAgain.value_or(false)) {
            return fail(
                source.wrong(fmt::format("names a PKCS#12 file that cannot be read: {}", errors.text()),
                             fmt::format("check it: openssl pkcs12 -info -noout -in {}", source.quoted())));
        }
    }
    if (!identity.key || !identity.certificate) {
        return fail(source.wrong("names a PKCS#12 file without a private key and its certificate",
                                 "a store of CA certificates belongs into ssl.ca.location, as PEM: "
                                 "openssl pkcs12 -nokeys -in FILE -out ca.pem"));
    }
    return identity;
}

} // namespace bellwether::kafka::wire
