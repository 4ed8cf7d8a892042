// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "coordination/result.h"

namespace bellwether::report {

/// Where the first complaint about a document is kept. Readers go on with harmless values after it, so that a
/// caller asks once, at the end.
struct Complaint {
    std::string document; ///< the file's name
    std::optional<Error> error;
};

/// One value of a JSON document with its path ("records[3].offset"). A missing value is a node too; it
/// complains when it is read as something. Not owned: the document and the complaint outlive the node.
class JsonNode {
public:
    JsonNode(const nlohmann::json* value, std::string path, Complaint& complaint)
        : value_(value)
        , path_(std::move(path))
        , complaint_(&complaint) {}

    /// The member of an object; complains when this is no object.
    [[nodiscard]] JsonNode at(std::string_view name) const;

    /// Neither missing nor null.
    [[nodiscard]] bool given() const noexcept { return value_ != nullptr && !value_->is_null(); }

    [[nodiscard]] bool missing() const noexcept { return value_ == nullptr; }

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    /// A whole number of the range, written without fraction or exponent; every int64 is exact.
    [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most) const;
    [[nodiscard]] std::int64_t int64() const;
    [[nodiscard]] std::string text() const;
    /// Bytes written as an even number of hex digits, or null.
    [[nodiscard]] std::optional<std::string> hexOrNull() const;
    [[nodiscard]] std::vector<JsonNode> elements() const;
    [[nodiscard]] std::vector<std::pair<std::string, JsonNode>> members() const;

    void complain(const std::string& expected) const;

private:
    const nlohmann::json* value_;
    std::string path_;
    Complaint* complaint_;
};

} // namespace bellwether::report
