// SPDX-License-Identifier: Apache-2.0
#include "settings/stores.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <iterator>
#include <memory>
#include <string_view>
#include <system_error>
#include <vector>

#include <cerrno>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/evperr.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/pkcs12err.h>

#include "settings/bounded_file.h"

#include "settings/old_algorithms.h"

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

using Certificate = std::unique_ptr<X509, Deleter<X509_free>>;

struct FreeSafes {
    void operator()(STACK_OF(PKCS7) * stack) const { sk_PKCS7_pop_free(stack, PKCS7_free); }
};

struct FreeBags {
    void operator()(STACK_OF(PKCS12_SAFEBAG) * stack) const {
        sk_PKCS12_SAFEBAG_pop_free(stack, PKCS12_SAFEBAG_free);
    }
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

Error wrongPassword(const std::string& path, const Property& property) {
    return wrong(fmt::format("wrong password for {}", path), property, "correct the store's password");
}

/// A path as a shell takes it.
std::string quoted(const std::string& path) {
    const auto plain = [](unsigned char c) {
        return std::isalnum(c) != 0 || c >= 0x80 || std::strchr("/._-+:@", c);
    };
    if (std::all_of(path.begin(), path.end(), plain)) {
        return path;
    }
    std::string out = "'";
    for (const char c : path) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + "'";
}

/// With a file between, since openssl reads it twice; the key in it is encrypted.
std::string rewriting(const std::string& path, std::string_view option) {
    return fmt::format("write it anew: openssl pkcs12 {1}-in {0} -out {2} && openssl pkcs12 -export -in {2} "
                       "-out {3} && rm {2}, and name {3}",
                       quoted(path), option, quoted(path + ".pem"), quoted(path + ".new"));
}

Store parsed(const std::string& bytes) {
    const Bio in(BIO_new_mem_buf(bytes.data(), static_cast<int>(bytes.size())));
    return Store(d2i_PKCS12_bio(in.get(), nullptr));
}

bool verifies(PKCS12* store, const std::string& password) {
    return PKCS12_mac_present(store) != 1 ||
           PKCS12_verify_mac(store, password.c_str(), static_cast<int>(password.size())) == 1;
}

struct Contents {
    std::vector<Certificate> certificates;
    std::vector<Certificate> marked; ///< those that keytool has marked as trusted
    bool hasKey = false;
    bool lacksAlgorithm = false;
};

/// Oracle's trustedKeyUsage, by which Java tells a trusted certificate from one of a key's chain.
bool isMarkedTrusted(const PKCS12_SAFEBAG* bag) {
    constexpr std::string_view kTrustedKeyUsage = "2.16.840.1.113894.746875.1.1";
    const auto* attributes = PKCS12_SAFEBAG_get0_attrs(bag);
    for (int i = 0; attributes != nullptr && i < sk_X509_ATTRIBUTE_num(attributes); ++i) {
        std::array<char, 80> name{};
        OBJ_obj2txt(name.data(), static_cast<int>(name.size()),
                    X509_ATTRIBUTE_get0_object(sk_X509_ATTRIBUTE_value(attributes, i)), 1);
        if (kTrustedKeyUsage == name.data()) {
            return true;
        }
    }
    return false;
}

bool unpackBags(const STACK_OF(PKCS12_SAFEBAG) * bags, Contents& into) {
    for (int i = 0; i < sk_PKCS12_SAFEBAG_num(bags); ++i) {
        const auto* bag = sk_PKCS12_SAFEBAG_value(bags, i);
        switch (PKCS12_SAFEBAG_get_nid(bag)) {
        case NID_certBag:
            if (PKCS12_SAFEBAG_get_bag_nid(bag) == NID_x509Certificate) {
                Certificate certificate(PKCS12_SAFEBAG_get1_cert(bag));
                if (!certificate) {
                    return false;
                }
                auto& kept = isMarkedTrusted(bag) ? into.marked : into.certificates;
                kept.push_back(std::move(certificate));
            }
            break;
        case NID_safeContentsBag: // bags in a bag; its parser bounds the depth
            if (!unpackBags(PKCS12_SAFEBAG_get0_safes(bag), into)) {
                return false;
            }
            break;
        case NID_keyBag:
        case NID_pkcs8ShroudedKeyBag: into.hasKey = true; break;
        default: break;
        }
    }
    return true;
}

/// The certificates in it, whether it has a MAC or not (PKCS12_parse wants one).
bool unpack(PKCS12* store, const std::optional<std::string>& password, Contents& into) {
    const std::unique_ptr<STACK_OF(PKCS7), FreeSafes> safes(PKCS12_unpack_authsafes(store));
    for (int i = 0; safes && i < sk_PKCS7_num(safes.get()); ++i) {
        auto* safe = sk_PKCS7_value(safes.get(), i);
        const auto kind = OBJ_obj2nid(safe->type);
        if (kind != NID_pkcs7_data && kind != NID_pkcs7_encrypted) {
            continue; // for the holder of some other private key
        }
        const std::unique_ptr<STACK_OF(PKCS12_SAFEBAG), FreeBags> bags(
            kind == NID_pkcs7_data
                ? PKCS12_unpack_p7data(safe)
                : PKCS12_unpack_p7encdata(safe, password ? password->c_str() : nullptr,
                                          password ? static_cast<int>(password->size()) : 0));
        if (!bags) {
            const auto reason = ERR_GET_REASON(ERR_peek_error());
            into.lacksAlgorithm = reason == ERR_R_UNSUPPORTED || reason == EVP_R_UNSUPPORTED_CIPHER ||
                                  reason == PKCS12_R_UNKNOWN_DIGEST_ALGORITHM;
            return false;
        }
        if (!unpackBags(bags.get(), into)) {
            return false;
        }
    }
    return safes != nullptr;
}

std::string pemOf(const Contents& contents) {
    const Bio out(BIO_new(BIO_s_mem()));
    for (const auto& certificate : contents.marked) {
        PEM_write_bio_X509(out.get(), certificate.get());
    }
    if (!contents.hasKey) { // beside a key stands its chain, whose CAs are no trusted ones for Java
        for (const auto& certificate : contents.certificates) {
            PEM_write_bio_X509(out.get(), certificate.get());
        }
    }
    char* data = nullptr;
    const auto size = BIO_get_mem_data(out.get(), &data);
    return std::string(data, static_cast<std::size_t>(size));
}

/// Nothing where that fails too; empty where there is no certificate.
std::optional<std::string> pemByOldAlgorithms(const std::string& bytes,
                                              const std::optional<std::string>& password) {
    const auto old = OldAlgorithms::load();
    const auto store = parsed(bytes);
    Contents contents;
    if (!old || !store || !unpack(store.get(), password, contents)) {
        return std::nullopt;
    }
    return pemOf(contents);
}

} // namespace

