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
        cluster.requestLatency = Millis{15}; // so that a claim between mint and commit can be seen
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

} // namespace bellwether::app
