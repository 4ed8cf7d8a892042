// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "child_process.h"
#include "ports/authority.h"

namespace bellwether::kafka::wire {

/// Apache Kafka on 127.0.0.1, started by tests/support/kafka-cluster and stopped with the object (or by its
/// watchdog when this process dies). Throws with the starter's words when it cannot start.
class RealCluster {
public:
    RealCluster(const std::string& version, int nodes, const std::vector<std::string>& options = {});
    ~RealCluster();
    RealCluster(const RealCluster&) = delete;
    RealCluster& operator=(const RealCluster&) = delete;

    [[nodiscard]] std::string bootstrap() const { return facts_.at("bootstrap"); }

    /// The TLS listener, when started with --tls.
    [[nodiscard]] std::string tlsBootstrap() const { return facts_.at("tls_bootstrap"); }

    /// host:port of a node's plain listener.
    [[nodiscard]] std::string address(int node) const;

    void kill(int node) { act("kill", node); }

    void pause(int node) { act("pause", node); }

    void resume(int node) { act("resume", node); }

    [[nodiscard]] std::shared_ptr<Authority> authority() const;
    /// Starts a Java program of tests/support/kafka with the cluster's bootstrap before `arguments`.
    [[nodiscard]] std::unique_ptr<ChildProcess> java(const std::string& program,
                                                     const std::vector<std::string>& arguments) const;
    /// Runs it to its end; its output lines as JSON.
    [[nodiscard]] std::vector<nlohmann::json> runJava(const std::string& program,
                                                      const std::vector<std::string>& arguments) const;

private:
    void act(const std::string& command, int node);

    std::string version_;
    nlohmann::json facts_;
};

} // namespace bellwether::kafka::wire
