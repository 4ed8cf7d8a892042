// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

#include "coordination/time.h"
#include "kafka/wire/messages.h"

namespace bellwether::kafka::wire {

using Instant = std::chrono::steady_clock::time_point;

/// An answer, with the moments its soundness rests on.
struct Reply {
    std::int16_t version = 0;
    Bytes frame;
    std::size_t bodyOffset = 0;
    Instant sentAt;     ///< just before the first byte of the request was handed to the system
    Instant receivedAt; ///< the frame's last byte had arrived
    WallTime receivedWall{};

    [[nodiscard]] ByteView body() const { return ByteView(frame).subspan(bodyOffset); }
};

using ReplyHandler = std::function<void(Result<Reply>)>;
using Encoder = std::function<Result<Bytes>(std::int16_t version)>;

struct Outstanding {
    ApiKey api{};
    VersionRange versions; ///< those the encoder knows
    Encoder encoder;
    Instant deadline;
    ReplyHandler handler;
    std::int32_t id = 0; ///< correlation id, given by the queue
    std::int16_t version = 0;
    Instant sentAt;
};

/// The requests of one connection: waiting to be written, or written and waiting for their answers, which
/// come in the order of the requests. A request that is finished early (its deadline) keeps its place among
/// the written ones, so that its late answer is recognised. Pure: time is an argument.
class RequestQueue {
public:
    using Item = std::shared_ptr<Outstanding>;

    void add(Outstanding request);

    /// The next to be written, or null.
    [[nodiscard]] Item nextUnwritten();
    /// nextUnwritten() was written (and waits for its answer), or could not be.
    void unwrittenIsWritten();
    void unwrittenIsFinished();

    struct Answered {
        ApiKey api{};
        std::int16_t version = 0;
        Item item; ///< null when the request was finished before
    };

    /// The oldest written request, when `id` is its correlation id; nothing otherwise: a protocol error.
    [[nodiscard]] std::optional<Answered> answered(std::int32_t id);

    struct Expired {
        Item item;
        bool written = false;
    };

    /// Removes what is due.
    [[nodiscard]] std::vector<Expired> expire(Instant now);
    [[nodiscard]] std::optional<Instant> earliestDeadline() const;

    /// Removes everything; the ones not finished yet are returned.
    [[nodiscard]] std::vector<Item> drain();
    /// The connection is gone: written requests that are not finished wait to be written again, in their
    /// order.
    void rewind();

    /// The peer owes an answer, to whomever.
    [[nodiscard]] bool awaitsAnswer() const noexcept { return !written_.empty(); }

    /// Requests not finished.
    [[nodiscard]] bool empty() const noexcept { return live_.empty(); }

private:
    void finish(const Item& item);

    [[nodiscard]] bool isLive(const Item& item) const { return live_.count(item->id) != 0; }

    std::int32_t nextId_ = 1;
    std::deque<Item> unwritten_;
    std::deque<Item> written_;
    std::unordered_map<std::int32_t, Item> live_;
    std::set<std::pair<Instant, std::int32_t>> deadlines_;
};

} // namespace bellwether::kafka::wire
