// SPDX-License-Identifier: Apache-2.0
#include "secure_cluster.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "settings/client_file.h"

namespace bellwether::brokertest {
namespace {

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    if (!file || text.str().empty()) {
        throw std::runtime_error(path + " cannot be read");
    }
    return text.str();
}

} // namespace

SecureCluster& SecureCluster::get() {
    static const auto options = [] {
        TestCluster::Options made;
        made.configs = {fmt::format("listener.name.sasl_ssl.connections.max.reauth.ms={}",
                                    std::chrono::milliseconds(kSession).count())};
        made.starter = {"--acl", "--log",
                        "org.apache.kafka.common.security.authenticator.SaslServerAuthenticator=debug"};
        const std::string topic(kDefaultTopic);
        for (const auto* user : {"ops", "CN=client", "CN=client-rsa", "o'brien,dc=example"}) {
            for (const auto* resource : {"topic:*", "id:*", "group:*", "cluster"}) {
                made.starter.insert(made.starter.end(),
                                    {"--allow", fmt::format("{}:All:{}", user, resource)});
            }
        }
        for (const auto& right :
             {"member:Read,Write:topic:" + topic, std::string("member:Write:id:") + kWatched + "*",
              "watcher:Read:topic:" + topic, std::string("watcher:Describe:id:") + kWatched + "*"}) {
            made.starter.insert(made.starter.end(), {"--allow", right});
        }
        return made;
    }();
    static SecureCluster cluster(TestCluster::get(options));
    return cluster;
}

kafka::KafkaConfig SecureCluster::client(const std::string& name) const {
    auto config = cluster_.config();
    std::istringstream lines(contents(secure().at("clients").at(name).at("librdkafka")));
    for (std::string line; std::getline(lines, line);) {
        const auto equals = line.find('=');
        config.properties[line.substr(0, equals)] = line.substr(equals + 1);
    }
    config.bootstrap = config.properties.at("bootstrap.servers");
    config.properties.erase("bootstrap.servers");
    return config;
}

std::string SecureCluster::javaFile(const std::string& name) const {
    return secure().at("clients").at(name).at("java");
}

kafka::KafkaConfig SecureCluster::javaClient(const std::string& name) const {
    const auto file = javaFile(name);
    const auto read = settings::readClientFile(contents(file), file);
    if (!read) {
        throw std::runtime_error(read.error().text());
    }
    if (!read->notes.empty()) {
        throw std::runtime_error(read->notes.front().text());
    }
    auto config = cluster_.config();
    for (const auto& property : read->properties) {
        config.properties[property.name] = property.value;
    }
    config.bootstrap = config.properties.at("bootstrap.servers");
    config.properties.erase("bootstrap.servers");
    return config;
}

kafka::KafkaConfig SecureCluster::as(const std::string& name) const {
    auto config = client("sasl_plaintext-scram-sha-512");
    config.properties["sasl.username"] = name;
    config.properties["sasl.password"] = user(name).password;
    return config;
}

std::vector<std::string> SecureCluster::clients() const {
    std::vector<std::string> out;
    for (const auto& [name, files] : secure().at("clients").items()) {
        out.push_back(name);
    }
    return out;
}

std::string SecureCluster::bootstrap(const std::string& listener) const {
    return secure().at("bootstraps").at(listener);
}

std::string SecureCluster::certificate(const std::string& name) const {
    return secure().at("certificates").at(name);
}

std::string SecureCluster::passphrase() const {
    return secure().at("passphrase");
}

std::vector<SecureCluster::User> SecureCluster::users() const {
    std::vector<User> out;
    for (const auto& each : secure().at("users")) {
        out.push_back({each.at("name"), each.at("password"), each.at("mechanisms")});
    }
    return out;
}

SecureCluster::User SecureCluster::user(const std::string& name) const {
    for (auto& each : users()) {
        if (each.name == name) {
            return each;
        }
    }
    throw std::out_of_range("no user " + name);
}

std::string SecureCluster::log() const {
    return contents(cluster_.facts().at("nodes").at(0).at("folder").get<std::string>() + "/log");
}

Role freshRoleNamed(const std::string& prefix) {
    return *Role::of(prefix + freshRole().str());
}

} // namespace bellwether::brokertest
