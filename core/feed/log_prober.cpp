// SPDX-License-Identifier: Apache-2.0
#include "feed/log_prober.h"

#include <exception>
#include <utility>

namespace bellwether::feed {

namespace {

constexpr Millis kRecount{5'000};
constexpr Millis kRetryPause{1'000};

Error survived(const std::exception& fault) {
    return Error{.code = ErrorCode::internal,
                 .what = std::string("the probing thread met an unexpected fault: ") + fault.what(),
                 .where = {},
                 .hint = "it goes on by itself; please report it"};
}

} // namespace

LogProber::LogProber(LogConsumerFactory consumers, std::shared_ptr<Clock> clock, Millis timeout, Sink sink)
    : consumers_(std::move(consumers))
    , clock_(std::move(clock))
    , timeout_(timeout)
    , sink_(std::move(sink))
    , thread_([this](std::stop_token stop) { run(stop); }) {}

LogProber::~LogProber() {
    thread_.request_stop();
    changed_.notify_all();
}

void LogProber::ask(std::uint64_t ticket, std::vector<std::int32_t> partitions) {
    {
        const std::lock_guard lock(mutex_);
        questions_.push_back({ticket, std::move(partitions)});
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
        if (clock_->steady() >= nextCount) {
            auto count = committed.partitionCount(timeout_);
            nextCount = clock_->steady() + (count ? kRecount : kRetryPause);
            sink_.partitionCount(std::move(count));
        }
        std::optional<Question> question;
        {
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, stop, Millis{200}, [this] { return !questions_.empty(); });
            if (!questions_.empty()) {
                question = std::move(questions_.front());
                questions_.pop_front();
            }
        }
        if (question && !stop.stop_requested()) {
            answer(*question, committed, uncommitted);
        }
    }
}

void LogProber::answer(const Question& question, LogConsumer& committed, LogConsumer& uncommitted) {
    ProbedBounds result{.ticket = question.ticket,
                        .partitions = question.partitions,
                        .askedAt = clock_->steady(),
                        .committed = {},
                        .uncommitted = {},
                        .error = {}};
    sink_.partitionCount(committed.partitionCount(timeout_));
    const Millis each = timeout_ / 2;
    auto stable = committed.bounds(question.partitions, each);
    auto high = stable ? uncommitted.bounds(question.partitions, each) : stable;
    if (stable && high) {
        result.committed = std::move(*stable);
        result.uncommitted = std::move(*high);
    } else {
        result.error = stable ? high.error() : stable.error();
    }
    sink_.bounds(std::move(result));
}

} // namespace bellwether::feed
