// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <openssl/provider.h>

namespace bellwether::settings {

/// OpenSSL's given-up algorithms (RC2, as keytool of Java 15 and older encrypts certificates), for the calls
/// of this thread while the object lives. What they make must be freed before it.
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

} // namespace bellwether::settings
