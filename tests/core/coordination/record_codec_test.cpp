// SPDX-License-Identifier: Apache-2.0
// What a decoder takes and what it refuses, and which part it blames.
#include <limits>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "coordination/record_codec.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using testing_support::below;
using testing_support::bytesOfHex;
using testing_support::legalRecords;
using testing_support::member;
using testing_support::randomInt64;
using testing_support::randomName;
using testing_support::role;
using testing_support::Sample;

std::string valuePart(const Sample& sample) {
    return sample.record.key.kind == RecordKind::lease ? "lease value" : "registration value";
}

TEST(RecordCodec, LegalRecordsDecodeToWhatWasEncoded) {
    for (const auto& sample : legalRecords()) {
        const auto decoded = decodeRecord(sample.key, sample.value);
        ASSERT_TRUE(decoded) << sample.what << ": " << decoded.error().what;
        EXPECT_EQ(*decoded, sample.record) << sample.what;
        const auto key = decodeKey(sample.key);
        ASSERT_TRUE(key) << sample.what;
        EXPECT_EQ(*key, sample.record.key) << sample.what;
    }
}

TEST(RecordCodec, EveryTruncationIsRefusedWithItsPart) {
    for (const auto& sample : legalRecords()) {
        for (std::size_t length = 0; length < sample.key.size(); ++length) {
            const auto key = std::string_view(sample.key).substr(0, length);
            const auto decoded = decodeRecord(key, sample.value);
            ASSERT_FALSE(decoded) << sample.what << ", key cut to " << length;
            EXPECT_EQ(decoded.error().part, "key") << sample.what << ", key cut to " << length;
            EXPECT_THAT(decoded.error().what, StartsWith("truncated: "));
            EXPECT_EQ(decodeKey(key).error(), decoded.error());
        }
        // A value cut to nothing is a tombstone, not a truncation.
        for (std::size_t length = 1; sample.value && length < sample.value->size(); ++length) {
            const auto decoded = decodeRecord(sample.key, std::string_view(*sample.value).substr(0, length));
            ASSERT_FALSE(decoded) << sample.what << ", value cut to " << length;
            EXPECT_EQ(decoded.error().part, valuePart(sample)) << sample.what << ", value cut to " << length;
            EXPECT_THAT(decoded.error().what, StartsWith("truncated: "));
        }
    }
}

TEST(RecordCodec, EveryTrailingByteIsRefusedWithItsPart) {
    for (const auto& sample : legalRecords()) {
        for (int byte = 0; byte < 256; ++byte) {
            const auto longer = sample.key + static_cast<char>(byte);
            const auto badKey = decodeRecord(longer, sample.value);
            ASSERT_FALSE(badKey) << sample.what << ", byte " << byte;
            EXPECT_EQ(badKey.error(), (DecodeProblem{"key", "trailing bytes: 1"})) << sample.what;
            if (sample.value && !sample.value->empty()) {
                const auto badValue = decodeRecord(sample.key, *sample.value + static_cast<char>(byte));
                ASSERT_FALSE(badValue) << sample.what << ", byte " << byte;
                EXPECT_EQ(badValue.error(), (DecodeProblem{valuePart(sample), "trailing bytes: 1"}))
                    << sample.what;
            }
        }
    }
}

/// `bytes` with the 16-bit field at `at` set to `value`.
std::string withI16(std::string bytes, std::size_t at, int value) {
    bytes.at(at) = static_cast<char>((static_cast<unsigned>(value) >> 8U) & 0xFFU);
    bytes.at(at + 1) = static_cast<char>(static_cast<unsigned>(value) & 0xFFU);
    return bytes;
}

/// Every 16-bit number near nought, and a spread of the others with both ends.
std::vector<int> manyI16() {
    std::vector<int> numbers{-32768, 32767};
    for (int number = -32767; number<32767; number += number> - 600 && number < 600 ? 1 : 59) {
        numbers.push_back(number);
    }
    return numbers;
}

TEST(RecordCodec, EveryOtherVersionIsRefused) {
    const auto samples = legalRecords();
    for (const int version : manyI16()) {
        if (version == 0) {
            continue;
        }
        const auto& registration = samples.at(0);
        const auto& lease = samples.at(4);
        const auto text = "version " + std::to_string(version) + ", only 0 is known";
        EXPECT_EQ(decodeKey(withI16(lease.key, 0, version)).error(), (DecodeProblem{"key", text}));
        EXPECT_EQ(decodeRecord(registration.key, withI16(*registration.value, 0, version)).error(),
                  (DecodeProblem{"registration value", text}));
        EXPECT_EQ(decodeRecord(lease.key, withI16(*lease.value, 0, version)).error(),
                  (DecodeProblem{"lease value", text}));
    }
}

