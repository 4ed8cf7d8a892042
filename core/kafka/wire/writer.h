// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "kafka/wire/reader.h"

namespace bellwether::kafka::wire {

/// Writes what Reader reads, by the same calls. The first failure (a string or array too long for its length
/// field) sticks.
class Writer {
public:
    static constexpr bool kReads = false;

    Writer(std::string_view message, std::int16_t version, bool flexible);

    void boolean(std::string_view field, bool value);
    void i8(std::string_view field, std::int8_t value);
    void i16(std::string_view field, std::int16_t value);
    void i32(std::string_view field, std::int32_t value);
    void i64(std::string_view field, std::int64_t value);
    /// All zeros: "no id".
    void uuid(std::string_view field);
    void string(std::string_view field, const std::string& value);
    void nullableString(std::string_view field, const std::optional<std::string>& value);
    void oldNullableString(std::string_view field, const std::optional<std::string>& value);

    template<typename T, typename Each>
    void array(std::string_view field, std::vector<T>& values, Each each) {
        arrayCount(field, values.size());
        for (auto& value : values) {
            each(*this, value);
        }
    }

    template<typename T, typename Each>
    void nullableArray(std::string_view field, std::optional<std::vector<T>>& values, Each each) {
        if (values) {
            array(field, *values, each);
        } else {
            nullArray();
        }
    }

    /// Ends a flexible structure that has no tagged fields; does nothing where the message is not flexible.
    void tagged();

    /// Tagged fields in ascending order of their tags: beginTagged(count), then each taggedField.
    void beginTagged(std::uint32_t count);

    template<typename Write>
    void taggedField(std::uint32_t tag, Write write) {
        Writer inner(message_, version_, true);
        write(inner);
        appendTagged(tag, inner);
    }

    /// A length-prefixed frame is made by the connection; this is the bare body.
    [[nodiscard]] Result<Bytes> finish() &&;

    [[nodiscard]] bool flexible() const noexcept { return flexible_; }

private:
    void text(std::string_view field, std::string_view value, bool compact);
    void bigEndian(std::uint64_t value, std::size_t width);
    void uvarint(std::uint32_t value);
    void arrayCount(std::string_view field, std::size_t count);
    void nullArray();
    void appendTagged(std::uint32_t tag, const Writer& inner);
    void failAt(std::string_view field, std::size_t size);

    Bytes bytes_;
    std::string_view message_;
    std::int16_t version_;
    bool flexible_;
    std::optional<Error> error_;
};

} // namespace bellwether::kafka::wire
