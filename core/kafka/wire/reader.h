// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/result.h"

namespace bellwether::kafka::wire {

using Bytes = std::vector<std::uint8_t>;
using ByteView = std::span<const std::uint8_t>;

/// Reads Kafka's primitive types from a byte buffer, which must outlive it. The first failure sticks: later
/// reads change nothing, ok() is false and error() names the message and the field. Nothing is ever allocated
/// by a count from the wire: a count is checked against the bytes that remain, and vectors grow element by
/// element. Reader and Writer offer the same calls, so that one description of a message's fields serves both
/// directions.
class Reader {
public:
    static constexpr bool kReads = true;

    /// `message` appears in errors, e.g. "Metadata response"; `flexible`: compact types and tagged fields.
    Reader(ByteView bytes, std::string_view message, std::int16_t version, bool flexible);

    void boolean(std::string_view field, bool& value);

    void i8(std::string_view field, std::int8_t& value) { integer(field, value); }

    void i16(std::string_view field, std::int16_t& value) { integer(field, value); }

    void i32(std::string_view field, std::int32_t& value) { integer(field, value); }

    void i64(std::string_view field, std::int64_t& value) { integer(field, value); }

    /// 16 bytes that this client has no use for.
    void uuid(std::string_view field);
    void string(std::string_view field, std::string& value);
    void nullableString(std::string_view field, std::optional<std::string>& value);
    /// A string in the old two-byte form even where the message is flexible (request header, KIP-482).
    void oldNullableString(std::string_view field, std::optional<std::string>& value);

    template<typename T, typename Each>
    void array(std::string_view field, std::vector<T>& values, Each each) {
        std::optional<std::vector<T>> read;
        nullableArray(field, read, each);
        if (ok() && !read) {
            failAt(field, "null where an array is required");
        }
        if (ok()) {
            values = std::move(*read);
        }
    }

    template<typename T, typename Each>
    void nullableArray(std::string_view field, std::optional<std::vector<T>>& values, Each each) {
        const auto count = arrayCount(field);
        if (!count) {
            values.reset();
            return;
        }
        values.emplace();
        for (std::uint32_t i = 0; i < *count && ok(); ++i) {
            each(*this, values->emplace_back());
        }
        if (!ok()) {
            values.reset();
        }
    }

    /// The tagged fields that end a flexible structure; does nothing where the message is not flexible.
    /// `known(reader, tag)` reads the fields it knows from a reader bounded to that field and returns false
    /// for others, which are skipped.
    template<typename Known>
    void tagged(Known known) {
        if (!flexible_) {
            return;
        }
        const auto count = uvarint("tagged fields");
        if (ok() && count > remaining()) {
            failAt("tagged fields", "a count beyond the end");
        }
        for (std::uint32_t i = 0; i < count && ok(); ++i) {
            const auto tag = uvarint("tag");
            const auto size = uvarint("size of a tagged field");
            const auto bytes = take("tagged field", size);
            if (!ok()) {
                return;
            }
            Reader inner(bytes, message_, version_, true);
            const bool wasKnown = known(inner, tag);
            if (inner.ok() && wasKnown && inner.remaining() != 0) {
                inner.failAt("tagged field", "bytes left over");
            }
            if (!inner.ok()) {
                error_ = inner.error_;
            }
        }
    }

    /// Tagged fields of which none is known.
    void tagged() {
        tagged([](Reader&, std::uint32_t) { return false; });
    }

    /// Fails when bytes are left: a whole message was expected.
    void expectEnd();

    [[nodiscard]] bool ok() const noexcept { return !error_.has_value(); }

    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

    [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - position_; }

    [[nodiscard]] std::size_t position() const noexcept { return position_; }

private:
    // In the header for speed: an answer of a thousand roles is ten thousand fields.
    ByteView take(std::string_view field, std::size_t count) {
        if (!ok() || count > remaining()) {
            failShort(field, count);
            return {};
        }
        const auto taken = bytes_.subspan(position_, count);
        position_ += count;
        return taken;
    }

    template<typename Integer>
    void integer(std::string_view field, Integer& value) {
        const auto bytes = take(field, sizeof(Integer));
        if (!ok()) {
            return;
        }
        std::uint64_t raw = 0;
        for (const auto byte : bytes) {
            raw = (raw << 8U) | byte;
        }
        value = static_cast<Integer>(raw);
    }

    std::uint32_t uvarint(std::string_view field) {
        if (ok() && remaining() > 0 && bytes_[position_] < 0x80U) {
            return bytes_[position_++];
        }
        return longUvarint(field);
    }

    std::uint32_t longUvarint(std::string_view field);
    /// The bytes of a string that may be null.
    std::optional<ByteView> stringBytes(std::string_view field);
    std::optional<ByteView> oldStringBytes(std::string_view field);
    void assign(std::optional<ByteView> bytes, std::optional<std::string>& value) const;
    std::optional<std::uint32_t> arrayCount(std::string_view field);
    void failAt(std::string_view field, std::string problem);
    void failShort(std::string_view field, std::size_t needed);

    ByteView bytes_;
    std::size_t position_ = 0;
    std::string_view message_;
    std::int16_t version_;
    bool flexible_;
    std::optional<Error> error_;
};

} // namespace bellwether::kafka::wire
