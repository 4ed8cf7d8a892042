// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "coordination/lease.h"

namespace bellwether {

/// Name of the coordination topic unless the operator names another.
inline constexpr std::string_view kDefaultTopic = "__coordination_state";

enum class RecordKind : std::int16_t { registration = 0, lease = 1 };

/// The identity of a record. `member` is set exactly for registrations.
struct RecordKey {
    RecordKind kind = RecordKind::registration;
    Role role;
    std::optional<MemberId> member;

    bool operator==(const RecordKey&) const = default;
};

/// Why a record, or a part of it, is refused or distrusted.
struct DecodeProblem {
    std::string part; ///< "key", "registration value" or "lease value"
    std::string what; ///< "truncated: ...", "trailing bytes: ...", "version 1, only 0 is known", ...

    bool operator==(const DecodeProblem&) const = default;
};

/// A decoded record. Kind, role and member come from the key, never from the value.
struct CoordinationRecord {
    RecordKey key;
    /// monostate is a tombstone (null or empty value). A Registration's member equals the key's.
    std::variant<std::monostate, Registration, Lease> value;
    /// Things to report that do not make the record unusable: a value that names another member than its key.
    std::vector<DecodeProblem> remarks;

    [[nodiscard]] bool isTombstone() const noexcept { return std::holds_alternative<std::monostate>(value); }

    bool operator==(const CoordinationRecord&) const = default;
};

/// Decodes one record of the topic (the layout is in docs/record-format.md). nullopt is Kafka's null.
/// Refuses exactly what that page lists; never allocates by a number from the wire; never throws.
/// Pure; any thread.
[[nodiscard]] tl::expected<CoordinationRecord, DecodeProblem>
decodeRecord(std::optional<std::string_view> key, std::optional<std::string_view> value);
/// The key alone, for a reader that wants to skip other roles.
[[nodiscard]] tl::expected<RecordKey, DecodeProblem> decodeKey(std::optional<std::string_view> key);

/// Encoders. The bytes are frozen: members in other languages read and write them.
[[nodiscard]] std::string encodeRegistrationKey(const Role& role, const MemberId& member);
[[nodiscard]] std::string encodeLeaseKey(const Role& role);
[[nodiscard]] std::string encodeRegistrationValue(const Registration& registration);
/// Precondition (checked, throws std::invalid_argument): the token is minted, both parts >= 0.
[[nodiscard]] std::string encodeLeaseValue(const Lease& lease);

} // namespace bellwether
