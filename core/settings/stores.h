// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "settings/property.h"

namespace bellwether::settings {

/// What a Java key store or trust store holds, by its bytes.
enum class StoreKind { pem, pkcs12, jks };

/// The bytes of a file; `property` names the setting in messages. Fails with `invalidArgument`.
[[nodiscard]] Result<std::string> readStore(const std::string& path, const Property& property);

/// JKS and JCEKS begin with a magic number of their own; PEM has its BEGIN line.
[[nodiscard]] StoreKind kindOfStore(const std::string& bytes);

/// Why a JKS store is of no use, with the command that converts it.
[[nodiscard]] Error jksError(const std::string& path, const Property& property);

/// The certificates of a PKCS#12 trust store, as PEM; old encryptions too, where OpenSSL's legacy provider is
/// installed. Without a password its integrity is not checked, as in
/// Java. Fails with `invalidArgument` on a wrong password, on one that is missing, on what is no PKCS#12, and
/// on one without certificates; the password is in no message.
[[nodiscard]] Result<std::string> certificatesOf(const std::string& bytes,
                                                 const std::optional<std::string>& password,
                                                 const std::string& path, const Property& property);

/// Whether librdkafka will read a PKCS#12 key store: fails with `invalidArgument` on a password that is wrong
/// or missing and on old encryptions, with the command that writes it anew.
[[nodiscard]] Result<void> checkKeyStore(const std::string& bytes, const std::optional<std::string>& password,
                                         const std::string& path, const Property& property);

} // namespace bellwether::settings
