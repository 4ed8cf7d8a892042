// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_openssl.h"

#include <algorithm>
#include <utility>

#include <openssl/crypto.h>
#include <openssl/evp.h>

namespace bellwether::kafka::wire {

OpensslErrors::OpensslErrors() {
    while (const auto code = ERR_get_error()) {
        codes_.push_back(code);
    }
}

bool OpensslErrors::has(int library, int reason) const noexcept {
    return std::any_of(codes_.begin(), codes_.end(), [&](unsigned long code) {
        return ERR_GET_LIB(code) == library && ERR_GET_REASON(code) == reason;
    });
}

bool OpensslErrors::lacksAlgorithm() const noexcept {
    return has(ERR_LIB_EVP, ERR_R_UNSUPPORTED) || has(ERR_LIB_EVP, EVP_R_UNSUPPORTED_ALGORITHM) ||
           has(ERR_LIB_EVP, EVP_R_UNKNOWN_PBE_ALGORITHM) ||
           has(ERR_LIB_PKCS12, PKCS12_R_UNKNOWN_DIGEST_ALGORITHM);
}

std::string OpensslErrors::text() const {
    const auto* reason = codes_.empty() ? nullptr : ERR_reason_error_string(codes_.front());
    return reason == nullptr ? "unknown reason" : reason;
}

BioPtr readingOf(std::string_view bytes) {
    return BioPtr(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
}

std::unique_ptr<OldAlgorithms> OldAlgorithms::load() {
    std::unique_ptr<OldAlgorithms> loaded(new OldAlgorithms);
    loaded->own_ = OSSL_LIB_CTX_new();
    if (loaded->own_ == nullptr) {
        return nullptr;
    }
    for (const auto* name : {"default", "legacy"}) {
        auto* provider = OSSL_PROVIDER_load(loaded->own_, name);
        if (provider == nullptr) {
            return nullptr;
        }
        loaded->providers_.push_back(provider);
    }
    loaded->before_ = OSSL_LIB_CTX_set0_default(loaded->own_);
    return loaded;
}

OldAlgorithms::~OldAlgorithms() {
    if (before_ != nullptr) {
        OSSL_LIB_CTX_set0_default(before_);
    }
    for (auto* provider : providers_) {
        OSSL_PROVIDER_unload(provider);
    }
    OSSL_LIB_CTX_free(own_);
}

Encoding::Encoding(const EVP_PKEY& key)
    : size_(i2d_PrivateKey(&key, &bytes_)) {}

Encoding::Encoding(const X509& certificate)
    : size_(i2d_X509(&certificate, &bytes_)) {}

Encoding::~Encoding() {
    if (bytes_ != nullptr) {
        OPENSSL_clear_free(bytes_, static_cast<std::size_t>(size_));
    }
}

Encoding::Encoding(Encoding&& other) noexcept
    : bytes_(std::exchange(other.bytes_, nullptr))
    , size_(std::exchange(other.size_, 0)) {}

KeyPtr Encoding::key() const {
    const unsigned char* at = bytes_;
    return KeyPtr(size_ > 0 ? d2i_AutoPrivateKey(nullptr, &at, size_) : nullptr);
}

CertificatePtr Encoding::certificate() const {
    const unsigned char* at = bytes_;
    return CertificatePtr(size_ > 0 ? d2i_X509(nullptr, &at, size_) : nullptr);
}

} // namespace bellwether::kafka::wire