TEST(RecordCodec, EveryOtherKindIsRefused) {
    const auto registration = legalRecords().at(0);
    for (const int kind : manyI16()) {
        const auto decoded = decodeKey(withI16(registration.key, 2, kind));
        if (kind == 0) {
            EXPECT_TRUE(decoded);
        } else if (kind == 1) {
            EXPECT_EQ(decoded.error(), (DecodeProblem{"key", "lease key names a member"}));
        } else {
            EXPECT_EQ(decoded.error(),
                      (DecodeProblem{"key", "kind " + std::to_string(kind) + ", only 0 and 1 are known"}));
        }
    }
}

/// No length but the true one is legal: a shorter one leaves bytes over, a longer one reaches past the end,
/// and whatever a wrong cut makes of the rest is refused as well.
TEST(RecordCodec, EveryOtherLengthIsRefused) {
    const auto controller = role("controller");
    const auto node = member("node-1");
    const auto registrationKey = encodeRegistrationKey(controller, node);
    const auto leaseKey = encodeLeaseKey(controller);
    const auto registration = encodeRegistrationValue({node, wallTime(1'700'000'000'000)});
    const auto lease =
        encodeLeaseValue({node, {4242, 7}, wallTime(1'700'000'000'000), wallTime(1'700'000'030'000)});

    struct Field {
        std::string what;
        std::string part;
        std::size_t at;
        int legal;
    };

    const std::vector<Field> fields{{"role of a registration", "key", 4, 10},
                                    {"member of a registration", "key", 16, 6},
                                    {"role of a lease", "key", 4, 10},
                                    {"member of a lease", "key", 16, 0},
                                    {"member of a registration value", "registration value", 2, 6},
                                    {"member of a lease value", "lease value", 2, 6}};
    for (std::size_t i = 0; i < fields.size(); ++i) {
        const auto& field = fields[i];
        const bool ofLease = i == 2 || i == 3 || i == 5;
        const auto& key = ofLease ? leaseKey : registrationKey;
        const auto& value = ofLease ? lease : registration;
        for (const int length : manyI16()) {
            const bool inKey = field.part == "key";
            const auto decoded = decodeRecord(inKey ? withI16(key, field.at, length) : key,
                                              inKey ? value : withI16(value, field.at, length));
            if (length == field.legal) {
                ASSERT_TRUE(decoded) << field.what;
                continue;
            }
            ASSERT_FALSE(decoded) << field.what << " of length " << length;
            ASSERT_EQ(decoded.error().part, field.part) << field.what << " of length " << length;
            if (length < 0) {
                ASSERT_THAT(decoded.error().what, HasSubstr("negative length of "));
            }
        }
    }
}

TEST(RecordCodec, NamesOutOfBoundsAreRefused) {
    const auto key = [](const std::string& roleName, const std::string& memberName) {
        const auto i16 = [](std::size_t n) {
            return std::string{static_cast<char>(n >> 8U), static_cast<char>(n)};
        };
        return std::string(4, '\0') + i16(roleName.size()) + roleName + i16(memberName.size()) + memberName;
    };
    EXPECT_TRUE(decodeKey(key(std::string(249, 'r'), std::string(249, 'm'))));
    EXPECT_EQ(decodeKey(key("", "m")).error(), (DecodeProblem{"key", "role is empty"}));
    EXPECT_EQ(decodeKey(key("r", "")).error(), (DecodeProblem{"key", "member is empty"}));
    EXPECT_EQ(decodeKey(key(std::string(250, 'r'), "m")).error(),
              (DecodeProblem{"key", "role is longer than 249 bytes"}));
    EXPECT_EQ(decodeKey(key("r", std::string(32767, 'm'))).error(),
              (DecodeProblem{"key", "member is longer than 249 bytes"}));
    EXPECT_EQ(decodeKey(key("\xC3\x28", "m")).error(), (DecodeProblem{"key", "role is not UTF-8"}));
    EXPECT_EQ(decodeKey(key("r", "\xED\xA0\x80")).error(), (DecodeProblem{"key", "member is not UTF-8"}));

    const auto good = key("r", "m");
    EXPECT_EQ(decodeRecord(good, bytesOfHex("0000 0000 0000000000000001")).error(),
              (DecodeProblem{"registration value", "member is empty"}));
    EXPECT_EQ(decodeRecord(good, bytesOfHex("0000 0001 ff 0000000000000001")).error(),
              (DecodeProblem{"registration value", "member is not UTF-8"}));
    EXPECT_EQ(
        decodeRecord(good, bytesOfHex("0000 00fa") + std::string(250, 'm') + std::string(8, '\0')).error(),
        (DecodeProblem{"registration value", "member is longer than 249 bytes"}));
}

