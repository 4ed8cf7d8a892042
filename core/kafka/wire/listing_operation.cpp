// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/listing_operation.h"

#include <fmt/format.h>

#include "kafka/wire/kafka_error.h"

namespace bellwether::kafka::wire {

ListingOperation::ListingOperation(std::shared_ptr<ClusterClient> client,
                                   std::vector<std::int64_t> producerIds, Millis timeout,
                                   Authority::ListingHandler handler)
    : client_(std::move(client))
    , producerIds_(std::move(producerIds))
    , timeout_(timeout)
    , deadline_(deadlineAfter(timeout))
    , handler_(std::move(handler))
    , deadlineTimer_(client_->io()) {}

void ListingOperation::start() {
    if (producerIds_.empty()) { // to a broker that would mean all of them
        finish();
        return;
    }
    deadlineTimer_.expires_at(deadline_);
    deadlineTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
        if (cancelled || self->done_) {
            return;
        }
        Error error;
        error.code = ErrorCode::timeout;
        error.retriable = true;
        error.what = fmt::format("no answer to ListTransactions within {} ms", self->timeout_.count());
        error.hint = "the broker is slow, stopped or cut off";
        if (!self->knowsBrokers_) {
            self->listing_.silent.push_back(self->lastFailure_.value_or(error));
        }
        for (const auto& [nodeId, trouble] : self->open_) {
            const auto broker = self->client_->broker(nodeId);
            error.where = broker ? broker->where() : std::string{};
            self->listing_.silent.push_back(trouble.value_or(error));
        }
        self->finish();
    });
    fetch();
}

void ListingOperation::cancel(const Error& error) {
    if (!done_) {
        listing_.silent.push_back(error);
        finish();
    }
}

void ListingOperation::fetch() {
    client_->fetchMetadata(std::nullopt, deadline_,
                           [self = shared_from_this()](const Result<MetadataResponse>& metadata) {
                               if (!self->done_) {
                                   self->onMetadata(metadata);
                               }
                           });
}

void ListingOperation::onMetadata(const Result<MetadataResponse>& metadata) {
    if (!metadata) {
        lastFailure_ = metadata.error();
        if (isPermanent(metadata.error())) {
            cancel(metadata.error());
        } else {
            later([this] { fetch(); });
        }
        return;
    }
    knowsBrokers_ = true;
    for (const auto& each : metadata->brokers) {
        open_[each.nodeId];
    }
    for (const auto& each : metadata->brokers) {
        askBroker(each.nodeId);
    }
    if (open_.empty()) {
        finish();
    }
}

void ListingOperation::askBroker(std::int32_t nodeId) {
    const auto connection = client_->broker(nodeId);
    if (!connection) {
        listing_.silent.push_back(
            fail(ErrorCode::unreachable, fmt::format("broker {} has no known address", nodeId)).value());
        settle(nodeId);
        return;
    }
    ListTransactionsRequest request;
    request.producerIds = producerIds_;
    ask<ListTransactionsResponse>(
        connection, std::move(request), deadline_,
        [self = shared_from_this(), nodeId](const Result<Answer<ListTransactionsResponse>>& answer) {
            if (!self->done_ && self->open_.contains(nodeId)) {
                self->onListed(nodeId, answer);
            }
        });
}

void ListingOperation::onListed(std::int32_t nodeId, const Result<Answer<ListTransactionsResponse>>& answer) {
    const auto failure =
        !answer ? std::optional(answer.error())
        : answer->message.errorCode != kNone
            ? std::optional(brokerError(answer->message.errorCode, "the broker does not list transactions",
                                        answer->where))
            : std::nullopt;
    if (failure && !isPermanent(*failure) && failure->code != ErrorCode::unsupported) {
        open_[nodeId] = failure;
        later([this, nodeId] { askBroker(nodeId); });
        return;
    }
    if (failure) {
        listing_.silent.push_back(*failure);
    } else {
        for (const auto& each : answer->message.states) {
            listing_.found.push_back(
                {each.transactionalId, each.producerId, transactionStateFromName(each.state)});
        }
    }
    settle(nodeId);
}

void ListingOperation::later(std::function<void()> again) {
    const auto timer = std::make_shared<asio::steady_timer>(client_->io());
    timer->expires_after(pause_.next());
    timer->async_wait(
        [self = shared_from_this(), timer, again = std::move(again)](const asio::error_code& cancelled) {
            if (!cancelled && !self->done_) {
                again();
            }
        });
}

void ListingOperation::settle(std::int32_t nodeId) {
    open_.erase(nodeId);
    if (open_.empty()) {
        finish();
    }
}

void ListingOperation::finish() {
    if (done_) {
        return;
    }
    done_ = true;
    deadlineTimer_.cancel();
    const auto keep = shared_from_this();
    client_->release(keep);
    const auto handler = std::move(handler_);
    handler(std::move(listing_));
}

} // namespace bellwether::kafka::wire
