// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/reader.h"

#include <fmt/format.h>

namespace bellwether::kafka::wire {

Reader::Reader(ByteView bytes, std::string_view message, std::int16_t version, bool flexible)
    : bytes_(bytes)
    , message_(message)
    , version_(version)
    , flexible_(flexible) {}

void Reader::failAt(std::string_view field, std::string problem) {
    if (error_) {
        return;
    }
    Error error;
    error.code = ErrorCode::protocol;
    error.what = fmt::format("cannot read the {} v{}: field {} at byte {}: {}", message_, version_, field,
                             position_, problem);
    error.hint = "the peer is no Kafka broker, or its version of the protocol is not known here";
    error_ = std::move(error);
}

void Reader::failShort(std::string_view field, std::size_t needed) {
    if (ok()) {
        failAt(field, fmt::format("{} bytes are needed and {} remain", needed, remaining()));
    }
}

std::uint32_t Reader::longUvarint(std::string_view field) {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        const auto byte = take(field, 1);
        if (!ok()) {
            return 0;
        }
        const std::uint32_t low = byte[0] & 0x7FU;
        if (shift == 28 && byte[0] > 0x0F) {
            break;
        }
        value |= low << shift;
        if ((byte[0] & 0x80U) == 0) {
            return value;
        }
    }
    failAt(field, "a variable-length number of more than 32 bits");
    return 0;
}

void Reader::boolean(std::string_view field, bool& value) {
    std::int8_t raw = 0;
    i8(field, raw);
    if (ok()) {
        value = raw != 0;
    }
}

void Reader::uuid(std::string_view field) {
    take(field, 16);
}

void Reader::string(std::string_view field, std::string& value) {
    const auto bytes = stringBytes(field);
    if (ok() && !bytes) {
        failAt(field, "null where a string is required");
    }
    if (ok()) {
        value.assign(bytes->begin(), bytes->end());
    }
}

void Reader::nullableString(std::string_view field, std::optional<std::string>& value) {
    assign(stringBytes(field), value);
}

void Reader::oldNullableString(std::string_view field, std::optional<std::string>& value) {
    assign(oldStringBytes(field), value);
}

void Reader::assign(std::optional<ByteView> bytes, std::optional<std::string>& value) const {
    if (!ok()) {
        return;
    }
    value.reset();
    if (bytes) {
        value.emplace(bytes->begin(), bytes->end());
    }
}

std::optional<ByteView> Reader::stringBytes(std::string_view field) {
    if (!flexible_) {
        return oldStringBytes(field);
    }
    const auto lengthPlusOne = uvarint(field);
    if (!ok() || lengthPlusOne == 0) {
        return std::nullopt;
    }
    return take(field, lengthPlusOne - 1);
}

std::optional<ByteView> Reader::oldStringBytes(std::string_view field) {
    std::int16_t length = 0;
    i16(field, length);
    if (!ok() || length == -1) {
        return std::nullopt;
    }
    if (length < 0) {
        failAt(field, fmt::format("a string of {} bytes", length));
        return std::nullopt;
    }
    return take(field, static_cast<std::size_t>(length));
}

std::optional<std::uint32_t> Reader::arrayCount(std::string_view field) {
    std::int64_t count = 0;
    if (flexible_) {
        count = static_cast<std::int64_t>(uvarint(field)) - 1;
    } else {
        std::int32_t raw = 0;
        i32(field, raw);
        count = raw;
    }
    if (!ok() || count == -1) {
        return std::nullopt;
    }
    // Every element takes at least one byte.
    if (count < 0 || static_cast<std::uint64_t>(count) > remaining()) {
        failAt(field, fmt::format("an array of {} elements and {} bytes remain", count, remaining()));
        return std::nullopt;
    }
    return static_cast<std::uint32_t>(count);
}

void Reader::expectEnd() {
    if (ok() && remaining() != 0) {
        failAt("end", fmt::format("{} bytes left over", remaining()));
    }
}

} // namespace bellwether::kafka::wire
