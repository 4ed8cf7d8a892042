// SPDX-License-Identifier: Apache-2.0
#include "settings/java_translation.h"
#include "settings/pem_text.h"
#include "settings/stores.h"

namespace bellwether::settings {

namespace {

Result<void> trustStore(JavaTranslation& java) {
    if (const auto* inlined = java.find("ssl.truststore.certificates")) {
        java.put("ssl.ca.pem", withLineEnds(inlined->value), *inlined);
        return {};
    }
    const auto* location = java.find("ssl.truststore.location");
    if (!location || location->value.empty()) {
        return {};
    }
    const auto bytes = readStore(location->value, *location);
    if (!bytes) {
        return fail(bytes.error());
    }
    switch (kindOfStore(*bytes)) {
    case StoreKind::jks: return fail(jksError(location->value, *location));
    case StoreKind::pem:
        if (lacksLineEnds(*bytes)) {
            java.put("ssl.ca.pem", withLineEnds(*bytes), *location);
        } else {
            java.put("ssl.ca.location", location->value, *location);
        }
        return {};
    case StoreKind::pkcs12: break;
    }
    const auto* password = java.find("ssl.truststore.password");
    auto certificates = certificatesOf(*bytes, password ? std::optional(password->value) : std::nullopt,
                                       location->value, *location);
    if (!certificates) {
        return fail(std::move(certificates).error());
    }
    java.put("ssl.ca.pem", std::move(*certificates), *location);
    return {};
}

Result<void> keyStore(JavaTranslation& java) {
    const auto* key = java.find("ssl.keystore.key");
    const auto* chain = java.find("ssl.keystore.certificate.chain");
    if (key || chain) {
        if (!key || !chain) {
            return refused(key ? *key : *chain, "a key and its certificate chain belong together",
                           "set both ssl.keystore.key and ssl.keystore.certificate.chain");
        }
        java.put("ssl.key.pem", withLineEnds(key->value), *key);
        java.put("ssl.certificate.pem", withLineEnds(chain->value), *chain);
        return {};
    }
    const auto* location = java.find("ssl.keystore.location");
    if (!location || location->value.empty()) {
        return {};
    }
    const auto bytes = readStore(location->value, *location);
    if (!bytes) {
        return fail(bytes.error());
    }
    switch (kindOfStore(*bytes)) {
    case StoreKind::jks: return fail(jksError(location->value, *location));
    case StoreKind::pem:
        java.put("ssl.certificate.location", location->value, *location);
        java.put("ssl.key.location", location->value, *location);
        return {};
    case StoreKind::pkcs12: break;
    }
    const auto* password = java.find("ssl.keystore.password");
    if (auto legible = checkKeyStore(*bytes, password ? std::optional(password->value) : std::nullopt,
                                     location->value, *location);
        !legible) {
        return legible;
    }
    java.put("ssl.keystore.location", location->value, *location);
    java.put("ssl.keystore.password", password->value, *password);
    return {};
}

} // namespace

Result<void> translateStores(JavaTranslation& java) {
    if (auto done = trustStore(java); !done) {
        return done;
    }
    return keyStore(java);
}

} // namespace bellwether::settings
