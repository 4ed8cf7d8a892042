// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_identity.h"

#include <cstring>

#include <fmt/format.h>
#include <openssl/pem.h>

#include "kafka/wire/tls_keystore.h"
#include "kafka/wire/tls_source.h"

namespace bellwether::kafka::wire {
namespace {

struct Passphrase {
    const std::string& text;
    bool wasAsked = false;
};

int givePassphrase(char* buffer, int size, int /*forWriting*/, void* passphrase) {
    auto& given = *static_cast<Passphrase*>(passphrase);
    given.wasAsked = true;
    if (given.text.empty() || given.text.size() > static_cast<std::size_t>(size)) {
        return -1;
    }
    std::memcpy(buffer, given.text.data(), given.text.size());
    return static_cast<int>(given.text.size());
}

std::string placeOf(const TlsSource& source) {
    return source.path.empty() ? "in it" : "in that file";
}

Result<KeyPtr> keyFrom(const TlsSource& source, std::string_view pem, const std::string& password) {
    if (pem.find("PRIVATE KEY-----") == std::string_view::npos) {
        const auto format = foreignFormatOf(pem);
        return fail(source.wrong(
            fmt::format("has no PEM private key {}", placeOf(source)),
            format == ForeignFormat::none
                ? std::string("a PEM key begins with -----BEGIN ... PRIVATE KEY-----")
                : fmt::format("convert it: openssl pkey -inform DER -in {} -out key.pem", source.quoted())));
    }
    Passphrase passphrase{password};
    const auto read = [&] {
        const auto bytes = readingOf(pem);
        return KeyPtr(PEM_read_bio_PrivateKey(bytes.get(), nullptr, givePassphrase, &passphrase));
    };
    ERR_clear_error();
    auto key = read();
    const OpensslErrors errors;
    if (key) {
        return key;
    }
    if (!passphrase.wasAsked) {
        return fail(source.wrong(fmt::format("has a private key that cannot be read: {}", errors.text()),
                                 "check it: openssl pkey -noout -in FILE"));
    }
    if (password.empty()) {
        return fail(source.wrong("has an encrypted private key, and ssl.key.password is missing",
                                 "set ssl.key.password"));
    }
    std::optional<Encoding> kept;
    bool isTooOld = errors.lacksAlgorithm();
    if (const auto old = OldAlgorithms::load()) {
        isTooOld = false;
        if (const auto again = read()) {
            kept.emplace(*again);
        }
        ERR_clear_error(); // the first reasons are the ones to tell
    }
    if (kept) {
        return kept->key();
    }
    if (isTooOld) {
        return fail(source.wrong("has a private key under an old encryption that this OpenSSL has only with "
                                 "its legacy provider, which is not installed",
                                 "on a system that has it, encrypt the key anew: openssl pkcs8 -topk8 "
                                 "-provider legacy -provider default -in FILE -out NEW"));
    }
    auto error = source.wrong("", "correct ssl.key.password");
    error.what = source.path.empty()
                     ? fmt::format("wrong passphrase for the key in property \"{}\"", source.property)
                     : fmt::format("wrong passphrase for the key in {}", error.where);
    error.where = "ssl.key.password";
    return fail(std::move(error));
}

Result<std::vector<CertificatePtr>> certificatesFrom(const TlsSource& source, std::string_view pem) {
    const auto bytes = readingOf(pem);
    std::vector<CertificatePtr> found;
    ERR_clear_error();
    while (auto* next = PEM_read_bio_X509(bytes.get(), nullptr, nullptr, nullptr)) {
        found.emplace_back(next);
    }
    const OpensslErrors errors;
    if (!errors.has(ERR_LIB_PEM, PEM_R_NO_START_LINE)) {
        return fail(source.wrong(fmt::format("has a certificate (number {}) that cannot be read: {}",
                                             found.size() + 1, errors.text()),
                                 "check it: openssl x509 -noout -text -in FILE"));
    }
    if (found.empty()) {
        return fail(source.wrong(
            fmt::format("has no PEM certificate {}", placeOf(source)),
            foreignFormatOf(pem) == ForeignFormat::der
                ? fmt::format("convert it: openssl x509 -inform DER -in {} -out cert.pem", source.quoted())
                : std::string("a PEM certificate begins with -----BEGIN CERTIFICATE-----")));
    }
    return found;
}

Result<std::string> textOf(const TlsSource& source, const std::string& inlineText) {
    return source.path.empty() ? Result<std::string>(inlineText) : readTlsFile(source);
}

Error halfSet(std::string_view set, std::string_view missing, std::string_view property) {
    Error error;
    error.code = ErrorCode::invalidArgument;
    error.what = fmt::format("property \"{}\" is set, but no {}", set, missing);
    error.hint = fmt::format("set {} as well, or neither", property);
    return error;
}

} // namespace

Result<std::optional<TlsIdentity>> loadTlsIdentity(const TlsSettings& settings) {
    if (!settings.keystoreLocation.empty()) {
        auto stored = loadTlsKeystore(settings);
        if (!stored) {
            return fail(std::move(stored).error());
        }
        return std::optional(std::move(*stored));
    }
    const TlsSource certificateSource =
        settings.certificatePem.empty() ? TlsSource{"ssl.certificate.location", settings.certificateLocation}
                                        : TlsSource{"ssl.certificate.pem", {}};
    const TlsSource keySource = settings.keyPem.empty() ? TlsSource{"ssl.key.location", settings.keyLocation}
                                                        : TlsSource{"ssl.key.pem", {}};
    const bool hasCertificate = !settings.certificatePem.empty() || !settings.certificateLocation.empty();
    const bool hasKey = !settings.keyPem.empty() || !settings.keyLocation.empty();
    if (!hasCertificate && !hasKey) {
        return std::optional<TlsIdentity>();
    }
    if (!hasCertificate) {
        return fail(halfSet(keySource.property, "certificate", "ssl.certificate.location"));
    }
    if (!hasKey) {
        return fail(halfSet(certificateSource.property, "key", "ssl.key.location"));
    }
    const auto certificateText = textOf(certificateSource, settings.certificatePem);
    if (!certificateText) {
        return fail(certificateText.error());
    }
    auto certificates = certificatesFrom(certificateSource, *certificateText);
    if (!certificates) {
        return fail(std::move(certificates).error());
    }
    const auto keyText = textOf(keySource, settings.keyPem);
    if (!keyText) {
        return fail(keyText.error());
    }
    auto key = keyFrom(keySource, *keyText, settings.keyPassword);
    if (!key) {
        return fail(std::move(key).error());
    }
    TlsIdentity identity;
    identity.certificate = std::move(certificates->front());
    identity.chain.assign(std::make_move_iterator(certificates->begin() + 1),
                          std::make_move_iterator(certificates->end()));
    identity.key = std::move(*key);
    if (X509_check_private_key(identity.certificate.get(), identity.key.get()) != 1) {
        const OpensslErrors ignored;
        return fail(keySource.wrong(
            fmt::format("has a key that does not fit the certificate of \"{}\"", certificateSource.property),
            certificateSource.path.empty()
                ? std::string("the client's own certificate has to come first, before those of its CAs")
                : fmt::format("the client's own certificate has to come first in {}; check both files",
                              certificateSource.quoted())));
    }
    return std::optional(std::move(identity));
}

} // namespace bellwether::kafka::wire
