// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "ports/authority.h"
#include "ports/clock.h"
#include "ports/log_consumer.h"
#include "ports/transport.h"

namespace bellwether::app {

/// The bootstrap word that stands for the embedded cluster instead of an address.
inline constexpr std::string_view kSandboxBootstrap = "sandbox";

struct WorldOptions {
    std::string bootstrap; ///< HOST:PORT[,HOST:PORT...] or kSandboxBootstrap
    std::string topic{kDefaultTopic};
    /// librdkafka properties; of no use to the sandbox and refused there.
    std::map<std::string, std::string> properties;
    Millis timeout{10'000}; ///< bound on every blocking call
    Millis clockOffset{0};  ///< of `clock`, to rehearse skew; 0 for consoles
    bool simulate = true;   ///< sandbox only: let the default cast of members play on it
};

/// One cluster to look at and to be a member of: everything concrete is made here and nowhere else.
/// Destruction closes it all; transports, consumers and feeds made from it go first. Thread: any for the
/// members' own rules, construction and destruction on one.
class World {
public:
    World() = default;
    virtual ~World() = default;
    World(const World&) = delete;
    World& operator=(const World&) = delete;

    std::string endpoint; ///< what the operator asked for: the bootstrap list or "sandbox"
    std::string topic;
    LogConsumerFactory consumers;
    std::shared_ptr<Authority> authority;
    /// A transport for one member; the caller owns it and closes it before the world goes.
    std::function<Result<std::unique_ptr<CoordinationTransport>>()> makeTransport;
    std::shared_ptr<Clock> clock;
    /// How many roles the sandbox's cast plays; its members enter within a few seconds. 0 for a real cluster.
    std::size_t rolesToCome = 0;
};

/// Opens a world without waiting for any broker: unreachable ones show up as errors of the calls made later.
/// Fails with invalidArgument for a bootstrap list or property that is not legal.
[[nodiscard]] Result<std::unique_ptr<World>> openWorld(const WorldOptions& options);

} // namespace bellwether::app
