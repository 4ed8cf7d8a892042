// SPDX-License-Identifier: Apache-2.0
#include "world.h"

#include <set>
#include <utility>

#include <fmt/format.h>

#include "kafka/kafka_log_consumer.h"
#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"
#include "sandbox/sandbox_cluster.h"
#include "simulation/simulation.h"

namespace bellwether::app {

namespace {

/// Members are declared in the order in which they are needed, so they go in the reverse one.
class SandboxWorld final : public World {
public:
    SandboxWorld(const WorldOptions& options)
        : brokersClock_(std::make_shared<SystemClock>())
        , cluster_(brokersClock_, clusterOptions(options)) {
        endpoint = options.bootstrap;
        topic = options.topic;
        clock = std::make_shared<SystemClock>(options.clockOffset);
        consumers = cluster_.logConsumers();
        authority = cluster_.authority();
        makeTransport = [this]() -> Result<std::unique_ptr<CoordinationTransport>> {
            return cluster_.makeTransport(sandbox::ClientKind::older);
        };
        if (options.simulate) {
            const auto scenario = simulation::defaultScenario();
            std::set<Role> roles;
            for (const auto& member : scenario.members) {
                roles.insert(member.role);
            }
            rolesToCome = roles.size();
            simulation_ = std::make_unique<simulation::Simulation>(cluster_, brokersClock_, scenario);
            simulation_->start();
        }
    }

    ~SandboxWorld() override {
        if (simulation_) {
            simulation_->stop();
        }
        authority->close();
    }

private:
    static sandbox::SandboxOptions clusterOptions(const WorldOptions& options) {
        sandbox::SandboxOptions cluster;
        cluster.topic = options.topic;
        return cluster;
    }

    std::shared_ptr<Clock> brokersClock_;
    sandbox::SandboxCluster cluster_;
    std::unique_ptr<simulation::Simulation> simulation_;
};

class KafkaWorld final : public World {
public:
    ~KafkaWorld() override {
        if (authority) {
            authority->close();
        }
    }
};

Result<std::unique_ptr<World>> openSandbox(const WorldOptions& options) {
    if (!options.properties.empty()) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("the sandbox takes no client properties, {} was given",
                                options.properties.begin()->first),
                    "sandbox", "leave -X and -F away, or name a real bootstrap address with -b");
    }
    return std::make_unique<SandboxWorld>(options);
}

} // namespace

Result<std::unique_ptr<World>> openWorld(const WorldOptions& options) {
    if (options.bootstrap == kSandboxBootstrap) {
        return openSandbox(options);
    }
    if (auto servers = kafka::parseBootstrap(options.bootstrap); !servers) {
        return fail(servers.error());
    }
    kafka::KafkaConfig config;
    config.bootstrap = options.bootstrap;
    config.topic = options.topic;
    config.properties = options.properties;
    config.timeout = options.timeout;
    auto authority = kafka::makeWireAuthority(config);
    if (!authority) {
        return fail(authority.error());
    }
    auto world = std::make_unique<KafkaWorld>();
    world->endpoint = options.bootstrap;
    world->topic = options.topic;
    world->clock = std::make_shared<SystemClock>(options.clockOffset);
    world->authority = *authority;
    world->consumers = kafka::makeKafkaLogConsumers(config);
    world->makeTransport = [config, shared = *authority] {
        return kafka::makeKafkaTransport(config, shared);
    };
    return world;
}

Result<std::map<std::string, std::string>> parseProperties(std::string_view text,
                                                           std::string_view nameForErrors) {
    const auto trimmed = [](std::string_view part) {
        constexpr std::string_view kBlank = " \t\r";
        const auto first = part.find_first_not_of(kBlank);
        if (first == std::string_view::npos) {
            return std::string_view{};
        }
        return part.substr(first, part.find_last_not_of(kBlank) - first + 1);
    };
    std::map<std::string, std::string> properties;
    std::size_t number = 0;
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = trimmed(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
        ++number;
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const auto equals = line.find('=');
        const std::string_view name = trimmed(line.substr(0, equals));
        if (equals == std::string_view::npos || name.empty()) {
            // The line is not repeated: it may hold a password.
            return fail(ErrorCode::invalidArgument, "not a property of the form name=value",
                        fmt::format("{}:{}", nameForErrors, number),
                        "write one name=value per line, # begins a comment");
        }
        properties.insert_or_assign(std::string(name), std::string(trimmed(line.substr(equals + 1))));
    }
    return properties;
}

} // namespace bellwether::app
