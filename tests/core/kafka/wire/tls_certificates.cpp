// SPDX-License-Identifier: Apache-2.0
#include "tls_certificates.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

namespace bellwether::kafka::wire {
namespace {

void must(bool done) {
    if (!done) {
        throw std::runtime_error("OpenSSL: " + OpensslErrors().text());
    }
}

template<typename Write>
std::string written(Write write) {
    const BioPtr memory(BIO_new(BIO_s_mem()));
    must(write(memory.get()) == 1);
    char* bytes = nullptr;
    const auto size = BIO_get_mem_data(memory.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
}

std::string pemOf(X509* certificate) {
    return written([&](BIO* bio) { return PEM_write_bio_X509(bio, certificate); });
}

std::string pemOf(EVP_PKEY* key) {
    return written([&](BIO* bio) {
        return PEM_write_bio_PKCS8PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
    });
}

CertificatePtr certificateOf(const std::string& pem) {
    return CertificatePtr(PEM_read_bio_X509(readingOf(pem).get(), nullptr, nullptr, nullptr));
}

KeyPtr keyOf(const std::string& pem) {
    return KeyPtr(PEM_read_bio_PrivateKey(readingOf(pem).get(), nullptr, nullptr, nullptr));
}

KeyPtr newKey() {
    return KeyPtr(EVP_PKEY_Q_keygen(nullptr, nullptr, "EC", "P-256"));
}

void extend(X509* certificate, X509* issuer, int kind, const std::string& value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
    auto* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
    must(extension != nullptr);
    X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
}

CertificatePtr blank(const std::string& commonName, EVP_PKEY* key, long from, long to) {
    static long serial = 1000;
    CertificatePtr made(X509_new());
    X509_set_version(made.get(), 2);
    ASN1_INTEGER_set(X509_get_serialNumber(made.get()), ++serial);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), from);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), to);
    X509_set_pubkey(made.get(), key);
    must(X509_NAME_add_entry_by_txt(X509_get_subject_name(made.get()), "CN", MBSTRING_UTF8,
                                    reinterpret_cast<const unsigned char*>(commonName.c_str()), -1, -1,
                                    0) == 1);
    return made;
}

CertificatePtr leaf(const Wishes& wishes, EVP_PKEY* key, X509* issuer, EVP_PKEY* issuerKey) {
    auto made = blank(wishes.commonName, key, wishes.from, wishes.to);
    auto* signer = issuer == nullptr ? made.get() : issuer;
    X509_set_issuer_name(made.get(), X509_get_subject_name(signer));
    extend(made.get(), signer, NID_ext_key_usage, wishes.usage);
    if (!wishes.names.empty()) {
        extend(made.get(), signer, NID_subject_alt_name, wishes.names);
    }
    must(X509_sign(made.get(), issuerKey, EVP_sha256()) > 0);
    return made;
}

} // namespace

TestAuthority::TestAuthority(const std::string& name, const TestAuthority* parent, long to)
    : key_(newKey())
    , certificate_(blank(name, key_.get(), -7200, to)) {
    auto* issuer = parent == nullptr ? certificate_.get() : parent->certificate_.get();
    X509_set_issuer_name(certificate_.get(), X509_get_subject_name(issuer));
    extend(certificate_.get(), issuer, NID_basic_constraints, "critical,CA:TRUE");
    extend(certificate_.get(), issuer, NID_key_usage, "critical,keyCertSign,cRLSign");
    must(X509_sign(certificate_.get(), parent == nullptr ? key_.get() : parent->key_.get(), EVP_sha256()) >
         0);
    pem_ = pemOf(certificate_.get());
    chain_ = parent == nullptr ? "" : pem_ + parent->chain_;
}

Issued TestAuthority::issue(const Wishes& wishes) const {
    const auto key = newKey();
    const auto made = leaf(wishes, key.get(), certificate_.get(), key_.get());
    return {pemOf(made.get()), pemOf(key.get()), chain_};
}

