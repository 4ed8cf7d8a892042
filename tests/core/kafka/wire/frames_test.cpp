// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire/frame_assembler.h"
#include "sample_messages.h"

namespace bellwether::kafka::wire {
namespace {

using samples::fromHex;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kLimit = 1024;

TEST(FrameAssembler, ByteByByte) {
    FrameAssembler frames(kLimit);
    const auto stream = fromHex("00000003010203"
                                "00000000"
                                "00000001ff");
    std::vector<Bytes> whole;
    for (const auto byte : stream) {
        const auto some = frames.feed(Bytes{byte});
        ASSERT_TRUE(some.has_value());
        whole.insert(whole.end(), some->begin(), some->end());
    }
    EXPECT_THAT(whole, ElementsAre(Bytes{1, 2, 3}, Bytes{}, Bytes{0xff}));
    EXPECT_FALSE(frames.midFrame());
}

TEST(FrameAssembler, SeveralFramesInOneRead) {
    FrameAssembler frames(kLimit);
    const auto some = frames.feed(fromHex("00000001aa"
                                          "00000001bb"
                                          "00000002cc"));
    ASSERT_TRUE(some.has_value());
    EXPECT_THAT(*some, ElementsAre(Bytes{0xaa}, Bytes{0xbb}));
    EXPECT_TRUE(frames.midFrame());
}

TEST(FrameAssembler, AFrameBeyondTheLimitIsRefusedBeforeItsBytesCome) {
    FrameAssembler frames(kLimit);
    EXPECT_TRUE(frames.feed(fromHex("00000400")).has_value());
    const auto refused = FrameAssembler(kLimit).feed(fromHex("00000401"));
    ASSERT_FALSE(refused.has_value());
    EXPECT_EQ(refused.error().code, ErrorCode::protocol);
    EXPECT_THAT(refused.error().what, HasSubstr("frame of 1025 bytes"));
    EXPECT_FALSE(FrameAssembler(kLimit).feed(fromHex("ffffffff")).has_value()) << "a negative length";
}

TEST(FrameAssembler, TlsAndHttpAreNamed) {
    constexpr std::size_t kReal = std::size_t{64} << 20;
    const auto alert = FrameAssembler(kReal).feed(fromHex("15030300020228"));
    ASSERT_FALSE(alert.has_value());
    EXPECT_THAT(alert.error().text(), HasSubstr("TLS"));
    EXPECT_THAT(alert.error().hint, HasSubstr("security.protocol=SSL"));
    const auto http = FrameAssembler(kReal).feed(fromHex("485454502f312e31"));
    ASSERT_FALSE(http.has_value());
    EXPECT_THAT(http.error().what, HasSubstr("HTTP"));
}

} // namespace
} // namespace bellwether::kafka::wire
