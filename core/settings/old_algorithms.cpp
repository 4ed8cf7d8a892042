// SPDX-License-Identifier: Apache-2.0
#include "settings/old_algorithms.h"

#include <openssl/crypto.h>

namespace bellwether::settings {

std::unique_ptr<OldAlgorithms> OldAlgorithms::load() {
    std::unique_ptr<OldAlgorithms> loaded(new OldAlgorithms);
    loaded->own_ = OSSL_LIB_CTX_new();
    for (const auto* name : {"default", "legacy"}) {
        auto* provider = loaded->own_ ? OSSL_PROVIDER_load(loaded->own_, name) : nullptr;
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

} // namespace bellwether::settings
