// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "kafka/wire/tls_openssl.h"

namespace bellwether::kafka::wire {

struct Wishes {
    std::string commonName = "a broker";
    /// As in a configuration of OpenSSL; empty: no alternative names.
    std::string names = "DNS:localhost,IP:127.0.0.1";
    long from = -3600; ///< seconds from now
    long to = 24 * 3600;
    std::string usage = "serverAuth,clientAuth";
};

/// PEM texts.
struct Issued {
    std::string certificate;
    std::string key;
    std::string chain; ///< of the issuers below the root
};

/// A CA of a test, with keys on P-256.
class TestAuthority {
public:
    explicit TestAuthority(const std::string& name, const TestAuthority* parent = nullptr,
                           long to = 24 * 3600);

    [[nodiscard]] Issued issue(const Wishes& wishes = {}) const;
    /// A list of what this CA revoked, valid now.
    [[nodiscard]] std::string revoke(const std::vector<std::string>& certificates) const;

    [[nodiscard]] const std::string& pem() const { return pem_; }

    /// The name under which OpenSSL looks for it in a folder.
    [[nodiscard]] std::string hashName() const;

private:
    KeyPtr key_;
    CertificatePtr certificate_;
    std::string pem_;
    std::string chain_;
};

[[nodiscard]] Issued selfSigned(const Wishes& wishes = {});

/// PKCS#8 (PBES2, AES).
[[nodiscard]] std::string encrypted(const std::string& key, const std::string& password);
/// "Proc-Type: 4,ENCRYPTED", DES-EDE3.
[[nodiscard]] std::string encryptedAsOfOld(const std::string& key, const std::string& password);
/// The same key as traditional PEM without encryption ("EC PRIVATE KEY").
[[nodiscard]] std::string traditional(const std::string& key);
[[nodiscard]] std::string der(const std::string& certificate);
[[nodiscard]] std::string rsaKey();

/// A PKCS#12 file's bytes. `old`: RC2 and 3DES; empty when this OpenSSL cannot write that.
[[nodiscard]] std::string pkcs12(const Issued& issued, const std::string& password, bool old = false);

/// A folder that goes away with it.
class TestFolder {
public:
    TestFolder();
    ~TestFolder();
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;

    /// The path of a file with that text.
    [[nodiscard]] std::string file(const std::string& name, const std::string& bytes) const;

    [[nodiscard]] std::string path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace bellwether::kafka::wire
