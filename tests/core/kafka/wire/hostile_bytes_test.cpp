// SPDX-License-Identifier: Apache-2.0
// Every byte sequence is an answer or an error that names the message; never a crash, never a large
// allocation.
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire/writer.h"
#include "sample_messages.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;

template<typename Message>
void expectEveryTruncationFails(const Message& message) {
    const auto spoken = spokenVersions(Message::kApi);
    for (auto version = spoken.min; version <= spoken.max; ++version) {
        const auto whole = encode(message, version);
        ASSERT_TRUE(whole.has_value());
        ASSERT_TRUE(decode<Message>(*whole, version).has_value());
        for (std::size_t size = 0; size < whole->size(); ++size) {
            // A copy of exactly this size, so that a sanitizer sees a read beyond it.
            const Bytes cut(whole->begin(), whole->begin() + static_cast<std::ptrdiff_t>(size));
            const auto read = decode<Message>(cut, version);
            ASSERT_FALSE(read.has_value()) << Message::kName << " v" << version << " cut to " << size;
            EXPECT_EQ(read.error().code, ErrorCode::protocol);
            EXPECT_THAT(read.error().what, HasSubstr(std::string(Message::kName)));
            EXPECT_THAT(read.error().what, HasSubstr("field "));
        }
        auto longer = *whole;
        longer.push_back(0);
        EXPECT_FALSE(decode<Message>(longer, version).has_value())
            << Message::kName << " with a byte too many";
    }
}

template<typename Message>
void feedGarbage(const Message& message, std::mt19937& random) {
    const auto spoken = spokenVersions(Message::kApi);
    int refused = 0;
    for (auto version = spoken.min; version <= spoken.max; ++version) {
        const auto whole = encode(message, version);
        ASSERT_TRUE(whole.has_value());
        for (int round = 0; round < 300; ++round) {
            Bytes noise(random() % 120);
            for (auto& byte : noise) {
                byte = static_cast<std::uint8_t>(random());
            }
            refused += decode<Message>(noise, version).has_value() ? 0 : 1;
            Bytes mutated = *whole;
            for (int flips = 0; flips < 3 && !mutated.empty(); ++flips) {
                mutated[random() % mutated.size()] = static_cast<std::uint8_t>(random());
            }
            const auto read = decode<Message>(mutated, version);
            if (read) {
                EXPECT_TRUE(encode(*read, version).has_value());
            } else {
                EXPECT_EQ(read.error().code, ErrorCode::protocol);
            }
        }
    }
    EXPECT_GT(refused, 0) << Message::kName;
}

TEST(HostileBytes, EveryTruncationOfEveryResponseFails) {
    expectEveryTruncationFails(samples::apiVersionsResponse());
    expectEveryTruncationFails(samples::saslHandshakeResponse());
    expectEveryTruncationFails(samples::saslAuthenticateResponse());
    expectEveryTruncationFails(samples::metadataResponse());
    expectEveryTruncationFails(samples::findCoordinatorResponse(1));
    expectEveryTruncationFails(samples::describeTransactionsResponse());
    expectEveryTruncationFails(samples::describeProducersResponse());
    expectEveryTruncationFails(samples::listTransactionsResponse());
}

TEST(HostileBytes, GarbageIsRefusedOrReadWithoutHarm) {
    std::mt19937 random(20231114); // NOLINT: the same bytes in every run
    feedGarbage(samples::apiVersionsResponse(), random);
    feedGarbage(samples::saslHandshakeResponse(), random);
    feedGarbage(samples::saslAuthenticateResponse(), random);
    feedGarbage(samples::metadataResponse(), random);
    feedGarbage(samples::findCoordinatorResponse(1), random);
    feedGarbage(samples::describeTransactionsResponse(), random);
    feedGarbage(samples::describeProducersResponse(), random);
    feedGarbage(samples::listTransactionsResponse(), random);
}

TEST(HostileBytes, CountsBeyondTheEndAreRefused) {
    // An old-style array of 2^31-1 elements.
    const auto apis = decode<ApiVersionsResponse>(samples::fromHex("00007fffffff"), 0);
    ASSERT_FALSE(apis.has_value());
    EXPECT_THAT(apis.error().what, HasSubstr("field ApiKeys"));
    EXPECT_THAT(apis.error().what, HasSubstr("2147483647 elements"));
    // A compact array of 2^32-2 elements.
    const auto states = decode<DescribeTransactionsResponse>(samples::fromHex("00000000ffffffff0f"), 0);
    ASSERT_FALSE(states.has_value());
    EXPECT_THAT(states.error().what, HasSubstr("field TransactionStates"));
    // A compact string longer than the message.
    EXPECT_FALSE(decode<DescribeTransactionsRequest>(samples::fromHex("02ffffffff0f"), 0).has_value());
    // A negative count that is not null, a negative length that is not null.
    EXPECT_FALSE(decode<ApiVersionsResponse>(samples::fromHex("0000fffffffe"), 0).has_value());
    EXPECT_FALSE(decode<FindCoordinatorRequest>(samples::fromHex("fffe01"), 1).has_value());
    // More tagged fields than bytes.
    EXPECT_FALSE(decode<DescribeTransactionsRequest>(samples::fromHex("01ffffffff0f"), 0).has_value());
}

TEST(HostileBytes, NullWhereAValueIsRequired) {
    const auto ids = decode<DescribeTransactionsRequest>(samples::fromHex("0000"), 0);
    ASSERT_FALSE(ids.has_value());
    EXPECT_THAT(ids.error().what, HasSubstr("null where an array is required"));
    const auto id = decode<DescribeTransactionsRequest>(samples::fromHex("020000"), 0);
    ASSERT_FALSE(id.has_value());
    EXPECT_THAT(id.error().what, HasSubstr("null where a string is required"));
}

TEST(HostileBytes, NumbersOfMoreThan32BitsAreRefused) {
    for (const auto* hex : {"ffffffff1f", "ffffffffff01", "8080808080808001"}) {
        const auto read = decode<DescribeTransactionsRequest>(samples::fromHex(hex), 0);
        ASSERT_FALSE(read.has_value()) << hex;
        EXPECT_THAT(read.error().what, HasSubstr("more than 32 bits"));
    }
}

TEST(HostileBytes, ATaggedFieldEndsWhereItsSizeSays) {
    // Tag 1 (an int64) in 4 bytes, then in 9.
    EXPECT_FALSE(decode<ApiVersionsResponse>(samples::fromHex("000001"
                                                              "00000000"
                                                              "01"
                                                              "0104"
                                                              "00000009"),
                                             3));
    EXPECT_FALSE(decode<ApiVersionsResponse>(samples::fromHex("000001"
                                                              "00000000"
                                                              "01"
                                                              "0109"
                                                              "000000000000000900"),
                                             3));
}

TEST(HostileBytes, StringsTooLongForTheProtocolAreNotWritten) {
    const DescribeTransactionsRequest request{{std::string(40'000, 'x')}};
    const auto written = encode(request, 0);
    ASSERT_FALSE(written.has_value());
    EXPECT_EQ(written.error().code, ErrorCode::invalidArgument);
}

} // namespace
} // namespace bellwether::kafka::wire
