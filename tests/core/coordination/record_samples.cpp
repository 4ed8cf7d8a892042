// SPDX-License-Identifier: Apache-2.0
#include "record_samples.h"

#include <limits>
#include <stdexcept>

namespace bellwether::testing_support {

namespace {

void appendCodePoint(std::string& out, std::uint32_t value) {
    const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte & 0xFFU)); };
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

std::uint32_t randomCodePoint(std::mt19937_64& random) {
    switch (below(random, 4)) {
    case 0: return static_cast<std::uint32_t>(below(random, 0x80));
    case 1: return static_cast<std::uint32_t>(0x80 + below(random, 0x800 - 0x80));
    case 2: {
        const auto value = static_cast<std::uint32_t>(0x800 + below(random, 0x10000 - 0x800 - 0x800));
        return value < 0xD800 ? value : value + 0x800;
    }
    default: return static_cast<std::uint32_t>(0x10000 + below(random, 0x110000 - 0x10000));
    }
}

Sample sampleOf(std::string what, const Role& aRole, const Registration& registration) {
    return {std::move(what), encodeRegistrationKey(aRole, registration.member),
            encodeRegistrationValue(registration),
            CoordinationRecord{{RecordKind::registration, aRole, registration.member}, registration, {}}};
}

Sample sampleOf(std::string what, const Role& aRole, const Lease& lease) {
    return {std::move(what), encodeLeaseKey(aRole), encodeLeaseValue(lease),
            CoordinationRecord{{RecordKind::lease, aRole, std::nullopt}, lease, {}}};
}

} // namespace

Role role(std::string_view name) {
    return Role::of(name).value();
}

MemberId member(std::string_view name) {
    return MemberId::of(name).value();
}

std::string bytesOfHex(std::string_view hex) {
    std::string digits;
    for (const char c : hex) {
        if (c != ' ') {
            digits += c;
        }
    }
    if (digits.size() % 2 != 0) {
        throw std::invalid_argument("odd number of hex digits");
    }
    std::string bytes;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
        std::size_t used = 0;
        bytes.push_back(static_cast<char>(std::stoi(digits.substr(i, 2), &used, 16)));
        if (used != 2) {
            throw std::invalid_argument("not a hex digit");
        }
    }
    return bytes;
}

std::string hexOfBytes(std::string_view bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const char byte : bytes) {
        const auto value = static_cast<unsigned char>(byte);
        hex += kDigits[value >> 4U];
        hex += kDigits[value & 0x0FU];
    }
    return hex;
}

std::uint64_t below(std::mt19937_64& random, std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random);
}

std::string randomName(std::mt19937_64& random, std::size_t maxBytes) {
    const auto wanted = 1 + below(random, maxBytes);
    std::string name;
    while (name.size() < wanted) {
        std::string next;
        appendCodePoint(next, randomCodePoint(random));
        if (name.size() + next.size() > maxBytes) {
            next = "x";
        }
        name += next;
    }
    return name;
}

std::string randomBytes(std::mt19937_64& random, std::size_t maxBytes) {
    std::string bytes(below(random, maxBytes + 1), '\0');
    for (auto& byte : bytes) {
        byte = static_cast<char>(below(random, 256));
    }
    return bytes;
}

std::int64_t randomInt64(std::mt19937_64& random) {
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
    switch (below(random, 6)) {
    case 0: return kMin + static_cast<std::int64_t>(below(random, 3));
    case 1: return kMax - static_cast<std::int64_t>(below(random, 3));
    case 2: return static_cast<std::int64_t>(below(random, 5)) - 2;
    default: return static_cast<std::int64_t>(random());
    }
}

std::vector<Sample> legalRecords() {
    const auto controller = role("controller");
    const auto node = member("node-1");
    const auto longest = std::string(kMaxNameBytes, 'z');
    std::string wide; // 83 characters of three bytes each: 249 bytes
    for (int i = 0; i < 83; ++i) {
        wide += "\xE2\x82\xAC";
    }
    constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMax = std::numeric_limits<std::int64_t>::max();

    std::vector<Sample> samples{
        sampleOf("registration", controller, Registration{node, wallTime(1'700'000'000'000)}),
        sampleOf("registration, shortest names", role("r"), Registration{member("m"), wallTime(kMin)}),
        sampleOf("registration, longest names", role(longest), Registration{member(wide), wallTime(kMax)}),
        sampleOf("registration, controls in the names", role(std::string("a\0b\n", 4)),
                 Registration{member("\xE2\x80\xAEgnp"), wallTime(-1)}),
        sampleOf("lease", controller,
                 Lease{node, {4242, 7}, wallTime(1'700'000'000'000), wallTime(1'700'000'030'000)}),
        sampleOf("lease, shortest names, lowest numbers", role("\x7F"),
                 Lease{member("0"), {0, 0}, wallTime(kMin), wallTime(kMin)}),
        sampleOf("lease, longest names, highest numbers", role(wide),
                 Lease{member(longest),
                       {kMax, std::numeric_limits<std::int16_t>::max()},
                       wallTime(kMax),
                       wallTime(kMax)}),
        sampleOf("lease, four-byte characters", role("\xF0\x9F\x90\x91"),
                 Lease{member("\xF4\x8F\xBF\xBF"), {9007199254740993, 32766}, wallTime(0), wallTime(1)}),
    };
    const auto kinds = samples;
    for (const auto& sample : kinds) {
        samples.push_back({sample.what + ", null value", sample.key, std::nullopt,
                           CoordinationRecord{sample.record.key, std::monostate{}, {}}});
        samples.push_back({sample.what + ", empty value", sample.key, std::string{},
                           CoordinationRecord{sample.record.key, std::monostate{}, {}}});
    }
    return samples;
}

} // namespace bellwether::testing_support
