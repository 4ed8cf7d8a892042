// SPDX-License-Identifier: Apache-2.0
#include "feed/log_prober.h"

#include <algorithm>
#include <exception>
#include <future>
#include <iterator>
#include <set>
#include <utility>

namespace bellwether::feed {

namespace {

constexpr Millis kRecount{1'000};
constexpr Millis kRetryPause{1'000};

Error survived(const std::exception& fault) {
    return Error{.code = ErrorCode::internal,
                 .what = std::string("the probing thread met an unexpected fault: ") + fault.what(),
                 .where = {},
                 .hint = "it goes on by itself; please report it"};
}

std::vector<PartitionBounds> of(const std::vector<PartitionBounds>& bounds,
                                const std::vector<std::int32_t>& partitions) {
    std::vector<PartitionBounds> some;
    std::copy_if(bounds.begin(), bounds.end(), std::back_inserter(some), [&](const PartitionBounds& each) {
        return std::find(partitions.begin(), partitions.end(), each.partition) != partitions.end();
    });
    return some;
}

} // namespace

LogProber::LogProber(LogConsumerFactory consumers, std::shared_ptr<Clock> clock, Manner manner, Sink sink)
    : consumers_(std::move(consumers))
    , clock_(std::move(clock))
    , manner_(manner)
    , sink_(std::move(sink))
    , thread_([this](std::stop_token stop) { run(stop); }) {}

LogProber::~LogProber() {
    thread_.request_stop();
    changed_.notify_all();
}

void LogProber::ask(std::uint64_t ticket, std::vector<std::int32_t> partitions) {
    {
        const std::lock_guard lock(mutex_);
        questions_.push_back({ticket, std::move(partitions), clock_->steady()});
    }
    changed_.notify_all();
}

void LogProber::run(std::stop_token stop) {
    while (!stop.stop_requested()) {
        try {
            auto committed = consumers_(Isolation::readCommitted);
            auto uncommitted = consumers_(Isolation::readUncommitted);
            if (committed && uncommitted) {
                serve(**committed, **uncommitted, stop);
                (*committed)->close();
                (*uncommitted)->close();
            } else {
                sink_.partitionCount(fail(committed ? uncommitted.error() : committed.error()));
            }
        } catch (const std::exception& fault) {
            sink_.partitionCount(fail(survived(fault)));
        }
        std::unique_lock lock(mutex_);
        changed_.wait_for(lock, stop, kRetryPause, [] { return false; });
    }
}

void LogProber::serve(LogConsumer& committed, LogConsumer& uncommitted, std::stop_token stop) {
    SteadyTime nextCount{};
    while (!stop.stop_requested()) {
        if (manner_.counts && clock_->steady() >= nextCount) {
            sink_.partitionCount(committed.partitionCount(manner_.patience));
            nextCount = clock_->steady() + kRecount;
        }
        std::vector<Question> questions;
        {
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, stop, Millis{200}, [this] { return !questions_.empty(); });
            questions.swap(questions_);
        }
        if (!questions.empty() && !stop.stop_requested()) {
            answer(questions, committed, uncommitted);
        }
    }
}

void LogProber::answer(const std::vector<Question>& questions, LogConsumer& committed,
                       LogConsumer& uncommitted) {
    std::set<std::int32_t> partitions;
    for (const auto& question : questions) {
        const bool waited = question.posedAt < lastEnd_;
        std::copy_if(question.partitions.begin(), question.partitions.end(),
                     std::inserter(partitions, partitions.end()),
                     [&](std::int32_t partition) { return !waited || !silent_.contains(partition); });
    }
    const std::vector<std::int32_t> all(partitions.begin(), partitions.end());
    const auto askedAt = clock_->steady();
    using Bounds = Result<std::vector<PartitionBounds>>;
    const auto boundsOf = [&](LogConsumer& consumer) {
        return all.empty() ? Bounds(std::vector<PartitionBounds>{}) : consumer.bounds(all, manner_.patience);
    };
    auto stableToCome = std::async(std::launch::async, [&] { return boundsOf(committed); });
    const auto high = boundsOf(uncommitted);
    const auto stable = stableToCome.get();
    silent_ = partitions;
    lastEnd_ = clock_->steady();
    if (stable && high) {
        for (const auto& bounds : *stable) {
            silent_.erase(bounds.partition);
        }
    }
    for (const auto& question : questions) {
        ProbedBounds result{.ticket = question.ticket,
                            .partitions = question.partitions,
                            .askedAt = askedAt,
                            .committed = {},
                            .uncommitted = {},
                            .error = {}};
        if (stable && high) {
            result.committed = of(*stable, question.partitions);
            result.uncommitted = of(*high, question.partitions);
        } else {
            result.error = stable ? high.error() : stable.error();
        }
        sink_.bounds(std::move(result));
    }
}

} // namespace bellwether::feed
