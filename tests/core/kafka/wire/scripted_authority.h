// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>

#include "kafka/wire_authority.h"
#include "scripted_broker.h"

namespace bellwether::kafka::wire {

using Kind = CoordinatorAnswer::Kind;

inline constexpr Millis kLong{20'000};
inline constexpr Millis kShort{400};

Role role(const std::string& name);

std::shared_ptr<Authority> authorityOver(std::initializer_list<const ScriptedBroker*> brokers,
                                         std::map<std::string, std::string> properties = {});

/// Every key has its coordinator at the broker that `choose` names.
ScriptedBroker::Script coordinators(std::function<const ScriptedBroker&(const std::string&)> choose);
/// Every id is Ongoing with this producerId, epoch 3; or met with `code`.
ScriptedBroker::Script describing(std::int64_t producerId, std::int16_t code = 0);
ScriptedBroker::Script silent();

} // namespace bellwether::kafka::wire
