// SPDX-License-Identifier: Apache-2.0
#include "scripted_authority.h"

namespace bellwether::kafka::wire {

Role role(const std::string& name) {
    return Role::of(name).value();
}

std::shared_ptr<Authority> authorityOver(std::initializer_list<const ScriptedBroker*> brokers,
                                         std::map<std::string, std::string> properties) {
    KafkaConfig config;
    for (const auto* each : brokers) {
        config.bootstrap += (config.bootstrap.empty() ? "" : ",") + each->bootstrap();
    }
    config.properties = std::move(properties);
    return makeWireAuthority(std::move(config)).value();
}

ScriptedBroker::Script coordinators(std::function<const ScriptedBroker&(const std::string&)> choose) {
    return [choose = std::move(choose)](const SeenRequest& request) {
        FindCoordinatorResponse response;
        for (const auto& key : request.as<FindCoordinatorRequest>().keys) {
            const auto& at = choose(key);
            response.coordinators.push_back({key, at.nodeId(), "127.0.0.1", at.port(), 0, std::nullopt});
        }
        return Reaction::answer(request, response);
    };
}

ScriptedBroker::Script describing(std::int64_t producerId, std::int16_t code) {
    return [=](const SeenRequest& request) {
        DescribeTransactionsResponse response;
        for (const auto& id : request.as<DescribeTransactionsRequest>().transactionalIds) {
            response.states.push_back({code, id, "Ongoing", 10'000, 1'700'000'000'000, producerId, 3, {}});
        }
        return Reaction::answer(request, response);
    };
}

ScriptedBroker::Script silent() {
    return [](const SeenRequest&) { return Reaction::silence(); };
}

} // namespace bellwether::kafka::wire
