// SPDX-License-Identifier: Apache-2.0
#include "kafka/producer_identity.h"

#include <charconv>
#include <limits>

#include <librdkafka/rdkafka.h>
#include <nlohmann/json.hpp>

#include "kafka/connection_diary.h"

namespace bellwether::kafka {
namespace {

/// A legal pair, or nothing.
std::optional<FencingToken> checked(std::int64_t producerId, std::int64_t producerEpoch) {
    if (producerId < 0 || producerEpoch < 0 || producerEpoch > std::numeric_limits<std::int16_t>::max()) {
        return std::nullopt;
    }
    return FencingToken{producerId, static_cast<std::int16_t>(producerEpoch)};
}

/// Takes `prefix` off the front of `text`; false when it is not there.
bool take(std::string_view& text, std::string_view prefix) {
    if (text.substr(0, prefix.size()) != prefix) {
        return false;
    }
    text.remove_prefix(prefix.size());
    return true;
}

std::optional<std::int64_t> takeNumber(std::string_view& text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{}) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

} // namespace

std::optional<FencingToken> tokenFromStatistics(std::string_view json) {
    const auto document = nlohmann::json::parse(json, nullptr, false);
    if (!document.is_object()) {
        return std::nullopt;
    }
    const auto eos = document.find("eos");
    if (eos == document.end() || !eos->is_object()) {
        return std::nullopt;
    }
    const auto number = [&](const char* name) -> std::optional<std::int64_t> {
        const auto field = eos->find(name);
        if (field == eos->end() || !field->is_number_integer()) {
            return std::nullopt;
        }
        return field->get<std::int64_t>();
    };
    const auto state = eos->find("idemp_state");
    const auto count = number("epoch_cnt");
    const auto id = number("producer_id");
    const auto epoch = number("producer_epoch");
    if (state == eos->end() || !state->is_string() || state->get_ref<const std::string&>() != "Assigned" ||
        count.value_or(0) < 1 || !id || !epoch) {
        return std::nullopt;
    }
    return checked(*id, *epoch);
}

std::optional<FencingToken> tokenFromLogLine(std::string_view text) {
    text = withoutThreadName(text);
    if (!take(text, "Acquired PID{Id:")) {
        return std::nullopt;
    }
    const auto id = takeNumber(text);
    if (!id || !take(text, ",Epoch:")) {
        return std::nullopt;
    }
    const auto epoch = takeNumber(text);
    if (!epoch || !take(text, "}")) {
        return std::nullopt;
    }
    return checked(*id, *epoch);
}

std::optional<int> fenceCodeFromLogLine(std::string_view facility, std::string_view text) {
    if (facility != "ADDPARTS" && facility != "ENDTXN" && facility != "GETPID" && facility != "TXNERR") {
        return std::nullopt;
    }
    const auto says = [&](rd_kafka_resp_err_t code) {
        return text.find(rd_kafka_err2name(code)) != std::string_view::npos ||
               text.find(rd_kafka_err2str(code)) != std::string_view::npos;
    };
    for (const auto code : {RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH, RD_KAFKA_RESP_ERR_PRODUCER_FENCED}) {
        if (says(code)) {
            return code;
        }
    }
    return std::nullopt;
}

} // namespace bellwether::kafka
