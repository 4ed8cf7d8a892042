// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/any_broker.h"

#include <algorithm>

#include <asio/post.hpp>
#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

// The reason that helps most comes first: a peer that is no Kafka broker says more than one that is off.
int weight(const Error& error) {
    switch (error.code) {
    case ErrorCode::refused: return 4;
    case ErrorCode::protocol: return 3;
    case ErrorCode::unsupported: return 2;
    case ErrorCode::unreachable: return error.retriable ? 1 : 2;
    default: return 0;
    }
}

class AnyBrokerCall : public std::enable_shared_from_this<AnyBrokerCall> {
public:
    AnyBrokerCall(asio::io_context& io, std::vector<ConnectionPtr> candidates, AnyBrokerRequest request,
                  AnyBrokerHandler handler)
        : candidates_(std::move(candidates))
        , request_(std::move(request))
        , handler_(std::move(handler))
        , timer_(io) {
        std::stable_sort(candidates_.begin(), candidates_.end(),
                         [](const auto& a, const auto& b) { return a->healthRank() < b->healthRank(); });
    }

    void askNext() {
        if (next_ == candidates_.size()) {
            return;
        }
        const auto connection = candidates_[next_++];
        ++waiting_;
        connection->send(request_.api, request_.versions, request_.encoder, request_.deadline,
                         [self = shared_from_this(), connection](Result<Reply> reply) {
                             self->onReply(std::move(reply), connection);
                         });
        timer_.expires_after(request_.patience);
        timer_.async_wait([self = shared_from_this(), connection](const asio::error_code& cancelled) {
            if (!cancelled && !self->done_) {
                connection->noteSlow();
                self->askNext();
            }
        });
    }

private:
    void onReply(Result<Reply> reply, const ConnectionPtr& connection) {
        --waiting_;
        if (done_) {
            return;
        }
        if (reply) {
            finish(std::move(reply), connection);
            return;
        }
        errors_.push_back(std::move(reply).error());
        if (next_ < candidates_.size()) {
            askNext();
        } else if (waiting_ == 0) {
            finish(fail(summary()), nullptr);
        }
    }

    void finish(Result<Reply> result, const ConnectionPtr& connection) {
        done_ = true;
        timer_.cancel();
        const auto handler = std::move(handler_);
        handler(std::move(result), connection);
    }

    [[nodiscard]] Error summary() const {
        auto best = *std::max_element(errors_.begin(), errors_.end(),
                                      [](const Error& a, const Error& b) { return weight(a) < weight(b); });
        if (errors_.size() > 1) {
            std::string all;
            for (const auto& error : errors_) {
                all += fmt::format("{}{}: {}", all.empty() ? "" : "; ", error.where, error.what);
            }
            best.what = fmt::format("none of {} brokers answers {} ({})", errors_.size(),
                                    toString(request_.api), all);
            best.where.clear();
        }
        return best;
    }

    std::vector<ConnectionPtr> candidates_;
    AnyBrokerRequest request_;
    AnyBrokerHandler handler_;
    asio::steady_timer timer_;
    std::size_t next_ = 0;
    int waiting_ = 0;
    bool done_ = false;
    std::vector<Error> errors_;
};

} // namespace

void askAnyBroker(asio::io_context& io, std::vector<ConnectionPtr> candidates, AnyBrokerRequest request,
                  AnyBrokerHandler handler) {
    if (candidates.empty()) {
        asio::post(io, [handler = std::move(handler)] {
            handler(fail(ErrorCode::internal, "no broker is known", {}, "give a bootstrap address"), nullptr);
        });
        return;
    }
    std::make_shared<AnyBrokerCall>(io, std::move(candidates), std::move(request), std::move(handler))
        ->askNext();
}

} // namespace bellwether::kafka::wire