Result<std::string> readStore(const std::string& path, const Property& property) {
    constexpr std::size_t kMost = 16 * 1'024 * 1'024;
    auto bytes = readBounded(path, kMost);
    if (!bytes) {
        return fail(wrong(fmt::format("{} cannot be read: {}", path, bytes.error().what), property,
                          "check the path and the rights"));
    }
    return bytes;
}

StoreKind kindOfStore(const std::string& bytes) {
    if (bytes.starts_with("\xFE\xED\xFE\xED") || bytes.starts_with("\xCE\xCE\xCE\xCE")) {
        return StoreKind::jks;
    }
    return bytes.find("-----BEGIN ") != std::string::npos ? StoreKind::pem : StoreKind::pkcs12;
}

Error jksError(const std::string& path, const Property& property) {
    return wrong(fmt::format("{} is a JKS store, which only Java can read", path), property,
                 fmt::format("convert it: keytool -importkeystore -srckeystore {0} -destkeystore {1} "
                             "-deststoretype PKCS12, and name {1}",
                             quoted(path), quoted(path + ".p12")));
}

Result<std::string> certificatesOf(const std::string& bytes, const std::optional<std::string>& password,
                                   const std::string& path, const Property& property) {
    const QuietErrors quiet;
    const auto store = parsed(bytes);
    if (!store) {
        return fail(wrong(fmt::format("{} is no PKCS#12 store", path), property,
                          "name a PKCS#12 or PEM trust store; for PEM set the store's type to PEM"));
    }
    if (password && !verifies(store.get(), *password)) {
        return fail(wrongPassword(path, property));
    }
    Contents contents;
    std::optional<std::string> pem;
    if (unpack(store.get(), password, contents)) {
        pem = pemOf(contents);
    } else if (!password) {
        return fail(wrong(fmt::format("{} needs a password", path), property,
                          "set the store's password (ssl.truststore.password)"));
    } else if (contents.lacksAlgorithm) {
        pem = pemByOldAlgorithms(bytes, password);
    } else if (PKCS12_mac_present(store.get()) != 1) {
        return fail(wrongPassword(path, property));
    }
    if (!pem) {
        return fail(
            wrong(fmt::format("{} is encrypted in a way that OpenSSL no longer reads", path), property,
                  fmt::format("write it anew: openssl pkcs12 -legacy -in {0} -nokeys -out {1}, and name "
                              "{1} with the store's type PEM",
                              quoted(path), quoted(path + ".pem"))));
    }
    if (pem->empty() && contents.hasKey) {
        return fail(wrong(fmt::format("{} holds a private key and no trusted certificate", path), property,
                          "name a store of CA certificates; keytool -importcert adds one to this"));
    }
    if (pem->empty()) {
        return fail(wrong(
            fmt::format("{} holds no certificate", path), property,
            "import the CA: keytool -importcert -alias ca -file ca.pem -storetype PKCS12 -keystore ..."));
    }
    return std::move(*pem);
}

Result<void> checkKeyStore(const std::string& bytes, const std::optional<std::string>& password,
                           const std::string& path, const Property& property) {
    const QuietErrors quiet;
    const auto store = parsed(bytes);
    if (!store) {
        return fail(wrong(fmt::format("{} is no PKCS#12 store", path), property,
                          "name a PKCS#12 or PEM key store; for PEM set the store's type to PEM"));
    }
    if (!password || password->empty()) {
        return fail(wrong(fmt::format("{} needs a password", path), property,
                          "set the store's password (ssl.keystore.password)"));
    }
    if (PKCS12_mac_present(store.get()) != 1) {
        return fail(wrong(fmt::format("{} has no integrity check (MAC), which librdkafka asks for", path),
                          property, rewriting(path, "")));
    }
    if (!verifies(store.get(), *password)) {
        return fail(wrongPassword(path, property));
    }
    EVP_PKEY* key = nullptr;
    X509* certificate = nullptr;
    const int done = PKCS12_parse(store.get(), password->c_str(), &key, &certificate, nullptr);
    const std::unique_ptr<EVP_PKEY, Deleter<EVP_PKEY_free>> ownedKey(key);
    const Certificate ownedCertificate(certificate);
    if (done != 1) {
        return fail(wrong(fmt::format("{} is encrypted in a way that OpenSSL no longer reads", path),
                          property, rewriting(path, "-legacy ")));
    }
    if (key == nullptr || certificate == nullptr) {
        return fail(wrong(fmt::format("{} holds no private key with its certificate", path), property,
                          "a store of CA certificates belongs into ssl.truststore.location"));
    }
    return {};
}

} // namespace bellwether::settings
