// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/producers_operation.h"

#include <limits>
#include <utility>

#include <fmt/format.h>

#include "kafka/wire/kafka_error.h"

namespace bellwether::kafka::wire {
namespace {

Result<std::vector<PartitionProducer>> producersOf(const DescribeProducersResponse::Partition& partition,
                                                   const std::string& where) {
    std::vector<PartitionProducer> producers;
    for (const auto& each : partition.producers) {
        if (each.producerEpoch < -1 || each.producerEpoch > std::numeric_limits<std::int16_t>::max()) {
            return fail(ErrorCode::protocol,
                        fmt::format("DescribeProducers answers with producer epoch {}", each.producerEpoch),
                        where, "an epoch has 16 bits; the broker or a proxy before it is at fault");
        }
        PartitionProducer producer;
        producer.producer = FencingToken{each.producerId, static_cast<std::int16_t>(each.producerEpoch)};
        if (each.transactionStartOffset >= 0) {
            producer.openSince = each.transactionStartOffset;
        }
        if (each.lastTimestamp >= 0) {
            producer.lastTimestamp = wallTime(each.lastTimestamp);
        }
        producers.push_back(producer);
    }
    return producers;
}

} // namespace

ProducersOperation::ProducersOperation(std::shared_ptr<ClusterClient> client, std::string topic,
                                       const std::vector<std::int32_t>& partitions, Millis timeout,
                                       Authority::ProducersHandler handler)
    : client_(std::move(client))
    , topic_(std::move(topic))
    , timeout_(timeout)
    , deadline_(deadlineAfter(timeout))
    , missingDeadline_(std::min(deadline_, deadlineAfter(kMissingGrace)))
    , handler_(std::move(handler))
    , open_(partitions.begin(), partitions.end())
    , retryTimer_(client_->io())
    , deadlineTimer_(client_->io()) {}

std::string ProducersOperation::where(std::int32_t partition) const {
    return fmt::format("{}[{}]", topic_, partition);
}

void ProducersOperation::start() {
    deadlineTimer_.expires_at(deadline_);
    deadlineTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
        if (cancelled || self->done_) {
            return;
        }
        for (const auto partition : std::set(self->open_)) {
            self->client_->forgetLeader(self->topic_, partition);
            Error error;
            error.code = ErrorCode::timeout;
            error.retriable = true;
            error.what = fmt::format("no answer to DescribeProducers within {} ms", self->timeout_.count());
            error.where = self->where(partition);
            error.hint = "the partition's leader is slow, stopped or cut off";
            if (const auto last = self->lastFailure_.find(partition); last != self->lastFailure_.end()) {
                error.what += "; last: " + last->second.what;
                error.kafkaCode = last->second.kafkaCode;
                error.hint = last->second.hint;
            }
            self->give(partition, fail(std::move(error)));
        }
        self->deliver();
    });
    proceed({open_.begin(), open_.end()});
    deliver();
}

void ProducersOperation::cancel(const Error& error) {
    for (const auto partition : std::set(open_)) {
        give(partition, fail(error));
    }
    deliver();
}

void ProducersOperation::proceed(const Partitions& partitions) {
    std::map<std::int32_t, Partitions> byLeader;
    Partitions unknown;
    for (const auto partition : partitions) {
        if (!open_.contains(partition)) {
            continue;
        }
        if (const auto leader = client_->leaderOf(topic_, partition)) {
            byLeader[*leader].push_back(partition);
        } else {
            unknown.push_back(partition);
        }
    }
    for (const auto& [leader, some] : byLeader) {
        askLeader(leader, some);
    }
    if (!unknown.empty()) {
        client_->fetchMetadata(
            topic_, deadline_,
            [self = shared_from_this(), unknown](const Result<MetadataResponse>& metadata) {
                if (!self->done_) {
                    self->onMetadata(unknown, metadata);
                    self->deliver();
                }
            });
    }
}

