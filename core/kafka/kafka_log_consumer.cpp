// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_log_consumer.h"

#include <algorithm>
#include <mutex>

#include "kafka/cluster_query.h"
#include "kafka/consumer_troubles.h"
#include "kafka/log_consumer_handle.h"

namespace bellwether::kafka {
namespace {

using Message = std::unique_ptr<rd_kafka_message_t, Destroyer<rd_kafka_message_destroy>>;

std::optional<std::string> bytes(const void* data, std::size_t size) {
    if (data == nullptr) {
        return std::nullopt;
    }
    return std::string(static_cast<const char*>(data), size);
}

ConsumedRecord toRecord(const rd_kafka_message_t& message) {
    ConsumedRecord record;
    record.position.partition = message.partition;
    record.position.offset = message.offset;
    rd_kafka_timestamp_type_t type = RD_KAFKA_TIMESTAMP_NOT_AVAILABLE;
    const auto timestamp = rd_kafka_message_timestamp(&message, &type);
    if (type != RD_KAFKA_TIMESTAMP_NOT_AVAILABLE) {
        record.position.timestamp = wallTime(timestamp);
        record.position.timestampType = type == RD_KAFKA_TIMESTAMP_LOG_APPEND_TIME
                                            ? TimestampType::logAppendTime
                                            : TimestampType::createTime;
    }
    record.key = bytes(message.key, message.key_len);
    record.value = bytes(message.payload, message.len);
    return record;
}

class KafkaLogConsumer final : public LogConsumer {
public:
    KafkaLogConsumer(const KafkaConfig& config, std::shared_ptr<ConsumerTroubles> troubles,
                     std::shared_ptr<Client> consumer, std::shared_ptr<Client> asker, Isolation isolation,
                     const std::atomic<bool>* closing)
        : topic_(config.topic)
        , place_{config.bootstrap, config.topic, {}, {}, {}}
        , isolation_(isolation)
        , closing_(closing == nullptr ? ownClosing_ : *closing)
        , troubles_(std::move(troubles))
        , consumer_(std::move(consumer))
        , asker_(std::move(asker))
        , queue_(rd_kafka_queue_get_consumer(consumer_->get())) {}

    ~KafkaLogConsumer() override { shut(); }

    Result<std::int32_t> partitionCount(Millis timeout) override;
    Result<void> assign(const std::vector<PartitionOffset>& start) override;
    Result<PollBatch> poll(Millis timeout, std::size_t maxRecords) override;
    Result<std::vector<PartitionBounds>> bounds(const std::vector<std::int32_t>& partitions,
                                                Millis timeout) override;
    void wakeUp() override;

    void close() override { shut(); }

private:
    void shut();
    void take(Message message, PollBatch& batch);

    const std::string topic_;
    const Place place_;
    const Isolation isolation_;
    std::atomic<bool> ownClosing_{false};
    const std::atomic<bool>& closing_;
    std::mutex mutex_; ///< one call at a time; close() ends the one in progress first
    std::mutex queueMutex_;
    std::shared_ptr<ConsumerTroubles> troubles_;
    std::shared_ptr<Client> consumer_; ///< null once closed
    std::shared_ptr<Client> asker_;
    Queue queue_; ///< goes before the consumer
    std::vector<rd_kafka_message_t*> buffer_;
};

Result<std::int32_t> KafkaLogConsumer::partitionCount(Millis timeout) {
    const std::scoped_lock lock(mutex_);
    if (!consumer_) {
        return fail(closedError("asking for the topic's partitions", place_));
    }
    return askPartitionCount(*asker_, topic_, CallLimit(timeout, closing_));
}

Result<std::vector<PartitionBounds>> KafkaLogConsumer::bounds(const std::vector<std::int32_t>& partitions,
                                                              Millis timeout) {
    const std::scoped_lock lock(mutex_);
    if (!consumer_) {
        return fail(closedError("asking for the partitions' offsets", place_));
    }
    return askBounds(*asker_, topic_, partitions, isolation_, CallLimit(timeout, closing_));
}

Result<void> KafkaLogConsumer::assign(const std::vector<PartitionOffset>& start) {
    constexpr std::string_view kDoing = "choosing what to read";
    const std::scoped_lock lock(mutex_);
    if (!consumer_) {
        return fail(closedError(kDoing, place_));
    }
    const PartitionList list(rd_kafka_topic_partition_list_new(static_cast<int>(start.size())));
    for (const auto& [partition, offset] : start) {
        if (partition < 0 || offset < 0) {
            return fail(ErrorCode::invalidArgument, "a partition or offset to read is negative",
                        place_.text());
        }
        // An explicit offset, never "the beginning": the library resolves that with a delay of half a second.
        rd_kafka_topic_partition_list_add(list.get(), topic_.c_str(), partition)->offset = offset;
    }
    const auto code = rd_kafka_assign(consumer_->get(), start.empty() ? nullptr : list.get());
    if (code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return fail(toError(faultOf(code), kDoing, place_));
    }
    return {};
}

void KafkaLogConsumer::take(Message message, PollBatch& batch) {
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
        batch.records.push_back(toRecord(*message));
    } else if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
        batch.reachedEnd.push_back({message->partition, message->offset});
    } else if (message->rkt != nullptr && message->partition >= 0) {
        troubles_->partitionProblem(faultOf(message->err, rd_kafka_message_errstr(message.get())),
                                    message->partition);
    } else {
        troubles_->problem(faultOf(message->err, rd_kafka_message_errstr(message.get())));
    }
}

