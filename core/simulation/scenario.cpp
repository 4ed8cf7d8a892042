// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>
#include <string_view>

#include "simulation/simulation.h"

namespace bellwether::simulation {
namespace {

using sandbox::ClientKind;

Role role(std::string_view name) {
    return *Role::of(name);
}

MemberSpec memberOf(std::string_view roleName, std::string_view member,
                    ClientKind client = ClientKind::endTxnV5, Millis clockOffset = Millis{0}) {
    return {role(roleName), *MemberId::of(member), clockOffset, client};
}

Fault fault(std::int64_t seconds, FaultKind kind, std::string_view roleName) {
    return {Millis{1'000 * seconds}, kind, role(roleName), std::nullopt};
}

} // namespace

Scenario defaultScenario() {
    constexpr auto v5 = ClientKind::endTxnV5;
    constexpr auto older = ClientKind::older;
    Scenario scenario;
    scenario.timing = {Millis{12'000}, Millis{4'000}, Millis{2'000}};
    for (const auto* name : {"node-1", "node-2", "node-3", "node-4"}) {
        scenario.members.push_back(memberOf("controller", name));
    }
    // Both kinds of client in one role: its epoch moves at some renewals and not at others.
    scenario.members.push_back(memberOf("dispatcher", "node-1", v5));
    scenario.members.push_back(memberOf("dispatcher", "node-2", older));
    scenario.members.push_back(memberOf("dispatcher", "node-3", v5));
    scenario.members.push_back(memberOf("dispatcher", "node-4", older));
    // One clock ahead: its turns come early, its leases end late.
    scenario.members.push_back(memberOf("scheduler", "node-1"));
    scenario.members.push_back(memberOf("scheduler", "node-2", v5, Millis{2'300}));
    scenario.members.push_back(memberOf("scheduler", "node-3"));
    for (const auto* name : {"node-2", "node-3", "node-4"}) {
        scenario.members.push_back(memberOf("archiver", name, older));
    }
    for (const auto* name : {"node-4", "node-3", "node-1"}) {
        scenario.members.push_back(memberOf("billing", name));
    }
    scenario.faults = {
        fault(10, FaultKind::crash, "controller"),   fault(34, FaultKind::crash, "dispatcher"),
        fault(40, FaultKind::restart, "controller"), fault(56, FaultKind::resign, "scheduler"),
        fault(64, FaultKind::restart, "dispatcher"), fault(76, FaultKind::pause, "archiver"),
        fault(84, FaultKind::restart, "scheduler"),  fault(100, FaultKind::crash, "billing"),
        fault(102, FaultKind::resume, "archiver"),   fault(124, FaultKind::crash, "scheduler"),
        fault(130, FaultKind::restart, "billing"),   fault(138, FaultKind::restart, "scheduler"),
    };
    scenario.period = Millis{140'000};
    return scenario;
}

} // namespace bellwether::simulation
