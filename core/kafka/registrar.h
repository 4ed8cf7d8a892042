// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "coordination/ids.h"
#include "kafka/client_conf.h"
#include "kafka/delivery_watch.h"

namespace bellwether::kafka {

/// The plain producer (acks=all) of a member's registrations. It holds no epoch: a candidate has none, and
/// every send of a transactional producer is part of a transaction. One thread at a time.
class Registrar {
public:
    [[nodiscard]] static Result<std::unique_ptr<Registrar>> open(const KafkaConfig& config);

    /// Appends one record to the role's partition; returns when all in-sync replicas have it.
    [[nodiscard]] Result<void> append(const Role& role, const std::string& key,
                                      const std::optional<std::string>& value, std::string_view doing,
                                      const CallLimit& limit);

private:
    explicit Registrar(const KafkaConfig& config);

    KafkaConfig config_;
    std::shared_ptr<DeliveryWatch> deliveries_;
    std::unique_ptr<Client> client_;
};

} // namespace bellwether::kafka
