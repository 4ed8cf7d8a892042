// SPDX-License-Identifier: Apache-2.0
#include "feed/role_feed.h"

#include <utility>

#include "feed/engine.h"

namespace bellwether {

RoleFeed::RoleFeed(FeedOptions options, LogConsumerFactory consumers, std::shared_ptr<Authority> authority,
                   std::shared_ptr<Clock> clock)
    : engine_(std::make_unique<Engine>(std::move(options), std::move(consumers), std::move(authority),
                                       std::move(clock))) {}

RoleFeed::~RoleFeed() {
    stop();
}

void RoleFeed::start() {
    engine_->start();
}

void RoleFeed::stop() {
    engine_->stop();
}

std::shared_ptr<const Snapshot> RoleFeed::latest() const {
    return engine_->latest();
}

void RoleFeed::onSnapshot(std::function<void()> listener) {
    engine_->onSnapshot(std::move(listener));
}

void RoleFeed::refresh() {
    engine_->refresh();
}

} // namespace bellwether
