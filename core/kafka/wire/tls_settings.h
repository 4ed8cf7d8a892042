// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "coordination/result.h"

namespace bellwether::kafka::wire {

/// librdkafka's ssl.* properties as they were given; empty: not given. Holds secrets.
struct TlsSettings {
    std::string caLocation; ///< a file, a folder, or "probe"
    std::string caPem;
    std::string crlLocation;
    std::string certificateLocation;
    std::string certificatePem; ///< goes before certificateLocation
    std::string keyLocation;
    std::string keyPem; ///< goes before keyLocation
    std::string keyPassword;
    std::string keystoreLocation; ///< PKCS#12; goes before all of the above
    std::string keystorePassword;
    std::string cipherSuites; ///< of TLS 1.2
    std::string curves;
    std::string signatureAlgorithms;
    bool verify = true;    ///< the broker's certificate is checked
    bool checkName = true; ///< and has to name the broker
};

/// `unsupported` names a property that librdkafka knows and this client does not. No file is touched.
[[nodiscard]] Result<TlsSettings> parseTlsSettings(const std::map<std::string, std::string>& properties);

} // namespace bellwether::kafka::wire
