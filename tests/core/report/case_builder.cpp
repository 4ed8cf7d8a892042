// SPDX-License-Identifier: Apache-2.0
#include "case_builder.h"

#include <stdexcept>

#include "coordination/record_codec.h"

namespace bellwether::testing_support {

using Json = nlohmann::json;

CaseBuilder::CaseBuilder(std::int32_t partitions)
    : document({{"id", "built"},
                {"partitions", partitions},
                {"now", kStart + 5'000},
                {"log", Json::object()},
                {"records", Json::array()},
                {"coordinator", Json::object()}}) {}

CaseBuilder& CaseBuilder::bounds(std::int32_t partition, std::int64_t lastStableOffset,
                                 std::int64_t highWatermark) {
    document["log"][std::to_string(partition)] = {{"lastStableOffset", lastStableOffset},
                                                  {"highWatermark", highWatermark}};
    return *this;
}

CaseBuilder& CaseBuilder::record(std::int64_t offset, const std::string& key,
                                 std::optional<std::string> value, std::string_view status,
                                 std::optional<FencingToken> producer) {
    Json json{{"partition", partition_},
              {"offset", offset},
              {"timestamp", kStart},
              {"key", hex(key)},
              {"value", value ? Json(hex(*value)) : Json(nullptr)},
              {"status", std::string(status)}};
    if (producer) {
        json["producer"] = producer->text();
    }
    document["records"].push_back(std::move(json));
    return *this;
}

CaseBuilder& CaseBuilder::registration(std::int64_t offset, std::string_view role, std::string_view member,
                                       std::string_view status) {
    const auto id = MemberId::of(member).value();
    return record(offset, encodeRegistrationKey(Role::of(role).value(), id),
                  encodeRegistrationValue({id, wallTime(kStart)}), status, std::nullopt);
}

CaseBuilder& CaseBuilder::lease(std::int64_t offset, std::string_view role, std::string_view member,
                                FencingToken token, std::string_view status,
                                std::optional<FencingToken> producer) {
    const Lease lease{MemberId::of(member).value(), token, wallTime(kStart), wallTime(kStart + 30'000)};
    return record(offset, encodeLeaseKey(Role::of(role).value()), encodeLeaseValue(lease), status,
                  producer ? producer : std::optional(token));
}

CaseBuilder& CaseBuilder::leaseTombstone(std::int64_t offset, std::string_view role,
                                         std::string_view status) {
    return record(offset, encodeLeaseKey(Role::of(role).value()), std::nullopt, status, std::nullopt);
}

CaseBuilder& CaseBuilder::raw(std::int64_t offset, const std::string& keyHex, const std::string& valueHex) {
    document["records"].push_back({{"partition", partition_},
                                   {"offset", offset},
                                   {"key", keyHex},
                                   {"value", valueHex},
                                   {"status", "committed"}});
    return *this;
}

CaseBuilder& CaseBuilder::coordinator(const std::string& role, std::string_view state, FencingToken token) {
    document["coordinator"][role] = {{"state", std::string(state)},
                                     {"producerId", token.producerId},
                                     {"producerEpoch", token.producerEpoch}};
    return *this;
}

CaseBuilder& CaseBuilder::coordinatorError(const std::string& role, int code) {
    document["coordinator"][role] = {{"error", code}};
    return *this;
}

CaseBuilder& CaseBuilder::partition(std::int32_t number) {
    partition_ = number;
    return *this;
}

CaseFile CaseBuilder::file() const {
    auto parsed = parseCaseFile(document.dump(), "built.json");
    if (!parsed) {
        throw std::runtime_error(parsed.error().text());
    }
    return *parsed;
}

CaseAnswer CaseBuilder::answer() const {
    return explain(file());
}

std::string hex(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string digits;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        digits += kDigits[value >> 4U];
        digits += kDigits[value & 0x0FU];
    }
    return digits;
}

const RoleView& viewOf(const CaseAnswer& answer, std::string_view role) {
    for (const auto& view : answer.roles) {
        if (view.role.str() == role) {
            return view;
        }
    }
    throw std::out_of_range("no answer for role " + std::string(role));
}

} // namespace bellwether::testing_support