TEST(RecordCodec, NegativeTokensAreRefused) {
    const auto key = encodeLeaseKey(role("controller"));
    const auto value = [](const std::string& producerId, const std::string& epoch) {
        return bytesOfHex("0000 0006 6e6f64652d31" + producerId + epoch +
                          "0000018bcfe56800 0000018bcfe5dd30");
    };
    EXPECT_TRUE(decodeRecord(key, value("0000000000000000", "0000")));
    EXPECT_EQ(decodeRecord(key, value("fffffffffffffffb", "0001")).error(),
              (DecodeProblem{"lease value", "producerId -5 is negative"}));
    EXPECT_EQ(decodeRecord(key, value("8000000000000000", "0001")).error(),
              (DecodeProblem{"lease value", "producerId -9223372036854775808 is negative"}));
    EXPECT_EQ(decodeRecord(key, value("0000000000000001", "ffff")).error(),
              (DecodeProblem{"lease value", "producerEpoch -1 is negative"}));
    EXPECT_EQ(decodeRecord(key, value("0000000000000001", "8000")).error(),
              (DecodeProblem{"lease value", "producerEpoch -32768 is negative"}));
}

TEST(RecordCodec, ANullKeyAndAnEmptyKeyAreRefused) {
    EXPECT_EQ(decodeRecord(std::nullopt, "x").error().part, "key");
    EXPECT_EQ(decodeKey(std::nullopt).error(), (DecodeProblem{"key", "truncated: the key is null"}));
    EXPECT_EQ(decodeKey("").error().part, "key");
}

TEST(RecordCodec, TheKeyIsTheIdentity) {
    const auto controller = role("controller");
    const auto decoded = decodeRecord(encodeRegistrationKey(controller, member("node-1")),
                                      encodeRegistrationValue({member("node\n2"), wallTime(9)}));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(std::get<Registration>(decoded->value), (Registration{member("node-1"), wallTime(9)}));
    ASSERT_EQ(decoded->remarks.size(), 1U);
    EXPECT_EQ(decoded->remarks[0].part, "registration value");
    EXPECT_EQ(decoded->remarks[0].what,
              "names member \"node\\n2\", its key names \"node-1\": the key counts");
}

TEST(RecordCodec, AnIllegalLeaseIsNotEncoded) {
    for (const auto token : {FencingToken::none(), FencingToken{-1, 0}, FencingToken{0, -1}}) {
        EXPECT_THROW(static_cast<void>(encodeLeaseValue({member("m"), token, {}, {}})),
                     std::invalid_argument);
    }
}

TEST(RecordCodec, RandomLegalRecordsRoundTrip) {
    std::mt19937_64 random(4242);
    for (int i = 0; i < 5'000; ++i) {
        const auto longest = std::size_t{i % 3 == 0 ? 1U : 249U};
        const auto aRole = role(randomName(random, longest));
        const auto aMember = member(randomName(random, longest));
        const Registration registration{aMember, wallTime(randomInt64(random))};
        const Lease lease{aMember,
                          {randomInt64(random) & std::numeric_limits<std::int64_t>::max(),
                           static_cast<std::int16_t>(below(random, 32'768))},
                          wallTime(randomInt64(random)),
                          wallTime(randomInt64(random))};
        const auto first =
            decodeRecord(encodeRegistrationKey(aRole, aMember), encodeRegistrationValue(registration));
        ASSERT_TRUE(first) << first.error().what;
        ASSERT_EQ(*first, (CoordinationRecord{{RecordKind::registration, aRole, aMember}, registration, {}}));
        const auto second = decodeRecord(encodeLeaseKey(aRole), encodeLeaseValue(lease));
        ASSERT_TRUE(second) << second.error().what;
        ASSERT_EQ(*second, (CoordinationRecord{{RecordKind::lease, aRole, std::nullopt}, lease, {}}));
    }
}

/// Whatever decodes encodes to the very same bytes: there is one way to write a record.
TEST(RecordCodec, EveryDecodableMutationHasOneEncoding) {
    std::mt19937_64 random(99);
    std::size_t accepted = 0;
    for (const auto& sample : legalRecords()) {
        for (int i = 0; i < 500; ++i) {
            auto key = sample.key;
            auto value = sample.value;
            auto& bytes = value && !value->empty() && below(random, 2) == 0 ? *value : key;
            bytes[below(random, bytes.size())] = static_cast<char>(below(random, 256));
            const auto decoded = decodeRecord(key, value);
            if (!decoded) {
                ASSERT_FALSE(decoded.error().what.empty());
                continue;
            }
            ++accepted;
            const auto& identity = decoded->key;
            ASSERT_EQ(key, identity.kind == RecordKind::lease
                               ? encodeLeaseKey(identity.role)
                               : encodeRegistrationKey(identity.role, identity.member.value()));
            if (const auto* lease = std::get_if<Lease>(&decoded->value)) {
                ASSERT_EQ(*value, encodeLeaseValue(*lease));
            } else if (const auto* registration = std::get_if<Registration>(&decoded->value);
                       registration != nullptr && decoded->remarks.empty()) {
                ASSERT_EQ(*value, encodeRegistrationValue(*registration));
            }
        }
    }
    EXPECT_GT(accepted, 300U) << "the mutations do not only make rubbish";
}

} // namespace
} // namespace bellwether
