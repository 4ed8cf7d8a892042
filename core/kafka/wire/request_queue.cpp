// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/request_queue.h"

#include <algorithm>
#include <limits>

namespace bellwether::kafka::wire {

void RequestQueue::add(Outstanding request) {
    request.id = nextId_;
    nextId_ = nextId_ == std::numeric_limits<std::int32_t>::max() ? 1 : nextId_ + 1;
    auto item = std::make_shared<Outstanding>(std::move(request));
    deadlines_.emplace(item->deadline, item->id);
    live_.emplace(item->id, item);
    unwritten_.push_back(std::move(item));
}

void RequestQueue::finish(const Item& item) {
    deadlines_.erase({item->deadline, item->id});
    live_.erase(item->id);
}

RequestQueue::Item RequestQueue::nextUnwritten() {
    while (!unwritten_.empty() && !isLive(unwritten_.front())) {
        unwritten_.pop_front();
    }
    return unwritten_.empty() ? nullptr : unwritten_.front();
}

void RequestQueue::unwrittenIsWritten() {
    written_.push_back(std::move(unwritten_.front()));
    unwritten_.pop_front();
}

void RequestQueue::unwrittenIsFinished() {
    finish(unwritten_.front());
    unwritten_.pop_front();
}

std::optional<RequestQueue::Answered> RequestQueue::answered(std::int32_t id) {
    if (written_.empty() || written_.front()->id != id) {
        return std::nullopt;
    }
    auto item = std::move(written_.front());
    written_.pop_front();
    Answered result{item->api, item->version, nullptr};
    if (isLive(item)) {
        finish(item);
        result.item = std::move(item);
    }
    return result;
}

std::vector<RequestQueue::Expired> RequestQueue::expire(Instant now) {
    std::vector<Expired> expired;
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
        const auto item = live_.at(deadlines_.begin()->second);
        finish(item);
        expired.push_back({item, item->sentAt != Instant{}});
    }
    return expired;
}

std::optional<Instant> RequestQueue::earliestDeadline() const {
    if (deadlines_.empty()) {
        return std::nullopt;
    }
    return deadlines_.begin()->first;
}

std::vector<RequestQueue::Item> RequestQueue::drain() {
    std::vector<Item> unfinished;
    for (const auto* queue : {&written_, &unwritten_}) {
        std::copy_if(queue->begin(), queue->end(), std::back_inserter(unfinished),
                     [this](const Item& item) { return isLive(item); });
    }
    written_.clear();
    unwritten_.clear();
    live_.clear();
    deadlines_.clear();
    return unfinished;
}

void RequestQueue::rewind() {
    while (!written_.empty()) {
        if (isLive(written_.back())) {
            written_.back()->sentAt = Instant{};
            unwritten_.push_front(std::move(written_.back()));
        }
        written_.pop_back();
    }
}

} // namespace bellwether::kafka::wire
