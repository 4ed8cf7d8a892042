// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <map>
#include <memory>

#include "ports/log_consumer.h"
#include "sandbox/cluster_core.h"

namespace bellwether::sandbox {

/// Reads a sandbox cluster's topic. Timeouts are real time, whatever the cluster's clock does. A wakeUp()
/// that finds no poll() in progress makes the next one return early, so that none is lost.
class SandboxLogConsumer final : public LogConsumer {
public:
    SandboxLogConsumer(std::shared_ptr<ClusterCore> core, Isolation isolation)
        : core_(std::move(core))
        , isolation_(isolation) {}

    ~SandboxLogConsumer() override { SandboxLogConsumer::close(); }

    Result<std::int32_t> partitionCount(Millis timeout) override;
    Result<void> assign(const std::vector<PartitionOffset>& start) override;
    Result<PollBatch> poll(Millis timeout, std::size_t maxRecords) override;
    Result<std::vector<PartitionBounds>> bounds(const std::vector<std::int32_t>& partitions,
                                                Millis timeout) override;
    void wakeUp() override;
    void close() override;

private:
    struct Position {
        std::int64_t next = 0;
        std::int64_t reportedEnd = -1;
    };

    [[nodiscard]] PollBatch collect(std::size_t maxRecords);

    std::shared_ptr<ClusterCore> core_;
    const Isolation isolation_;
    std::map<std::int32_t, Position> positions_;
    std::int32_t firstServed_ = 0; ///< partitions take turns at being read first
    std::atomic<bool> wakeUp_ = false;
    std::atomic<bool> closed_ = false;
};

} // namespace bellwether::sandbox
