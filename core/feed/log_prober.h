// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

#include "ports/clock.h"
#include "ports/log_consumer.h"

namespace bellwether::feed {

/// Bounds of some partitions at both isolation levels, asked after askedAt.
struct ProbedBounds {
    std::uint64_t ticket = 0;
    std::vector<std::int32_t> partitions; ///< those asked about
    SteadyTime askedAt{};
    std::vector<PartitionBounds> committed;   ///< end = last stable offset
    std::vector<PartitionBounds> uncommitted; ///< end = high watermark
    std::optional<Error> error;
};

/// A thread that asks the brokers how far the log reaches, on handles of its own, so that a question never
/// waits behind a reader's long poll nor holds a reader up.
class LogProber {
public:
    /// How a prober goes about it. Both isolation levels are asked at the same time, each for `patience`.
    struct Manner {
        Millis patience{800};
        bool counts = false; ///< asks for the number of partitions, once a second
    };

    struct Sink {
        std::function<void(Result<std::int32_t>)>
            partitionCount; ///< of a prober that counts; of others when they have no handles
        std::function<void(ProbedBounds)> bounds;
    }; ///< called on the prober's thread

    LogProber(LogConsumerFactory consumers, std::shared_ptr<Clock> clock, Manner manner, Sink sink);
    ~LogProber();

    /// The answer carries the ticket. Questions that wait while others are under way are asked together,
    /// after them; whoever was silent to the one before is left out there. So silence costs one wait, however
    /// many questions there are.
    void ask(std::uint64_t ticket, std::vector<std::int32_t> partitions);

private:
    struct Question {
        std::uint64_t ticket;
        std::vector<std::int32_t> partitions;
        SteadyTime posedAt{};
    };

    void run(std::stop_token stop);
    void serve(LogConsumer& committed, LogConsumer& uncommitted, std::stop_token stop);
    void answer(const std::vector<Question>& questions, LogConsumer& committed, LogConsumer& uncommitted);

    LogConsumerFactory consumers_;
    std::shared_ptr<Clock> clock_;
    Manner manner_;
    Sink sink_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::set<std::int32_t> silent_; ///< of the last asking; the prober's thread alone
    SteadyTime lastEnd_{};
    std::vector<Question> questions_;
    std::jthread thread_; ///< last: starts when everything above is there
};

} // namespace bellwether::feed
