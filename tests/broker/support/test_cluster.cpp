// SPDX-License-Identifier: Apache-2.0
#include "test_cluster.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "coordination/role_partition.h"
#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"

namespace bellwether::brokertest {
namespace {

const std::string kSupport = std::string(BELLWETHER_SOURCE_DIR) + "/tests/support/";

} // namespace

std::string TestCluster::version() {
    const char* given = std::getenv("BELLWETHER_KAFKA_VERSION");
    return given == nullptr ? "4.4.0" : given;
}

TestCluster::TestCluster(const Options& options)
    : name_(fmt::format("test-{}", ::getpid())) {
    std::vector<std::string> command{kSupport + "kafka-cluster",
                                     "start",
                                     "--name",
                                     name_,
                                     "--version",
                                     version(),
                                     "--nodes",
                                     std::to_string(options.nodes),
                                     "--owner-pid",
                                     std::to_string(::getpid()),
                                     "--json"};
    if (const char* feature = std::getenv("BELLWETHER_TRANSACTION_VERSION");
        feature != nullptr && *feature != '\0') {
        command.insert(command.end(), {"--transaction-version", feature});
    }
    if (options.tls) {
        command.emplace_back("--tls");
    }
    for (const auto& topic : options.topics) {
        command.insert(command.end(), {"--topic", topic});
    }
    for (const auto& config : options.configs) {
        command.insert(command.end(), {"--config", config});
    }
    command.insert(command.end(), options.starter.begin(), options.starter.end());
    facts_ = nlohmann::json::parse(run(command));
    bootstrap_ = facts_.at("bootstrap").get<std::string>();
    if (options.tls) {
        tlsBootstrap_ = facts_.at("tls_bootstrap").get<std::string>();
        tlsFolder_ = facts_.at("tls_folder").get<std::string>();
    }
}

TestCluster::~TestCluster() {
    Process stop({kSupport + "kafka-cluster", "stop", name_});
    stop.endInput();
    stop.wait();
}

TestCluster& TestCluster::get(const Options& options) {
    static TestCluster cluster(options);
    return cluster;
}

kafka::KafkaConfig TestCluster::config() const {
    kafka::KafkaConfig config;
    config.bootstrap = bootstrap_;
    config.timeout = Millis{20'000}; // the machine may be busy with other tests
    return config;
}

void TestCluster::node(const std::string& verb, int number) const {
    static_cast<void>(run({kSupport + "kafka-cluster", verb, name_, std::to_string(number)}));
}

void TestCluster::acl(const std::string& change, const std::vector<std::string>& rights) const {
    std::vector<std::string> command{kSupport + "kafka-cluster", "acl", name_, change};
    command.insert(command.end(), rights.begin(), rights.end());
    static_cast<void>(run(command));
}

std::vector<std::string> TestCluster::java(const std::string& program,
                                           const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{kSupport + "kafka-java", version(), program, bootstrap_};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return command;
}

Role freshRole() {
    static std::atomic<int> count{0};
    return *Role::of(fmt::format("lead-{}-{}", ::getpid(), ++count));
}

Role freshRoleIn(std::int32_t partition, std::int32_t partitions) {
    while (true) {
        auto role = freshRole();
        if (rolePartition(role, partitions) == partition) {
            return role;
        }
    }
}

MemberId member(std::string_view name) {
    return *MemberId::of(name);
}

Lease leaseOf(const MemberId& who, FencingToken token, std::int64_t grantedAt) {
    return {who, token, wallTime(grantedAt), wallTime(grantedAt + 30'000)};
}

std::unique_ptr<CoordinationTransport> openTransport(const kafka::KafkaConfig& config) {
    auto authority = kafka::makeWireAuthority(config);
    if (!authority) {
        throw std::runtime_error(authority.error().text());
    }
    auto transport = kafka::makeKafkaTransport(config, std::move(*authority));
    if (!transport) {
        throw std::runtime_error(transport.error().text());
    }
    return std::move(*transport);
}

Result<std::vector<CoordinationEntry>>
readUntil(CoordinationTransport& transport, const Role& role,
          const std::function<bool(const std::vector<CoordinationEntry>&)>& enough) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (true) {
        auto entries = transport.readRoleRecords(role);
        if (!entries || enough(*entries) || std::chrono::steady_clock::now() > deadline) {
            return entries;
        }
    }
}

Result<std::vector<CoordinationEntry>> readAtLeast(CoordinationTransport& transport, const Role& role,
                                                   std::size_t count) {
    return readUntil(transport, role, [&](const auto& entries) { return entries.size() >= count; });
}

Result<std::vector<CoordinationEntry>> readUntilLease(CoordinationTransport& transport, const Role& role,
                                                      const Lease& lease) {
    return readUntil(transport, role, [&](const std::vector<CoordinationEntry>& entries) {
        const auto* newest = entries.empty() ? nullptr : std::get_if<Lease>(&entries.back().record.value);
        return newest != nullptr && *newest == lease;
    });
}

std::string hex(std::string_view bytes) {
    std::string out;
    for (const auto byte : bytes) {
        out += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return out;
}

} // namespace bellwether::brokertest
