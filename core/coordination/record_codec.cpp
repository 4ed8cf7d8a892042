// SPDX-License-Identifier: Apache-2.0
#include "coordination/record_codec.h"

#include <stdexcept>

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether {

namespace {

template<typename T>
using Decoded = tl::expected<T, DecodeProblem>;

constexpr std::int16_t kVersion = 0;

/// Reads the big-endian primitives of one part of a record. The first problem sticks: every later read
/// returns nothing, so a caller checks once at the end.
class Reader {
public:
    Reader(std::string_view bytes, std::string_view part)
        : rest_(bytes)
        , part_(part) {}

    template<typename Integer>
    Integer integer(std::string_view field) {
        if (!take(sizeof(Integer), field)) {
            return 0;
        }
        std::uint64_t number = 0;
        for (const char byte : taken_) {
            number = (number << 8U) | static_cast<unsigned char>(byte);
        }
        return static_cast<Integer>(number);
    }

    std::string_view string(std::string_view field) {
        const auto length = integer<std::int16_t>(fmt::format("length of {}", field));
        if (length < 0) {
            refuse(fmt::format("negative length of {}: {}", field, length));
            return {};
        }
        return take(static_cast<std::size_t>(length), field) ? taken_ : std::string_view{};
    }

    template<typename AnyName>
    std::optional<AnyName> name(std::string_view field) {
        const auto bytes = string(field);
        if (problem_) {
            return std::nullopt;
        }
        if (const auto why = nameProblem(bytes); !why.empty()) {
            refuse(fmt::format("{} is {}", field, why));
            return std::nullopt;
        }
        return AnyName::of(bytes).value();
    }

    void version() {
        const auto number = integer<std::int16_t>("version");
        if (number != kVersion) {
            refuse(fmt::format("version {}, only {} is known", number, kVersion));
        }
    }

    template<typename Integer>
    Integer notNegative(std::string_view field) {
        const auto number = integer<Integer>(field);
        if (number < 0) {
            refuse(fmt::format("{} {} is negative", field, number));
        }
        return number;
    }

    void end() {
        if (!rest_.empty()) {
            refuse(fmt::format("trailing bytes: {}", rest_.size()));
        }
    }

    void refuse(std::string what) {
        if (!problem_) {
            problem_ = DecodeProblem{std::string(part_), std::move(what)};
        }
    }

    [[nodiscard]] const std::optional<DecodeProblem>& problem() const noexcept { return problem_; }

private:
    bool take(std::size_t count, std::string_view field) {
        if (problem_) {
            return false;
        }
        if (rest_.size() < count) {
            refuse(fmt::format("truncated: {} needs {} bytes, {} are left", field, count, rest_.size()));
            return false;
        }
        taken_ = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return true;
    }

    std::string_view rest_;
    std::string_view part_;
    std::string_view taken_;
    std::optional<DecodeProblem> problem_;
};

void appendInteger(std::string& out, std::uint64_t bits, unsigned bytes) {
    for (unsigned i = bytes; i-- > 0;) {
        out.push_back(static_cast<char>(static_cast<unsigned char>((bits >> (8U * i)) & 0xFFU)));
    }
}

void appendI16(std::string& out, std::int16_t value) {
    appendInteger(out, static_cast<std::uint64_t>(value), 2);
}

void appendI64(std::string& out, std::int64_t value) {
    appendInteger(out, static_cast<std::uint64_t>(value), 8);
}

/// A validated name is at most 249 bytes, so its length fits.
void appendString(std::string& out, std::string_view bytes) {
    appendI16(out, static_cast<std::int16_t>(bytes.size()));
    out += bytes;
}

std::string keyPrefix(RecordKind kind, const Role& role) {
    std::string out;
    appendI16(out, kVersion);
    appendI16(out, static_cast<std::int16_t>(kind));
    appendString(out, role.str());
    return out;
}

Decoded<Registration> decodeRegistration(std::string_view bytes) {
    Reader in(bytes, "registration value");
    in.version();
    auto member = in.name<MemberId>("member");
    const auto registeredAt = in.integer<std::int64_t>("registeredAt");
    in.end();
    if (in.problem()) {
        return tl::unexpected(*in.problem());
    }
    return Registration{std::move(*member), wallTime(registeredAt)};
}

Decoded<Lease> decodeLease(std::string_view bytes) {
    Reader in(bytes, "lease value");
    in.version();
    auto member = in.name<MemberId>("member");
    FencingToken token;
    token.producerId = in.notNegative<std::int64_t>("producerId");
    token.producerEpoch = in.notNegative<std::int16_t>("producerEpoch");
    const auto grantedAt = in.integer<std::int64_t>("grantedAt");
    const auto deadline = in.integer<std::int64_t>("deadline");
    in.end();
    if (in.problem()) {
        return tl::unexpected(*in.problem());
    }
    return Lease{std::move(*member), token, wallTime(grantedAt), wallTime(deadline)};
}

} // namespace

Decoded<RecordKey> decodeKey(std::optional<std::string_view> key) {
    if (!key) {
        return tl::unexpected(DecodeProblem{"key", "truncated: the key is null"});
    }
    Reader in(*key, "key");
    in.version();
    const auto kind = in.integer<std::int16_t>("kind");
    if (kind != static_cast<std::int16_t>(RecordKind::registration) &&
        kind != static_cast<std::int16_t>(RecordKind::lease)) {
        in.refuse(fmt::format("kind {}, only 0 and 1 are known", kind));
    }
    auto role = in.name<Role>("role");
    std::optional<MemberId> member;
    if (kind == static_cast<std::int16_t>(RecordKind::registration)) {
        member = in.name<MemberId>("member");
    } else if (const auto named = in.string("member"); !named.empty()) {
        in.refuse("lease key names a member");
    }
    in.end();
    if (in.problem()) {
        return tl::unexpected(*in.problem());
    }
    return RecordKey{static_cast<RecordKind>(kind), std::move(*role), std::move(member)};
}

Decoded<CoordinationRecord> decodeRecord(std::optional<std::string_view> key,
                                         std::optional<std::string_view> value) {
    auto identity = decodeKey(key);
    if (!identity) {
        return tl::unexpected(std::move(identity.error()));
    }
    CoordinationRecord record{std::move(*identity), std::monostate{}, {}};
    if (!value || value->empty()) {
        return record;
    }
    if (record.key.kind == RecordKind::lease) {
        auto lease = decodeLease(*value);
        if (!lease) {
            return tl::unexpected(std::move(lease.error()));
        }
        record.value = std::move(*lease);
        return record;
    }
    auto registration = decodeRegistration(*value);
    if (!registration) {
        return tl::unexpected(std::move(registration.error()));
    }
    if (registration->member != *record.key.member) {
        record.remarks.push_back(
            {"registration value",
             fmt::format("names member \"{}\", its key names \"{}\": the key counts",
                         displayText(registration->member.str()), displayText(record.key.member->str()))});
        registration->member = *record.key.member;
    }
    record.value = std::move(*registration);
    return record;
}

std::string encodeRegistrationKey(const Role& role, const MemberId& member) {
    auto out = keyPrefix(RecordKind::registration, role);
    appendString(out, member.str());
    return out;
}

std::string encodeLeaseKey(const Role& role) {
    auto out = keyPrefix(RecordKind::lease, role);
    appendString(out, {});
    return out;
}

std::string encodeRegistrationValue(const Registration& registration) {
    std::string out;
    appendI16(out, kVersion);
    appendString(out, registration.member.str());
    appendI64(out, toMillis(registration.registeredAt));
    return out;
}

std::string encodeLeaseValue(const Lease& lease) {
    if (lease.token.producerId < 0 || lease.token.producerEpoch < 0) {
        throw std::invalid_argument("a lease needs a minted token, not " + lease.token.text());
    }
    std::string out;
    appendI16(out, kVersion);
    appendString(out, lease.member.str());
    appendI64(out, lease.token.producerId);
    appendI16(out, lease.token.producerEpoch);
    appendI64(out, toMillis(lease.grantedAt));
    appendI64(out, toMillis(lease.deadline));
    return out;
}

} // namespace bellwether
