// SPDX-License-Identifier: Apache-2.0
#include "kafka/record_sender.h"

#include <array>

namespace bellwether::kafka {
namespace {

rd_kafka_vu_t argument(rd_kafka_vtype_t type) {
    rd_kafka_vu_t out{};
    out.vtype = type;
    return out;
}

Fault tryToSend(const Client& client, const std::string& topic, std::int32_t partition,
                const std::string& key, const std::optional<std::string>& value, std::uintptr_t ticket) {
    std::array arguments{argument(RD_KAFKA_VTYPE_TOPIC),  argument(RD_KAFKA_VTYPE_PARTITION),
                         argument(RD_KAFKA_VTYPE_KEY),    argument(RD_KAFKA_VTYPE_VALUE),
                         argument(RD_KAFKA_VTYPE_OPAQUE), argument(RD_KAFKA_VTYPE_MSGFLAGS)};
    std::string keyBytes = key; // the library copies; its union wants pointers to non-const
    std::string valueBytes = value.value_or(std::string());
    arguments[0].u.cstr = topic.c_str();
    arguments[1].u.i32 = partition;
    arguments[2].u.mem.ptr = keyBytes.data();
    arguments[2].u.mem.size = keyBytes.size();
    arguments[3].u.mem.ptr = value ? valueBytes.data() : nullptr;
    arguments[3].u.mem.size = valueBytes.size();
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,performance-no-int-to-ptr): the opaque is a
    // number
    arguments[4].u.ptr = reinterpret_cast<void*>(ticket);
    arguments[5].u.i = RD_KAFKA_MSG_F_COPY;
    const ErrorHandle error(rd_kafka_produceva(client.get(), arguments.data(), arguments.size()));
    return error ? faultOf(*error) : Fault{};
}

/// Makes the handle learn the topic's partitions anew; troubles show in the next try.
void refreshTopic(const Client& client, const std::string& topic, const CallLimit& limit) {
    constexpr Millis kSlice{500};
    rd_kafka_topic_t* handle = rd_kafka_topic_new(client.get(), topic.c_str(), nullptr);
    if (handle == nullptr) {
        return;
    }
    const rd_kafka_metadata_t* metadata = nullptr;
    if (rd_kafka_metadata(client.get(), 0, handle, &metadata, limit.slice(kSlice)) ==
        RD_KAFKA_RESP_ERR_NO_ERROR) {
        rd_kafka_metadata_destroy(metadata);
    }
    rd_kafka_topic_destroy(handle);
}

} // namespace

Result<void> sendRecord(const Client& client, const std::string& topic, std::int32_t partition,
                        const std::string& key, const std::optional<std::string>& value,
                        std::uintptr_t ticket, std::string_view doing, const Place& place,
                        const CallLimit& limit) {
    auto fault = tryToSend(client, topic, partition, key, value, ticket);
    if (fault.code == RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION) {
        refreshTopic(client, topic, limit);
        fault = tryToSend(client, topic, partition, key, value, ticket);
    }
    if (fault.code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return fail(explainConnection(toError(fault, doing, place), client.diary()));
    }
    return {};
}

} // namespace bellwether::kafka
