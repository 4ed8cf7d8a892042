// SPDX-License-Identifier: Apache-2.0
#include "kafka/cluster_query.h"

#include <algorithm>
#include <map>

namespace bellwether::kafka {
namespace {

constexpr Millis kSlice{50};
constexpr Millis kNudgeAfter{1'000};

using Topics = std::unique_ptr<rd_kafka_TopicCollection_t, Destroyer<rd_kafka_TopicCollection_destroy>>;

AdminOptions adminOptions(const Client& client, rd_kafka_admin_op_t operation, const CallLimit& limit) {
    AdminOptions options(rd_kafka_AdminOptions_new(client.get(), operation));
    std::array<char, 128> reason{};
    // The library's own timer only ends what this call has left behind; the caller's wait is CallLimit's.
    const auto timeout = static_cast<int>(std::max<std::int64_t>(1'000, limit.remaining().count()));
    rd_kafka_AdminOptions_set_request_timeout(options.get(), timeout, reason.data(), reason.size());
    return options;
}

/// The next event of the queue, or the reason why the call ends without one.
Result<Event> nextEvent(const Client& client, rd_kafka_queue_t* queue, const CallLimit& limit,
                        std::string_view doing, const Place& place) {
    MetadataNudge nudge(client);
    while (true) {
        if (Event event(rd_kafka_queue_poll(queue, limit.slice(kSlice))); event) {
            return event;
        }
        if (auto error = limit.ended(client, doing, place)) {
            return fail(std::move(*error));
        }
        nudge.pulse(limit);
    }
}

void startListOffsets(const Client& client, const std::string& topic, std::int32_t partition, bool beginning,
                      Isolation isolation, const CallLimit& limit, rd_kafka_queue_t* queue) {
    auto options = adminOptions(client, RD_KAFKA_ADMIN_OP_LISTOFFSETS, limit);
    const ErrorHandle refused(rd_kafka_AdminOptions_set_isolation_level(
        options.get(), isolation == Isolation::readCommitted ? RD_KAFKA_ISOLATION_LEVEL_READ_COMMITTED
                                                             : RD_KAFKA_ISOLATION_LEVEL_READ_UNCOMMITTED));
    const PartitionList list(rd_kafka_topic_partition_list_new(1));
    rd_kafka_topic_partition_list_add(list.get(), topic.c_str(), partition)->offset =
        beginning ? RD_KAFKA_OFFSET_SPEC_EARLIEST : RD_KAFKA_OFFSET_SPEC_LATEST;
    // The opaque tells the two questions apart: their answers look alike.
    rd_kafka_AdminOptions_set_opaque(options.get(), beginning ? queue : nullptr);
    rd_kafka_ListOffsets(client.get(), list.get(), options.get(), queue);
}

} // namespace

MetadataNudge::MetadataNudge(const Client& client)
    : client_(client)
    , next_(steadyNow() + kNudgeAfter) {}

void MetadataNudge::pulse(const CallLimit& limit) {
    if (steadyNow() < next_) {
        return;
    }
    const rd_kafka_metadata_t* metadata = nullptr;
    if (rd_kafka_metadata(client_.get(), 0, nullptr, &metadata, limit.slice(Millis{200})) ==
        RD_KAFKA_RESP_ERR_NO_ERROR) {
        rd_kafka_metadata_destroy(metadata);
    }
    next_ = steadyNow() + kNudgeAfter;
}

Result<std::int32_t> askPartitionCount(const Client& client, const std::string& topic,
                                       const CallLimit& limit) {
    constexpr std::string_view kDoing = "asking for the topic's partitions";
    const Place place{client.bootstrap(), topic, {}, {}, {}};
    const char* name = topic.c_str();
    while (true) {
        const Queue queue(rd_kafka_queue_new(client.get()));
        const Topics topics(rd_kafka_TopicCollection_of_topic_names(&name, 1));
        const auto options = adminOptions(client, RD_KAFKA_ADMIN_OP_DESCRIBETOPICS, limit);
        rd_kafka_DescribeTopics(client.get(), topics.get(), options.get(), queue.get());
        auto event = nextEvent(client, queue.get(), limit, kDoing, place);
        if (!event) {
            return fail(std::move(event.error()));
        }
        auto fault = faultOf(rd_kafka_event_error(event->get()), rd_kafka_event_error_string(event->get()));
        if (fault.code == RD_KAFKA_RESP_ERR_NO_ERROR) {
            client.diary().noteReached();
            std::size_t count = 0;
            const auto* result = rd_kafka_event_DescribeTopics_result(event->get());
            const auto* const* descriptions = rd_kafka_DescribeTopics_result_topics(result, &count);
            if (count != 1) {
                return fail(ErrorCode::protocol, "a broker answered for another topic", place.text());
            }
            const auto* refusal = rd_kafka_TopicDescription_error(descriptions[0]);
            if (refusal == nullptr || rd_kafka_error_code(refusal) == RD_KAFKA_RESP_ERR_NO_ERROR) {
                std::size_t partitions = 0;
                rd_kafka_TopicDescription_partitions(descriptions[0], &partitions);
                if (partitions == 0) {
                    return fail(ErrorCode::topicMissing, "the topic has no partitions", place.text(),
                                "ask again; it is being created or deleted");
                }
                return static_cast<std::int32_t>(partitions);
            }
            fault = faultOf(*refusal);
        }
        auto error = toError(fault, kDoing, place);
        const bool passing = error.code == ErrorCode::unreachable || error.code == ErrorCode::busy ||
                             fault.code == RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;
        if (!passing) {
            return fail(explainConnection(std::move(error), client.diary()));
        }
        if (auto ended = limit.ended(client, kDoing, place)) {
            return fail(std::move(*ended));
        }
        // A broker that went away answers at once: wait a little, on the empty queue, before the next try.
        const Queue pause(rd_kafka_queue_new(client.get()));
        const Event nothing(rd_kafka_queue_poll(pause.get(), limit.slice(kSlice)));
    }
}

Result<std::vector<PartitionBounds>> askBounds(const Client& client, const std::string& topic,
                                               const std::vector<std::int32_t>& partitions,
                                               Isolation isolation, const CallLimit& limit) {
    constexpr std::string_view kDoing = "asking for the partitions' offsets";
    Place place{client.bootstrap(), topic, {}, {}, {}};
    if (partitions.size() == 1) {
        place.partition = partitions.front();
    }
    const Queue queue(rd_kafka_queue_new(client.get()));
    for (const auto partition : partitions) {
        startListOffsets(client, topic, partition, true, isolation, limit, queue.get());
        startListOffsets(client, topic, partition, false, isolation, limit, queue.get());
    }

    struct Answers {
        std::optional<std::int64_t> beginning;
        std::optional<std::int64_t> end;
    };

    std::map<std::int32_t, Answers> answers;
    std::optional<Error> firstError;
    for (std::size_t open = 2 * partitions.size(); open > 0; --open) {
        auto event = nextEvent(client, queue.get(), limit, kDoing, place);
        if (!event) {
            if (event.error().code == ErrorCode::closed) {
                return fail(std::move(event.error()));
            }
            firstError = std::move(event.error());
            break;
        }
        auto fault = faultOf(rd_kafka_event_error(event->get()), rd_kafka_event_error_string(event->get()));
        if (fault.code == RD_KAFKA_RESP_ERR_NO_ERROR) {
            client.diary().noteReached();
            std::size_t count = 0;
            const auto* result = rd_kafka_event_ListOffsets_result(event->get());
            const auto* const* infos = rd_kafka_ListOffsets_result_infos(result, &count);
            const auto* answer =
                count == 1 ? rd_kafka_ListOffsetsResultInfo_topic_partition(infos[0]) : nullptr;
            if (answer == nullptr) {
                fault = faultOf(RD_KAFKA_RESP_ERR__BAD_MSG);
            } else if (answer->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
                fault = faultOf(answer->err);
            } else if (answer->offset >= 0) {
                auto& slot = answers[answer->partition];
                (rd_kafka_event_opaque(event->get()) != nullptr ? slot.beginning : slot.end) = answer->offset;
            }
        }
        if (fault.code != RD_KAFKA_RESP_ERR_NO_ERROR && !firstError) {
            firstError = explainConnection(toError(fault, kDoing, place), client.diary());
        }
    }
    std::vector<PartitionBounds> out;
    for (const auto& [partition, answer] : answers) {
        if (answer.beginning && answer.end) {
            out.push_back({partition, *answer.beginning, *answer.end});
        }
    }
    if (out.empty() && !partitions.empty()) {
        return fail(firstError ? std::move(*firstError) : timeoutError(kDoing, place, limit.timeout()));
    }
    return out;
}

} // namespace bellwether::kafka
