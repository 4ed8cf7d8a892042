// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "test_cluster.h"

namespace bellwether::brokertest {

/// The one node with every kind of security that the tests of it share. Nothing is allowed but: `ops` and the
/// client certificates everything, `member` what a member needs, `watcher` what watching needs (see
/// docs/troubleshooting.md, "Rights"); `stranger` may log in and no more. The listeners of SASL_SSL end a
/// session after kSession unless the client authenticates again.
class SecureCluster {
public:
    static constexpr std::chrono::seconds kSession{5};
    /// What watching needs. Roles of the watcher begin with kWatched.
    static constexpr const char* kWatched = "watched-";

    static SecureCluster& get();

    [[nodiscard]] TestCluster& cluster() const { return cluster_; }

    /// One of the client files in librdkafka's words: "ssl", "mtls", "mtls-pkcs12",
    /// "sasl_ssl-scram-sha-512", ...
    [[nodiscard]] kafka::KafkaConfig client(const std::string& name) const;
    /// The same in Java's words: the path, and the settings as the programs read them from there.
    [[nodiscard]] std::string javaFile(const std::string& name) const;
    [[nodiscard]] kafka::KafkaConfig javaClient(const std::string& name) const;
    /// SASL_PLAINTEXT with SCRAM-SHA-512 as this user.
    [[nodiscard]] kafka::KafkaConfig as(const std::string& user) const;

    /// The names of all client files.
    [[nodiscard]] std::vector<std::string> clients() const;
    /// "tls", "mtls", "sasl_ssl", "sasl_plaintext", "elsewhere", "expired", "self_signed", "plain_only".
    [[nodiscard]] std::string bootstrap(const std::string& listener) const;
    /// The path of a file that tests/support/certificates makes.
    [[nodiscard]] std::string certificate(const std::string& name) const;
    [[nodiscard]] std::string passphrase() const;

    struct User {
        std::string name;
        std::string password;
        std::vector<std::string> mechanisms;
    };

    [[nodiscard]] std::vector<User> users() const;
    [[nodiscard]] User user(const std::string& name) const;
    /// What the broker has logged.
    [[nodiscard]] std::string log() const;

private:
    explicit SecureCluster(TestCluster& cluster)
        : cluster_(cluster) {}

    [[nodiscard]] const nlohmann::json& secure() const { return cluster_.facts().at("secure"); }

    TestCluster& cluster_;
};

/// A role whose name begins with `prefix`, used by no other test.
[[nodiscard]] Role freshRoleNamed(const std::string& prefix);

} // namespace bellwether::brokertest
