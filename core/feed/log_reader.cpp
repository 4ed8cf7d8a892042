// SPDX-License-Identifier: Apache-2.0
#include "feed/log_reader.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace bellwether::feed {

namespace {

constexpr Millis kPollTimeout{100};
constexpr Millis kRetryPause{500};
constexpr std::size_t kBatchRecords = 5'000;

void advance(std::vector<PartitionOffset>& positions, std::int32_t partition, std::int64_t next) {
    const auto found = std::find_if(positions.begin(), positions.end(),
                                    [&](const PartitionOffset& p) { return p.partition == partition; });
    if (found != positions.end()) {
        found->offset = std::max(found->offset, next);
    }
}

} // namespace

LogReader::LogReader(LogConsumerFactory consumers, Isolation isolation, std::vector<PartitionOffset> start,
                     Sink sink)
    : consumers_(std::move(consumers))
    , isolation_(isolation)
    , positions_(std::move(start))
    , sink_(std::move(sink))
    , thread_([this](std::stop_token stop) { run(stop); }) {}

LogReader::~LogReader() {
    thread_.request_stop();
    changed_.notify_all();
}

void LogReader::digested() {
    {
        const std::lock_guard lock(mutex_);
        --undigested_;
    }
    changed_.notify_all();
}

void LogReader::run(std::stop_token stop) {
    while (!stop.stop_requested()) {
        try {
            auto consumer = consumers_(isolation_);
            if (!consumer) {
                deliver({{}, consumer.error(), false}, stop);
            } else if (auto assigned = (*consumer)->assign(positions_); !assigned) {
                deliver({{}, assigned.error(), false}, stop);
                (*consumer)->close();
            } else {
                while (!stop.stop_requested() && readOnce(**consumer, stop)) {
                }
                (*consumer)->close();
            }
        } catch (const std::exception& fault) {
            Error error{.code = ErrorCode::internal,
                        .what = std::string("the reading thread met an unexpected fault: ") + fault.what(),
                        .where = {},
                        .hint = "it goes on by itself; please report it"};
            deliver({{}, std::move(error), true}, stop);
        }
        pause(stop);
    }
}

bool LogReader::readOnce(LogConsumer& consumer, std::stop_token stop) {
    auto batch = consumer.poll(kPollTimeout, kBatchRecords);
    if (!batch) {
        deliver({{}, batch.error(), false}, stop);
        return false;
    }
    if (batch->records.empty() && batch->reachedEnd.empty() && batch->troubles.empty()) {
        return true;
    }
    for (const auto& record : batch->records) {
        advance(positions_, record.position.partition, record.position.offset + 1);
    }
    for (const auto& end : batch->reachedEnd) {
        advance(positions_, end.partition, end.offset);
    }
    deliver({std::move(*batch), std::nullopt, false}, stop);
    return true;
}

void LogReader::deliver(Event event, std::stop_token stop) {
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, stop, [this] { return undigested_ < kMostUndigested; });
        if (stop.stop_requested()) {
            return;
        }
        ++undigested_;
    }
    sink_(std::move(event));
}

void LogReader::pause(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, stop, kRetryPause, [] { return false; });
}

} // namespace bellwether::feed