std::string TestAuthority::revoke(const std::vector<std::string>& certificates) const {
    const std::unique_ptr<X509_CRL, OpensslFree<X509_CRL_free>> list(X509_CRL_new());
    X509_CRL_set_version(list.get(), 1);
    X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(certificate_.get()));
    const std::unique_ptr<ASN1_TIME, OpensslFree<ASN1_TIME_free>> time(ASN1_TIME_new());
    X509_gmtime_adj(time.get(), -60);
    X509_CRL_set1_lastUpdate(list.get(), time.get());
    for (const auto& pem : certificates) {
        auto* revoked = X509_REVOKED_new();
        X509_REVOKED_set_serialNumber(revoked, X509_get_serialNumber(certificateOf(pem).get()));
        X509_REVOKED_set_revocationDate(revoked, time.get());
        X509_CRL_add0_revoked(list.get(), revoked);
    }
    X509_gmtime_adj(time.get(), 24 * 3600);
    X509_CRL_set1_nextUpdate(list.get(), time.get());
    must(X509_CRL_sign(list.get(), key_.get(), EVP_sha256()) > 0);
    return written([&](BIO* bio) { return PEM_write_bio_X509_CRL(bio, list.get()); });
}

std::string TestAuthority::hashName() const {
    std::array<char, 16> name{};
    (void)std::snprintf(name.data(), name.size(), "%08lx.0", X509_subject_name_hash(certificate_.get()));
    return name.data();
}

Issued selfSigned(const Wishes& wishes) {
    const auto key = newKey();
    const auto made = leaf(wishes, key.get(), nullptr, key.get());
    return {pemOf(made.get()), pemOf(key.get()), {}};
}

std::string encrypted(const std::string& key, const std::string& password) {
    return written([&, read = keyOf(key)](BIO* bio) {
        return PEM_write_bio_PKCS8PrivateKey(bio, read.get(), EVP_aes_256_cbc(), password.data(),
                                             static_cast<int>(password.size()), nullptr, nullptr);
    });
}

std::string encryptedAsOfOld(const std::string& key, const std::string& password) {
    return written([&, read = keyOf(key)](BIO* bio) {
        return PEM_write_bio_PrivateKey_traditional(bio, read.get(), EVP_des_ede3_cbc(),
                                                    reinterpret_cast<const unsigned char*>(password.data()),
                                                    static_cast<int>(password.size()), nullptr, nullptr);
    });
}

std::string traditional(const std::string& key) {
    return written([&, read = keyOf(key)](BIO* bio) {
        return PEM_write_bio_PrivateKey_traditional(bio, read.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
}

std::string der(const std::string& certificate) {
    return written([read = certificateOf(certificate)](BIO* bio) { return i2d_X509_bio(bio, read.get()); });
}

std::string rsaKey() {
    return pemOf(KeyPtr(EVP_PKEY_Q_keygen(nullptr, nullptr, "RSA", std::size_t{2048})).get());
}

std::string pkcs12(const Issued& issued, const std::string& password, bool old) {
    const auto scope = old ? OldAlgorithms::load() : nullptr;
    if (old && !scope) {
        return {};
    }
    const CertificatesPtr chain(sk_X509_new_null());
    if (!issued.chain.empty()) {
        sk_X509_push(chain.get(), certificateOf(issued.chain).release());
    }
    const Pkcs12Ptr made(PKCS12_create(password.c_str(), "client", keyOf(issued.key).get(),
                                       certificateOf(issued.certificate).get(), chain.get(),
                                       old ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : 0,
                                       old ? NID_pbe_WithSHA1And40BitRC2_CBC : 0, 0, 0, 0));
    must(made != nullptr);
    return written([&](BIO* bio) { return i2d_PKCS12_bio(bio, made.get()); });
}

TestFolder::TestFolder() {
    auto pattern = (std::filesystem::temp_directory_path() / "bellwether-tls-XXXXXX").string();
    must(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
}

TestFolder::~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::string TestFolder::file(const std::string& name, const std::string& bytes) const {
    const auto path = path_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

} // namespace bellwether::kafka::wire
