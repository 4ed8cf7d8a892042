// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
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
    struct Sink {
        std::function<void(Result<std::int32_t>)>
            partitionCount; ///< at the start until known, then now and then
        std::function<void(ProbedBounds)> bounds;
    }; ///< called on the prober's thread

    LogProber(LogConsumerFactory consumers, std::shared_ptr<Clock> clock, Millis timeout, Sink sink);
    ~LogProber();

    /// The answer carries the ticket. Questions are answered in order; a question that waits while another is
    /// under way is asked on its own, after it.
    void ask(std::uint64_t ticket, std::vector<std::int32_t> partitions);

private:
    struct Question {
        std::uint64_t ticket;
        std::vector<std::int32_t> partitions;
    };

    void run(std::stop_token stop);
    void serve(LogConsumer& committed, LogConsumer& uncommitted, std::stop_token stop);
    void answer(const Question& question, LogConsumer& committed, LogConsumer& uncommitted);

    LogConsumerFactory consumers_;
    std::shared_ptr<Clock> clock_;
    Millis timeout_;
    Sink sink_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Question> questions_;
    std::jthread thread_; ///< last: starts when everything above is there
};

} // namespace bellwether::feed
