// SPDX-License-Identifier: Apache-2.0
#include "kafka/delivery_watch.h"

namespace bellwether::kafka {

void DeliveryWatch::delivered(std::uintptr_t ticket, const Fault& fault) {
    const std::scoped_lock lock(mutex_);
    reports_[ticket] = fault;
    arrived_.notify_all();
}

std::uintptr_t DeliveryWatch::newTicket() {
    const std::scoped_lock lock(mutex_);
    reports_.clear();
    return ++lastTicket_;
}

std::optional<Fault> DeliveryWatch::waitForDelivery(std::uintptr_t ticket, Millis timeout) {
    std::unique_lock lock(mutex_);
    if (!arrived_.wait_for(lock, timeout, [&] { return reports_.contains(ticket); })) {
        return std::nullopt;
    }
    auto report = reports_.extract(ticket);
    return std::move(report.mapped());
}

} // namespace bellwether::kafka
