// SPDX-License-Identifier: Apache-2.0
#include "coordination/ids.h"

#include "coordination/utf8.h"

namespace bellwether {

namespace detail {

CodePoint firstCodePoint(std::string_view bytes) noexcept {
    const auto at = [bytes](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned lead = at(0);
    if (lead < 0x80) {
        return {static_cast<char32_t>(lead), 1};
    }
    std::size_t length = 0;
    char32_t value = 0;
    char32_t smallest = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
        value = lead & 0x1FU;
        smallest = 0x80;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
        value = lead & 0x0FU;
        smallest = 0x800;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
        value = lead & 0x07U;
        smallest = 0x10000;
    } else {
        return {};
    }
    if (bytes.size() < length) {
        return {};
    }
    for (std::size_t i = 1; i < length; ++i) {
        const unsigned next = at(i);
        if ((next & 0xC0U) != 0x80U) {
            return {};
        }
        value = (value << 6U) | (next & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < smallest || value > 0x10FFFF || surrogate) {
        return {};
    }
    return {value, length};
}

void appendUtf8(std::string& out, char32_t value) {
    const auto put = [&out](char32_t byte) {
        out.push_back(static_cast<char>(static_cast<unsigned char>(byte)));
    };
    if (value < 0x80) {
        put(value);
    } else if (value < 0x800) {
        put(0xC0U | (value >> 6U));
        put(0x80U | (value & 0x3FU));
    } else if (value < 0x10000) {
        put(0xE0U | (value >> 12U));
        put(0x80U | ((value >> 6U) & 0x3FU));
        put(0x80U | (value & 0x3FU));
    } else {
        put(0xF0U | (value >> 18U));
        put(0x80U | ((value >> 12U) & 0x3FU));
        put(0x80U | ((value >> 6U) & 0x3FU));
        put(0x80U | (value & 0x3FU));
    }
}

} // namespace detail

bool isUtf8(std::string_view bytes) noexcept {
    while (!bytes.empty()) {
        const auto point = detail::firstCodePoint(bytes);
        if (point.length == 0) {
            return false;
        }
        bytes.remove_prefix(point.length);
    }
    return true;
}

std::string_view nameProblem(std::string_view bytes) noexcept {
    if (bytes.empty()) {
        return "empty";
    }
    if (bytes.size() > kMaxNameBytes) {
        return "longer than 249 bytes";
    }
    if (!isUtf8(bytes)) {
        return "not UTF-8";
    }
    return {};
}

} // namespace bellwether