Result<PollBatch> KafkaLogConsumer::poll(Millis timeout, std::size_t maxRecords) {
    const std::scoped_lock lock(mutex_);
    // The flag too: a caller that polls in a loop would otherwise take the lock again before close() gets it.
    if (!consumer_ || ownClosing_) {
        return fail(closedError("reading the topic", place_));
    }
    PollBatch batch;
    // A batch call waits until it is full: so wait for the first record, then take what else is there.
    const auto wait = std::clamp<std::int64_t>(timeout.count(), 0, 60'000);
    if (Message first(rd_kafka_consume_queue(queue_.get(), static_cast<int>(wait))); first) {
        take(std::move(first), batch);
        buffer_.resize(std::max<std::size_t>(maxRecords, 1) - 1);
        const auto count = rd_kafka_consume_batch_queue(queue_.get(), 0, buffer_.data(), buffer_.size());
        for (std::size_t i = 0; count > 0 && i < static_cast<std::size_t>(count); ++i) {
            take(Message(buffer_[i]), batch);
        }
        if (!batch.records.empty() || !batch.reachedEnd.empty()) {
            consumer_->diary().noteReached();
        }
    }
    batch.troubles = troubles_->drain();
    return batch;
}

void KafkaLogConsumer::wakeUp() {
    const std::scoped_lock lock(queueMutex_);
    if (queue_) {
        rd_kafka_queue_yield(queue_.get());
    }
}

void KafkaLogConsumer::shut() {
    ownClosing_ = true;
    wakeUp();
    const std::scoped_lock lock(mutex_);
    {
        const std::scoped_lock queueLock(queueMutex_);
        queue_.reset();
    }
    asker_.reset();
    consumer_.reset();
}

} // namespace

Result<std::shared_ptr<Client>> openAsker(const KafkaConfig& config) {
    auto conf = makeConf(config, ClientPurpose::asking);
    if (!conf) {
        return fail(std::move(conf.error()));
    }
    auto client = Client::make(RD_KAFKA_PRODUCER, std::move(*conf), config, nullptr);
    if (!client) {
        return fail(std::move(client.error()));
    }
    return std::shared_ptr<Client>(std::move(*client));
}

Result<std::unique_ptr<LogConsumer>> openLogConsumer(const KafkaConfig& config, ClientPurpose purpose,
                                                     Isolation isolation, std::shared_ptr<Client> asker,
                                                     const std::atomic<bool>* closing) {
    auto conf = makeConf(
        config, purpose,
        {{"isolation.level", isolation == Isolation::readCommitted ? "read_committed" : "read_uncommitted"}});
    if (!conf) {
        return fail(std::move(conf.error()));
    }
    auto troubles = std::make_shared<ConsumerTroubles>(Place{config.bootstrap, config.topic, {}, {}, {}});
    auto made = Client::make(RD_KAFKA_CONSUMER, std::move(*conf), config, troubles);
    if (!made) {
        return fail(std::move(made.error()));
    }
    std::shared_ptr<Client> consumer(std::move(*made));
    auto answering = asker ? std::move(asker) : consumer;
    return std::make_unique<KafkaLogConsumer>(config, std::move(troubles), std::move(consumer),
                                              std::move(answering), isolation, closing);
}

LogConsumerFactory makeKafkaLogConsumers(KafkaConfig config) {
    struct Shared {
        std::mutex mutex;
        std::weak_ptr<Client> asker;
    };

    auto shared = std::make_shared<Shared>();
    return [config = std::move(config), shared](Isolation isolation) -> Result<std::unique_ptr<LogConsumer>> {
        if (auto checked = checkConfig(config); !checked) {
            return fail(std::move(checked.error()));
        }
        const std::scoped_lock lock(shared->mutex);
        auto asker = shared->asker.lock();
        if (!asker) {
            auto opened = openAsker(config);
            if (!opened) {
                return fail(std::move(opened.error()));
            }
            asker = std::move(*opened);
            shared->asker = asker;
        }
        return openLogConsumer(config, ClientPurpose::watching, isolation, std::move(asker), nullptr);
    };
}

} // namespace bellwether::kafka
