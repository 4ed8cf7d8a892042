// SPDX-License-Identifier: Apache-2.0
#include "report/json_node.h"

#include <limits>

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether::report {

namespace {

std::optional<unsigned> hexDigit(char c) noexcept {
    if (c >= '0' && c <= '9') {
        return static_cast<unsigned>(c - '0');
    }
    if (c >= 'a' && c <= 'f') {
        return static_cast<unsigned>(c - 'a') + 10U;
    }
    if (c >= 'A' && c <= 'F') {
        return static_cast<unsigned>(c - 'A') + 10U;
    }
    return std::nullopt;
}

std::string kindOf(const nlohmann::json* value) {
    if (value == nullptr) {
        return "nothing";
    }
    switch (value->type()) {
    case nlohmann::json::value_t::object: return "an object";
    case nlohmann::json::value_t::array: return "an array";
    case nlohmann::json::value_t::string: {
        constexpr std::size_t kShown = 40;
        const auto text = displayText(value->get_ref<const std::string&>());
        return text.size() <= kShown ? "\"" + text + "\"" : fmt::format("a text of {} bytes", text.size());
    }
    default: return value->dump();
    }
}

/// A plain word joins with a dot, anything else in brackets and quotes.
std::string memberPath(const std::string& parent, std::string_view name) {
    const bool plain =
        !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                "0123456789_-") == std::string_view::npos;
    if (!plain) {
        return fmt::format("{}[\"{}\"]", parent, displayText(name));
    }
    return parent.empty() ? std::string(name) : fmt::format("{}.{}", parent, name);
}

} // namespace

void JsonNode::complain(const std::string& expected) const {
    if (complaint_->error) {
        return;
    }
    Error error;
    error.code = ErrorCode::invalidArgument;
    error.what = fmt::format("{}: expected {}, found {}", path_.empty() ? "the document" : path_, expected,
                             kindOf(value_));
    error.where = complaint_->document;
    error.hint = "docs/capture-format.md describes the form";
    complaint_->error = std::move(error);
}

JsonNode JsonNode::at(std::string_view name) const {
    const nlohmann::json* child = nullptr;
    if (value_ != nullptr && value_->is_object()) {
        if (const auto found = value_->find(name); found != value_->end()) {
            child = &*found;
        }
    } else {
        complain("an object");
    }
    return {child, memberPath(path_, name), *complaint_};
}

std::int64_t JsonNode::integer(std::int64_t least, std::int64_t most) const {
    const bool fits =
        value_ != nullptr && value_->is_number_integer() &&
        !(value_->is_number_unsigned() &&
          value_->get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()});
    const auto number = fits ? value_->get<std::int64_t>() : 0;
    if (!fits || number < least || number > most) {
        complain(fmt::format("a whole number from {} to {}", least, most));
        return least;
    }
    return number;
}

std::int64_t JsonNode::int64() const {
    return integer(std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max());
}

std::string JsonNode::text() const {
    if (value_ == nullptr || !value_->is_string()) {
        complain("a text");
        return {};
    }
    return value_->get<std::string>();
}

std::optional<std::string> JsonNode::hexOrNull() const {
    if (value_ != nullptr && value_->is_null()) {
        return std::nullopt;
    }
    if (value_ == nullptr || !value_->is_string()) {
        complain("hex digits in a text, or null");
        return std::nullopt;
    }
    const auto& digits = value_->get_ref<const std::string&>();
    std::string bytes;
    bytes.reserve(digits.size() / 2);
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        const auto high = hexDigit(digits[i]);
        const auto low = i + 1 < digits.size() ? hexDigit(digits[i + 1]) : std::nullopt;
        if (!high || !low) {
            complain(fmt::format("an even number of hex digits (see character {})", high ? i + 1 : i));
            return std::nullopt;
        }
        bytes.push_back(static_cast<char>(static_cast<unsigned char>((*high << 4U) | *low)));
    }
    return bytes;
}

std::vector<JsonNode> JsonNode::elements() const {
    std::vector<JsonNode> nodes;
    if (value_ == nullptr || !value_->is_array()) {
        complain("an array");
        return nodes;
    }
    for (std::size_t i = 0; i < value_->size(); ++i) {
        nodes.emplace_back(&(*value_)[i], fmt::format("{}[{}]", path_, i), *complaint_);
    }
    return nodes;
}

std::vector<std::pair<std::string, JsonNode>> JsonNode::members() const {
    std::vector<std::pair<std::string, JsonNode>> nodes;
    if (value_ == nullptr || !value_->is_object()) {
        complain("an object");
        return nodes;
    }
    for (auto it = value_->begin(); it != value_->end(); ++it) {
        nodes.emplace_back(it.key(), JsonNode(&it.value(), memberPath(path_, it.key()), *complaint_));
    }
    return nodes;
}

} // namespace bellwether::report
