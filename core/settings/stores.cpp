// SPDX-License-Identifier: Apache-2.0
#include "settings/stores.h"

#include <fstream>
#include <memory>
#include <sstream>
#include <system_error>

#include <cerrno>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>

namespace bellwether::settings {

namespace {

template<auto Free>
struct Deleter {
    template<typename T>
    void operator()(T* object) const {
        Free(object);
    }
};

using Bio = std::unique_ptr<BIO, Deleter<BIO_free_all>>;
using Store = std::unique_ptr<PKCS12, Deleter<PKCS12_free>>;

struct FreeStack {
    void operator()(STACK_OF(X509) * stack) const { sk_X509_pop_free(stack, X509_free); }
};

/// OpenSSL's queue of errors is left as it was found: empty.
class QuietErrors {
public:
    QuietErrors() { ERR_clear_error(); }

    ~QuietErrors() { ERR_clear_error(); }

    QuietErrors(const QuietErrors&) = delete;
    QuietErrors& operator=(const QuietErrors&) = delete;
};

Error wrong(std::string what, const Property& property, std::string hint) {
    Error error;
    error.code = ErrorCode::invalidArgument;
    error.what = fmt::format("{}: {}", property.name, what);
    error.where = property.where;
    error.hint = std::move(hint);
    return error;
}

} // namespace

Result<std::string> readStore(const std::string& path, const Property& property) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream bytes;
    if (!file || (!(bytes << file.rdbuf()) && errno != 0)) {
        return fail(wrong(fmt::format("{} cannot be read: {}", path, std::generic_category().message(errno)),
                          property, "check the path and the rights"));
    }
    return bytes.str();
}

StoreKind kindOfStore(const std::string& bytes) {
    if (bytes.starts_with("\xFE\xED\xFE\xED") || bytes.starts_with("\xCE\xCE\xCE\xCE")) {
        return StoreKind::jks;
    }
    return bytes.find("-----BEGIN ") != std::string::npos ? StoreKind::pem : StoreKind::pkcs12;
}

Error jksError(const std::string& path, const Property& property) {
    return wrong(fmt::format("{} is a JKS store, which only Java can read", path), property,
                 fmt::format("convert it: keytool -importkeystore -srckeystore {0} -destkeystore {0}.p12 "
                             "-deststoretype PKCS12, and name {0}.p12",
                             path));
}

Result<std::string> certificatesOf(const std::string& bytes, const std::string& password,
                                   const std::string& path, const Property& property) {
    const QuietErrors quiet;
    const Bio in(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
    const Store store(d2i_PKCS12_bio(in.get(), nullptr));
    if (!store) {
        return fail(wrong(fmt::format("{} is no PKCS#12 store", path), property,
                          "name a PKCS#12 or PEM trust store; for PEM set the store's type to PEM"));
    }
    if (PKCS12_verify_mac(store.get(), password.c_str(), static_cast<int>(password.size())) != 1) {
        return fail(
            wrong(fmt::format("wrong password for {}", path), property, "correct the store's password"));
    }
    EVP_PKEY* key = nullptr;
    X509* own = nullptr;
    STACK_OF(X509)* others = nullptr;
    const int parsed = PKCS12_parse(store.get(), password.c_str(), &key, &own, &others);
    const std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>> ownedKey(key);
    const std::unique_ptr<X509, Deleter<X509_free>> ownedOwn(own);
    const std::unique_ptr<STACK_OF(X509), FreeStack> ownedOthers(others);
    if (parsed != 1) {
        return fail(
            wrong(fmt::format("{} is encrypted in a way that OpenSSL no longer reads", path), property,
                  fmt::format("write it anew: openssl pkcs12 -legacy -in {0} -nokeys -out {0}.pem, and name "
                              "{0}.pem with the store's type PEM",
                              path)));
    }
    const Bio out(BIO_new(BIO_s_mem()));
    int count = 0;
    const auto add = [&](X509* certificate) { count += PEM_write_bio_X509(out.get(), certificate); };
    if (own != nullptr) {
        add(own);
    }
    for (int i = 0; others != nullptr && i < sk_X509_num(others); ++i) {
        add(sk_X509_value(others, i));
    }
    if (count == 0) {
        return fail(wrong(
            fmt::format("{} holds no certificate", path), property,
            "import the CA: keytool -importcert -alias ca -file ca.pem -storetype PKCS12 -keystore ..."));
    }
    char* data = nullptr;
    const auto size = BIO_get_mem_data(out.get(), &data);
    return std::string(data, static_cast<std::size_t>(size));
}

} // namespace bellwether::settings
