// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <openssl/err.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

/// OpenSSL's objects as values of C++. Everything here is of the calling thread; nothing of the process
/// changes.
namespace bellwether::kafka::wire {

template<auto kFree>
struct OpensslFree {
    template<typename T>
    void operator()(T* object) const noexcept {
        kFree(object);
    }
};

inline void freeCertificates(STACK_OF(X509) * stack) noexcept {
    sk_X509_pop_free(stack, X509_free);
}

using BioPtr = std::unique_ptr<BIO, OpensslFree<BIO_free_all>>;
using CertificatePtr = std::unique_ptr<X509, OpensslFree<X509_free>>;
using CertificatesPtr = std::unique_ptr<STACK_OF(X509), OpensslFree<freeCertificates>>;
using KeyPtr = std::unique_ptr<EVP_PKEY, OpensslFree<EVP_PKEY_free>>;
using Pkcs12Ptr = std::unique_ptr<PKCS12, OpensslFree<PKCS12_free>>;
using TlsContextPtr = std::unique_ptr<SSL_CTX, OpensslFree<SSL_CTX_free>>;
using TlsSessionPtr = std::unique_ptr<SSL, OpensslFree<SSL_free>>;

/// The thread's queue of OpenSSL errors, emptied: taken on construction.
class OpensslErrors {
public:
    OpensslErrors();

    [[nodiscard]] bool has(int library, int reason) const noexcept;

    [[nodiscard]] bool empty() const noexcept { return codes_.empty(); }

    /// The reason of the first one, in OpenSSL's words; "unknown reason" when there is none.
    [[nodiscard]] std::string text() const;
    /// An algorithm that the loaded providers do not have.
    [[nodiscard]] bool lacksAlgorithm() const noexcept;

private:
    std::vector<unsigned long> codes_;
};

/// Reading of `bytes`, which must outlive it.
[[nodiscard]] BioPtr readingOf(std::string_view bytes);

/// While it lives, this thread's OpenSSL calls find old algorithms (RC2, single DES) as well. What they made
/// must not outlive it.
class OldAlgorithms {
public:
    /// Null when the legacy provider is not installed.
    [[nodiscard]] static std::unique_ptr<OldAlgorithms> load();
    ~OldAlgorithms();
    OldAlgorithms(const OldAlgorithms&) = delete;
    OldAlgorithms& operator=(const OldAlgorithms&) = delete;

private:
    OldAlgorithms() = default;

    OSSL_LIB_CTX* own_ = nullptr;
    OSSL_LIB_CTX* before_ = nullptr;
    std::vector<OSSL_PROVIDER*> providers_;
};

/// A private key's or certificate's own encoding. Taken from an object of OldAlgorithms, it outlives that;
/// wiped in the end.
class Encoding {
public:
    explicit Encoding(const EVP_PKEY& key);
    explicit Encoding(const X509& certificate);
    ~Encoding();
    Encoding(Encoding&&) noexcept;
    Encoding& operator=(Encoding&&) = delete;

    [[nodiscard]] KeyPtr key() const;
    [[nodiscard]] CertificatePtr certificate() const;

private:
    unsigned char* bytes_ = nullptr;
    int size_ = 0;
};

} // namespace bellwether::kafka::wire
