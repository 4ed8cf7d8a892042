// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "kafka/client_listener.h"

namespace bellwether::kafka {

/// Follows the fate of a producer's records. Thread safe.
class DeliveryWatch : public ClientListener {
public:
    void delivered(std::uintptr_t ticket, const Fault& fault) override;

    /// A number for the next record; reports that nobody waited for are forgotten.
    [[nodiscard]] std::uintptr_t newTicket();
    /// Waits for the delivery report of `ticket`, at most `timeout`; code 0 is a success.
    [[nodiscard]] std::optional<Fault> waitForDelivery(std::uintptr_t ticket, Millis timeout);

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::uintptr_t lastTicket_ = 0;
    std::map<std::uintptr_t, Fault> reports_;
};

} // namespace bellwether::kafka
