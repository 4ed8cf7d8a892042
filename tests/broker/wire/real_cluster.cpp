// SPDX-License-Identifier: Apache-2.0
#include "real_cluster.h"

#include <stdexcept>

#include <unistd.h>

#include "kafka/wire_authority.h"

namespace bellwether::kafka::wire {
namespace {

const std::string kSupport = std::string(BELLWETHER_SOURCE_DIR) + "/tests/support/";
constexpr std::chrono::seconds kStart{240};
constexpr std::chrono::seconds kJava{120};

std::vector<std::string> run(const std::vector<std::string>& command, std::chrono::seconds patience) {
    ChildProcess process(command);
    int code = 0;
    auto lines = process.finish(patience, code);
    if (code != 0) {
        throw std::runtime_error(command[0] + " " + command[1] + " ended with code " + std::to_string(code));
    }
    return lines;
}

} // namespace

RealCluster::RealCluster(const std::string& version, int nodes, const std::vector<std::string>& options)
    : version_(version) {
    std::vector<std::string> command{kSupport + "kafka-cluster",
                                     "start",
                                     "--version",
                                     version,
                                     "--nodes",
                                     std::to_string(nodes),
                                     "--json",
                                     "--owner-pid",
                                     std::to_string(::getpid())};
    command.insert(command.end(), options.begin(), options.end());
    const auto lines = run(command, kStart);
    if (lines.empty()) {
        throw std::runtime_error("kafka-cluster printed nothing");
    }
    facts_ = nlohmann::json::parse(lines.back());
}

RealCluster::~RealCluster() {
    ChildProcess stop({kSupport + "kafka-cluster", "stop", facts_.at("name")});
    int code = 0;
    (void)stop.finish(kStart, code); // when it fails the watchdog cleans up after this process
}

std::string RealCluster::address(int node) const {
    for (const auto& each : facts_.at("nodes")) {
        if (each.at("id") == node) {
            return "127.0.0.1:" + std::to_string(each.at("ports").at("plain").get<int>());
        }
    }
    throw std::out_of_range("no such node");
}

void RealCluster::act(const std::string& command, int node) {
    (void)run({kSupport + "kafka-cluster", command, facts_.at("name"), std::to_string(node)}, kStart);
}

std::shared_ptr<Authority> RealCluster::authority() const {
    KafkaConfig config;
    config.bootstrap = bootstrap();
    return makeWireAuthority(std::move(config)).value();
}

std::unique_ptr<ChildProcess> RealCluster::java(const std::string& program,
                                                const std::vector<std::string>& arguments) const {
    std::vector<std::string> command{kSupport + "kafka-java", version_, program, bootstrap()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return std::make_unique<ChildProcess>(command);
}

std::vector<nlohmann::json> RealCluster::runJava(const std::string& program,
                                                 const std::vector<std::string>& arguments) const {
    const auto process = java(program, arguments);
    int code = 0;
    std::vector<nlohmann::json> events;
    for (const auto& line : process->finish(kJava, code)) {
        events.push_back(nlohmann::json::parse(line));
    }
    if (code != 0) {
        throw std::runtime_error(program + " ended with code " + std::to_string(code));
    }
    return events;
}

} // namespace bellwether::kafka::wire
