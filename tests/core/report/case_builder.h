// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "report/case_file.h"

namespace bellwether::testing_support {

/// Builds the JSON of a case record by record. `now` is kStart + 5 s unless set.
class CaseBuilder {
public:
    static constexpr std::int64_t kStart = 1'700'000'000'000;

    explicit CaseBuilder(std::int32_t partitions = 1);

    CaseBuilder& bounds(std::int32_t partition, std::int64_t lastStableOffset, std::int64_t highWatermark);
    CaseBuilder& registration(std::int64_t offset, std::string_view role, std::string_view member,
                              std::string_view status = "committed");
    /// Granted at kStart, deadline 30 s later.
    CaseBuilder& lease(std::int64_t offset, std::string_view role, std::string_view member,
                       FencingToken token, std::string_view status = "committed",
                       std::optional<FencingToken> producer = std::nullopt);
    CaseBuilder& leaseTombstone(std::int64_t offset, std::string_view role,
                                std::string_view status = "committed");
    CaseBuilder& raw(std::int64_t offset, const std::string& keyHex, const std::string& valueHex);
    CaseBuilder& coordinator(const std::string& role, std::string_view state, FencingToken token);
    CaseBuilder& coordinatorError(const std::string& role, int code);
    /// The partition of records added from now on; otherwise nought.
    CaseBuilder& partition(std::int32_t number);

    nlohmann::json document;

    [[nodiscard]] CaseFile file() const;
    [[nodiscard]] CaseAnswer answer() const;

private:
    CaseBuilder& record(std::int64_t offset, const std::string& key, std::optional<std::string> value,
                        std::string_view status, std::optional<FencingToken> producer);
    std::int32_t partition_ = 0;
};

[[nodiscard]] std::string hex(std::string_view bytes);

/// The role's view in the answer; throws when it is not there.
[[nodiscard]] const RoleView& viewOf(const CaseAnswer& answer, std::string_view role);

} // namespace bellwether::testing_support
