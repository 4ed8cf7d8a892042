// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "ports/log_consumer.h"

namespace bellwether::feed {

/// A thread that reads the topic at one isolation level from given offsets and hands batches to `sink`. Holds
/// back while kMostUndigested batches have not been digested, so that a slow engine slows the reader and not
/// the memory.
class LogReader {
public:
    struct Event {
        PollBatch batch;
        std::optional<Error> failure; ///< the consumer could not be opened or polled; it is tried again
        bool survived = false;        ///< an exception was caught
    };

    using Sink = std::function<void(Event)>; ///< called on the reader's thread; must not block for long

    LogReader(LogConsumerFactory consumers, Isolation isolation, std::vector<PartitionOffset> start,
              Sink sink);
    /// Joins: at most one poll plus the consumer's close.
    ~LogReader();

    /// The engine is done with one batch.
    void digested();

private:
    static constexpr int kMostUndigested = 8;

    void run(std::stop_token stop);
    bool readOnce(LogConsumer& consumer, std::stop_token stop);
    void deliver(Event event, std::stop_token stop);
    void pause(std::stop_token stop);

    LogConsumerFactory consumers_;
    Isolation isolation_;
    std::vector<PartitionOffset> positions_; ///< where to go on after the consumer had to be opened again
    Sink sink_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    int undigested_ = 0;
    std::jthread thread_; ///< last: starts when everything above is there
};

} // namespace bellwether::feed
