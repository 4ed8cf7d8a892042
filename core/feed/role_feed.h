// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "feed/snapshot.h"
#include "ports/clock.h"
#include "ports/log_consumer.h"

namespace bellwether {

struct FeedOptions {
    std::string endpoint; ///< shown as it is
    std::string topic{kDefaultTopic};
    LeaseTiming assumedTiming;
    Millis stalenessBound{10'000};
    Millis cadence{1'000}; ///< how often every role is asked
    Millis requestTimeout{2'000};
};

/// Watches the topic and the coordinators and joins them into snapshots. Two readers follow every partition,
/// one read_committed, one read_uncommitted for the tail; the coordinator is asked in rounds, at once for a
/// role that changed. In each round the coordinator answers first, then producers and bounds are asked, then
/// both readers go past those bounds, then the verdicts are made (order matters, docs/verdicts.md). Runs on
/// threads of its own between start() and stop(); never throws from them.
class RoleFeed final : public SnapshotSource {
public:
    RoleFeed(FeedOptions options, LogConsumerFactory consumers, std::shared_ptr<Authority> authority,
             std::shared_ptr<Clock> clock);
    ~RoleFeed() override;

    void start();
    /// Returns when the threads are done; bounded by the consumers' close.
    void stop();

    [[nodiscard]] std::shared_ptr<const Snapshot> latest() const override;
    void onSnapshot(std::function<void()> listener) override;
    void refresh() override;

private:
    class Engine;
    std::unique_ptr<Engine> engine_;
};

} // namespace bellwether