void ProducersOperation::onMetadata(const Partitions& wanted, const Result<MetadataResponse>& metadata) {
    std::map<std::int32_t, Partitions> byLeader;
    std::int16_t topicCode = metadata && metadata->topics.empty() ? kUnknownTopicOrPartition : kNone;
    if (metadata && !metadata->topics.empty()) {
        topicCode = metadata->topics.front().errorCode;
    }
    for (const auto partition : wanted) {
        if (!metadata) {
            failOrRetry(partition, metadata.error());
        } else if (topicCode != kNone) {
            failOrRetry(partition, brokerError(topicCode, "the topic cannot be looked up", where(partition)));
        } else if (const auto leader = client_->leaderOf(topic_, partition)) {
            byLeader[*leader].push_back(partition);
        } else {
            std::int16_t code = kUnknownTopicOrPartition;
            for (const auto& each : metadata->topics.front().partitions) {
                if (each.index == partition) {
                    code = each.errorCode == kNone ? std::int16_t{kLeaderNotAvailable} : each.errorCode;
                }
            }
            failOrRetry(partition, brokerError(code, "the partition has no known leader", where(partition)));
        }
    }
    for (const auto& [leader, some] : byLeader) {
        askLeader(leader, some);
    }
}

void ProducersOperation::askLeader(std::int32_t nodeId, const Partitions& partitions) {
    const auto leader = client_->broker(nodeId);
    if (!leader) {
        Error error;
        error.code = ErrorCode::unreachable;
        error.retriable = true;
        error.what = fmt::format("the leader, broker {}, has no known address", nodeId);
        for (const auto partition : partitions) {
            retryLater(partition, error);
        }
        return;
    }
    DescribeProducersRequest request;
    request.topics = {{topic_, partitions}};
    ask<DescribeProducersResponse>(
        leader, std::move(request), deadline_,
        [self = shared_from_this(), partitions](const Result<Answer<DescribeProducersResponse>>& answer) {
            if (!self->done_) {
                self->onDescribed(partitions, answer);
                self->deliver();
            }
        });
}

void ProducersOperation::onDescribed(const Partitions& partitions,
                                     const Result<Answer<DescribeProducersResponse>>& answer) {
    if (!answer) {
        for (const auto partition : partitions) {
            failOrRetry(partition, answer.error());
        }
        return;
    }
    std::map<std::int32_t, const DescribeProducersResponse::Partition*> byIndex;
    for (const auto& topic : answer->message.topics) {
        if (topic.name == topic_) {
            for (const auto& each : topic.partitions) {
                byIndex[each.index] = &each;
            }
        }
    }
    for (const auto partition : partitions) {
        const auto found = byIndex.find(partition);
        if (found == byIndex.end()) {
            give(partition, fail(ErrorCode::protocol, "DescribeProducers was answered without this partition",
                                 where(partition), "the broker or a proxy before it is at fault"));
        } else if (found->second->errorCode != kNone) {
            failOrRetry(partition, brokerError(found->second->errorCode,
                                               "the leader does not list the producers", where(partition)));
        } else {
            give(partition, producersOf(*found->second, where(partition)));
        }
    }
}

void ProducersOperation::failOrRetry(std::int32_t partition, const Error& failure) {
    const bool missing =
        failure.code == ErrorCode::topicMissing && std::chrono::steady_clock::now() >= missingDeadline_;
    const bool passing = !isPermanent(failure) && (failure.kafkaCode == kNone || failure.retriable);
    if (missing || !passing) {
        give(partition, fail(failure));
    } else {
        retryLater(partition, failure);
    }
}

void ProducersOperation::retryLater(std::int32_t partition, const Error& failure) {
    lastFailure_[partition] = failure;
    client_->forgetLeader(topic_, partition);
    retry_.push_back(partition);
    if (retryArmed_) {
        return;
    }
    retryArmed_ = true;
    retryTimer_.expires_after(pause_.next());
    retryTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
        self->retryArmed_ = false;
        if (!cancelled && !self->done_) {
            const auto partitions = std::move(self->retry_);
            self->retry_.clear();
            self->proceed(partitions);
        }
    });
}

void ProducersOperation::give(std::int32_t partition, Result<std::vector<PartitionProducer>> producers) {
    if (open_.erase(partition) > 0) {
        given_.push_back({partition, std::move(producers)});
    }
}

void ProducersOperation::deliver() {
    const bool last = open_.empty();
    if (done_ || (given_.empty() && !last)) {
        return;
    }
    done_ = last;
    auto batch = std::exchange(given_, {});
    if (!last) {
        handler_(std::move(batch), false);
        return;
    }
    retryTimer_.cancel();
    deadlineTimer_.cancel();
    const auto keep = shared_from_this();
    client_->release(keep);
    const auto handler = std::move(handler_);
    handler(std::move(batch), true);
}

} // namespace bellwether::kafka::wire
