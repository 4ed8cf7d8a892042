// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/writer.h"

#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kMaxString = std::numeric_limits<std::int16_t>::max();
constexpr std::size_t kMaxCount = std::numeric_limits<std::int32_t>::max() - 1;

} // namespace

Writer::Writer(std::string_view message, std::int16_t version, bool flexible)
    : message_(message)
    , version_(version)
    , flexible_(flexible) {}

void Writer::failAt(std::string_view field, std::size_t size) {
    if (!error_) {
        Error error;
        error.code = ErrorCode::invalidArgument;
        error.what =
            fmt::format("cannot write the {} v{}: field {} has size {}, more than the protocol can carry",
                        message_, version_, field, size);
        error_ = std::move(error);
    }
}

void Writer::bigEndian(std::uint64_t value, std::size_t width) {
    for (std::size_t i = width; i-- > 0;) {
        bytes_.push_back(static_cast<std::uint8_t>((value >> (8 * i)) & 0xFFU));
    }
}

void Writer::uvarint(std::uint32_t value) {
    while (value >= 0x80U) {
        bytes_.push_back(static_cast<std::uint8_t>((value & 0x7FU) | 0x80U));
        value >>= 7;
    }
    bytes_.push_back(static_cast<std::uint8_t>(value));
}

void Writer::boolean(std::string_view, bool value) {
    bytes_.push_back(value ? 1 : 0);
}

void Writer::i8(std::string_view, std::int8_t value) {
    bigEndian(static_cast<std::uint64_t>(value), 1);
}

void Writer::i16(std::string_view, std::int16_t value) {
    bigEndian(static_cast<std::uint64_t>(value), 2);
}

void Writer::i32(std::string_view, std::int32_t value) {
    bigEndian(static_cast<std::uint64_t>(value), 4);
}

void Writer::i64(std::string_view, std::int64_t value) {
    bigEndian(static_cast<std::uint64_t>(value), 8);
}

void Writer::uuid(std::string_view) {
    bytes_.insert(bytes_.end(), 16, 0);
}

void Writer::string(std::string_view field, const std::string& value) {
    text(field, value, flexible_);
}

void Writer::nullableString(std::string_view field, const std::optional<std::string>& value) {
    if (value) {
        text(field, *value, flexible_);
    } else if (flexible_) {
        uvarint(0);
    } else {
        i16(field, -1);
    }
}

void Writer::oldNullableString(std::string_view field, const std::optional<std::string>& value) {
    if (value) {
        text(field, *value, false);
    } else {
        i16(field, -1);
    }
}

// Kafka keeps the old form's limit for compact strings.
void Writer::text(std::string_view field, std::string_view value, bool compact) {
    if (value.size() > kMaxString) {
        failAt(field, value.size());
        return;
    }
    if (compact) {
        uvarint(static_cast<std::uint32_t>(value.size()) + 1);
    } else {
        i16(field, static_cast<std::int16_t>(value.size()));
    }
    bytes_.insert(bytes_.end(), value.begin(), value.end());
}

void Writer::arrayCount(std::string_view field, std::size_t count) {
    if (count > kMaxCount) {
        failAt(field, count);
        return;
    }
    if (flexible_) {
        uvarint(static_cast<std::uint32_t>(count) + 1);
    } else {
        i32(field, static_cast<std::int32_t>(count));
    }
}

void Writer::nullArray() {
    if (flexible_) {
        uvarint(0);
    } else {
        i32({}, -1);
    }
}

void Writer::tagged() {
    if (flexible_) {
        uvarint(0);
    }
}

void Writer::beginTagged(std::uint32_t count) {
    uvarint(count);
}

void Writer::appendTagged(std::uint32_t tag, const Writer& inner) {
    if (inner.error_) {
        error_ = error_ ? error_ : inner.error_;
        return;
    }
    uvarint(tag);
    uvarint(static_cast<std::uint32_t>(inner.bytes_.size()));
    bytes_.insert(bytes_.end(), inner.bytes_.begin(), inner.bytes_.end());
}

Result<Bytes> Writer::finish() && {
    if (error_) {
        return fail(std::move(*error_));
    }
    return std::move(bytes_);
}

} // namespace bellwether::kafka::wire
