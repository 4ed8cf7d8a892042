// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "kafka/kafka_config.h"
#include "ports/authority.h"
#include "ports/transport.h"
#include "process.h"

namespace bellwether::brokertest {

/// A real Apache Kafka cluster of this test program, started by tests/support/kafka-cluster and gone with the
/// program, however that ends.
class TestCluster {
public:
    struct Options {
        int nodes = 1;
        bool tls = false;
        std::vector<std::string> topics;  ///< NAME:PARTITIONS[:RF][:K=V]..., besides __coordination_state:16
        std::vector<std::string> configs; ///< K=V of server.properties
        /// More of the starter's own options: --secure, --allow ..., --log ....
        std::vector<std::string> starter;
    };

    /// The program's cluster; started by the first call, which gives the options.
    static TestCluster& get(const Options& options);
    /// The Kafka release under test: BELLWETHER_KAFKA_VERSION, or 4.4.0.
    [[nodiscard]] static std::string version();

    [[nodiscard]] const std::string& bootstrap() const { return bootstrap_; }

    [[nodiscard]] const std::string& tlsBootstrap() const { return tlsBootstrap_; }

    [[nodiscard]] const std::string& tlsFolder() const { return tlsFolder_; }

    /// All that the starter tells of the cluster.
    [[nodiscard]] const nlohmann::json& facts() const { return facts_; }

    [[nodiscard]] kafka::KafkaConfig config() const;

    /// pause, resume, kill or restart one node.
    void node(const std::string& verb, int number) const;
    /// "add" or "remove" rights, USER:OPERATION[,...]:KIND:NAME each; every node acts by them on return.
    void acl(const std::string& change, const std::vector<std::string>& rights) const;
    /// The command that runs one of the Java programs in tests/support/kafka.
    [[nodiscard]] std::vector<std::string> java(const std::string& program,
                                                const std::vector<std::string>& arguments) const;

    ~TestCluster();
    TestCluster(const TestCluster&) = delete;
    TestCluster& operator=(const TestCluster&) = delete;

private:
    explicit TestCluster(const Options& options);

    std::string name_;
    nlohmann::json facts_;
    std::string bootstrap_;
    std::string tlsBootstrap_;
    std::string tlsFolder_;
};

/// A role that no other test of the program uses.
[[nodiscard]] Role freshRole();
[[nodiscard]] MemberId member(std::string_view name);
[[nodiscard]] Lease leaseOf(const MemberId& who, FencingToken token, std::int64_t grantedAt = 1'000);

/// A transport with an authority of its own on the wire.
[[nodiscard]] std::unique_ptr<CoordinationTransport> openTransport(const kafka::KafkaConfig& config);

/// Reads the role until `enough` says so, and returns the last read, at the latest after half a minute. A
/// commit is acknowledged before its marker is in the partition: what was written is read a moment later.
[[nodiscard]] Result<std::vector<CoordinationEntry>>
readUntil(CoordinationTransport& transport, const Role& role,
          const std::function<bool(const std::vector<CoordinationEntry>&)>& enough);
[[nodiscard]] Result<std::vector<CoordinationEntry>> readAtLeast(CoordinationTransport& transport,
                                                                 const Role& role, std::size_t count);
/// Reads until the newest record is this lease.
[[nodiscard]] Result<std::vector<CoordinationEntry>> readUntilLease(CoordinationTransport& transport,
                                                                    const Role& role, const Lease& lease);

/// A role whose records go to `partition` of `partitions`.
[[nodiscard]] Role freshRoleIn(std::int32_t partition, std::int32_t partitions);
/// Two hex digits a byte, for the Java programs.
[[nodiscard]] std::string hex(std::string_view bytes);

} // namespace bellwether::brokertest
