// SPDX-License-Identifier: Apache-2.0
// Bytes of each message in each version this client speaks, derived from the schemas and found equal to what
// the generated classes of kafka-clients 4.4.0 write for the same values.
#include <gtest/gtest.h>

#include "sample_messages.h"

namespace bellwether::kafka::wire {
namespace {

using samples::fromHex;
using samples::toHex;

template<typename Message>
void expectBytes(const Message& message, std::int16_t version, std::string_view hex) {
    SCOPED_TRACE(std::string(Message::kName) + " v" + std::to_string(version));
    const auto written = encode(message, version);
    ASSERT_TRUE(written.has_value()) << written.error().text();
    EXPECT_EQ(toHex(*written), hex);
    const auto read = decode<Message>(fromHex(hex), version);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    const auto again = encode(*read, version);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(toHex(*again), hex) << "a value was lost on the way in";
}

TEST(Golden, ApiVersionsRequest) {
    expectBytes(samples::apiVersionsRequest(), 0, "");
    expectBytes(samples::apiVersionsRequest(), 3, "03627704302e3100");
}

TEST(Golden, ApiVersionsResponse) {
    expectBytes(samples::apiVersionsResponse(), 0, "000000000002001200000004004100000000");
    expectBytes(samples::apiVersionsResponse(), 1, "00000000000200120000000400410000000000000005");
    expectBytes(samples::apiVersionsResponse(), 2, "00000000000200120000000400410000000000000005");
    expectBytes(samples::apiVersionsResponse(), 3,
                "000003001200000004000041000000000000000005030009020374760000000200010800000000000000"
                "090209020374760002000200");
    expectBytes(samples::apiVersionsResponse(), 4,
                "000003001200000004000041000000000000000005030009020374760000000200010800000000000000"
                "090209020374760002000200");
}

TEST(Golden, Sasl) {
    expectBytes(samples::saslHandshakeRequest(), 1, "0005504c41494e");
    expectBytes(samples::saslHandshakeResponse(), 1, "002100000002000141000142");
    expectBytes(samples::saslAuthenticateRequest(), 0, "00000002aabb");
    expectBytes(samples::saslAuthenticateRequest(), 1, "00000002aabb");
    expectBytes(samples::saslAuthenticateRequest(), 2, "03aabb00");
    expectBytes(samples::saslAuthenticateResponse(), 0, "003a00016d00000001ff");
    expectBytes(samples::saslAuthenticateResponse(), 1, "003a00016d00000001ff0000000000000005");
    expectBytes(samples::saslAuthenticateResponse(), 2, "003a026d02ff000000000000000500");
}

TEST(Golden, MetadataRequest) {
    expectBytes(samples::metadataRequest(), 4, "0000000100017400");
    expectBytes(samples::metadataRequest(), 5, "0000000100017400");
    expectBytes(samples::metadataRequest(), 6, "0000000100017400");
    expectBytes(samples::metadataRequest(), 7, "0000000100017400");
    expectBytes(samples::metadataRequest(), 8, "00000001000174000000");
    expectBytes(samples::metadataRequest(), 9, "0202740000000000");
    expectBytes(samples::metadataRequest(), 10, "020000000000000000000000000000000002740000000000");
    expectBytes(samples::metadataRequest(), 11, "0200000000000000000000000000000000027400000000");
    expectBytes(samples::metadataRequest(), 12, "0200000000000000000000000000000000027400000000");
    expectBytes(samples::metadataRequest(), 13, "0200000000000000000000000000000000027400000000");
}

TEST(Golden, MetadataResponse) {
    expectBytes(samples::metadataResponse(), 4,
                "000000010000000200000001000168000023840001720000000200016900002385ffff00014300000002"
                "000000010000000174010000000100050000000300000001000000020000000100000002000000010000"
                "0001");
    expectBytes(samples::metadataResponse(), 5,
                "000000010000000200000001000168000023840001720000000200016900002385ffff00014300000002"
                "000000010000000174010000000100050000000300000001000000020000000100000002000000010000"
                "00010000000100000002");
    expectBytes(samples::metadataResponse(), 6,
                "000000010000000200000001000168000023840001720000000200016900002385ffff00014300000002"
                "000000010000000174010000000100050000000300000001000000020000000100000002000000010000"
                "00010000000100000002");
    expectBytes(samples::metadataResponse(), 7,
                "000000010000000200000001000168000023840001720000000200016900002385ffff00014300000002"
                "000000010000000174010000000100050000000300000001000000040000000200000001000000020000"
                "0001000000010000000100000002");
    expectBytes(samples::metadataResponse(), 8,
                "000000010000000200000001000168000023840001720000000200016900002385ffff00014300000002"
                "000000010000000174010000000100050000000300000001000000040000000200000001000000020000"
                "00010000000100000001000000028000000080000000");
    expectBytes(samples::metadataResponse(), 9,
                "000000010300000001026800002384027200000000020269000023850000024300000002020000027401"
                "020005000000030000000100000004030000000100000002020000000102000000020080000000008000"
                "000000");
    expectBytes(samples::metadataResponse(), 10,
                "000000010300000001026800002384027200000000020269000023850000024300000002020000027400"
                "000000000000000000000000000000010200050000000300000001000000040300000001000000020200"
                "00000102000000020080000000008000000000");
    expectBytes(samples::metadataResponse(), 11,
                "000000010300000001026800002384027200000000020269000023850000024300000002020000027400"
                "000000000000000000000000000000010200050000000300000001000000040300000001000000020200"
                "000001020000000200800000000000");
    expectBytes(samples::metadataResponse(), 12,
                "000000010300000001026800002384027200000000020269000023850000024300000002020000027400"
                "000000000000000000000000000000010200050000000300000001000000040300000001000000020200"
                "000001020000000200800000000000");
    expectBytes(samples::metadataResponse(), 13,
                "000000010300000001026800002384027200000000020269000023850000024300000002020000027400"
                "000000000000000000000000000000010200050000000300000001000000040300000001000000020200"
                "0000010200000002008000000000000000");
}

TEST(Golden, FindCoordinatorRequest) {
    expectBytes(samples::findCoordinatorRequest(1), 1, "00017201");
    expectBytes(samples::findCoordinatorRequest(2), 2, "00017201");
    expectBytes(samples::findCoordinatorRequest(3), 3, "02720100");
    expectBytes(samples::findCoordinatorRequest(4), 4, "01030272027300");
}

TEST(Golden, FindCoordinatorResponse) {
    expectBytes(samples::findCoordinatorResponse(1), 1, "00000001000f00016d0000000200016800002384");
    expectBytes(samples::findCoordinatorResponse(2), 2, "00000001000f00016d0000000200016800002384");
    expectBytes(samples::findCoordinatorResponse(3), 3, "00000001000f026d0000000202680000238400");
    expectBytes(samples::findCoordinatorResponse(4), 4,
                "0000000103027200000002026800002384000001000273ffffffff01ffffffff000f026d0000");
}

TEST(Golden, DescribeTransactionsRequest) {
    expectBytes(samples::describeTransactionsRequest(), 0, "030272027300");
}

TEST(Golden, DescribeTransactionsResponse) {
    expectBytes(samples::describeTransactionsResponse(), 0,
                "000000010300000272084f6e676f696e67000027100000018bcfe56800000000000000004d0003020274"
                "0300000000000000030000006902730100000000ffffffffffffffffffffffffffffffffffff010000");
}

TEST(Golden, DescribeProducersRequest) {
    expectBytes(samples::describeProducersRequest(), 0, "0202740300000000000000030000");
}

TEST(Golden, DescribeProducersResponse) {
    expectBytes(samples::describeProducersResponse(), 0,
                "00000001020274030000000000000002000000000000004d00000003000000050000018bcfe568000000"
                "0001000000000000002a0000000000030006026d01000000");
}

TEST(Golden, ListTransactionsRequest) {
    expectBytes(samples::listTransactionsRequest(0), 0, "02084f6e676f696e6702000000000000004d00");
    expectBytes(samples::listTransactionsRequest(1), 1,
                "02084f6e676f696e6702000000000000004d00000000000003e800");
}

TEST(Golden, ListTransactionsResponse) {
    expectBytes(samples::listTransactionsResponse(), 0,
                "000000010000020258020272000000000000004d06456d7074790000");
    expectBytes(samples::listTransactionsResponse(), 1,
                "000000010000020258020272000000000000004d06456d7074790000");
}

TEST(Golden, MetadataRequestForEveryTopic) {
    MetadataRequest all;
    all.topics.reset();
    expectBytes(all, 4, "ffffffff00");
    expectBytes(all, 9, "0000000000");
}

TEST(Golden, FieldsArriveWhereTheyBelong) {
    const auto states =
        decode<DescribeTransactionsResponse>(*encode(samples::describeTransactionsResponse(), 0), 0);
    ASSERT_TRUE(states.has_value());
    ASSERT_EQ(states->states.size(), 2U);
    EXPECT_EQ(states->states[0].transactionalId, "r");
    EXPECT_EQ(states->states[0].state, "Ongoing");
    EXPECT_EQ(states->states[0].timeoutMs, 10'000);
    EXPECT_EQ(states->states[0].startTimeMs, 1'700'000'000'000);
    EXPECT_EQ(states->states[0].producerId, 77);
    EXPECT_EQ(states->states[0].producerEpoch, 3);
    EXPECT_EQ(states->states[1].errorCode, 105);
    EXPECT_EQ(states->states[1].producerEpoch, -1);

    const auto versions = decode<ApiVersionsResponse>(*encode(samples::apiVersionsResponse(), 3), 3);
    ASSERT_TRUE(versions.has_value());
    EXPECT_EQ(versions->versionsOf(ApiKey::apiVersions), (VersionRange{0, 4}));
    EXPECT_FALSE(versions->versionsOf(ApiKey::metadata).has_value());
    ASSERT_EQ(versions->finalizedFeatures.size(), 1U);
    EXPECT_EQ(versions->finalizedFeatures[0].name, "tv");
    EXPECT_EQ(versions->finalizedFeatures[0].maxVersionLevel, 2);
    EXPECT_EQ(versions->finalizedFeaturesEpoch, 9);
}

TEST(Golden, UnknownTaggedFieldsAreSkipped) {
    // The ApiVersions answer with tag 3 (ZkMigrationReady) and a tag from the future.
    const auto read = decode<ApiVersionsResponse>(fromHex("0000"
                                                          "01"
                                                          "00000000"
                                                          "02"
                                                          "030101"
                                                          "8801"
                                                          "02ffff"),
                                                  3);
    ASSERT_TRUE(read.has_value()) << read.error().text();
    EXPECT_TRUE(read->finalizedFeatures.empty());
    EXPECT_EQ(read->finalizedFeaturesEpoch, -1);
}

TEST(Golden, RequestHeaders) {
    // Length, key, version, correlation id, client id in the old form; v2 of the header ends in tagged
    // fields.
    EXPECT_EQ(toHex(requestFrame(ApiKey::metadata, 8, 7, "bw", fromHex("aabb"))), "0000000e"
                                                                                  "0003"
                                                                                  "0008"
                                                                                  "00000007"
                                                                                  "00026277"
                                                                                  "aabb");
    EXPECT_EQ(toHex(requestFrame(ApiKey::describeTransactions, 0, 7, "bw", fromHex("aabb"))), "0000000f"
                                                                                              "0041"
                                                                                              "0000"
                                                                                              "00000007"
                                                                                              "00026277"
                                                                                              "00"
                                                                                              "aabb");
}

TEST(Golden, ResponseHeaders) {
    const auto frame = fromHex("0000000700aa");
    EXPECT_EQ(correlationIdOf(frame), 7);
    EXPECT_EQ(responseBodyOffset(ApiKey::describeTransactions, 0, frame), 5U);
    EXPECT_EQ(responseBodyOffset(ApiKey::metadata, 8, frame), 4U);
    EXPECT_EQ(responseBodyOffset(ApiKey::metadata, 9, frame), 5U);
    EXPECT_EQ(responseBodyOffset(ApiKey::apiVersions, 3, frame), 4U) << "header v0 in every version";
}

TEST(Golden, VersionsInCommon) {
    EXPECT_EQ(commonVersion({0, 4}, {2, 9}), 4);
    EXPECT_EQ(commonVersion({4, 13}, {0, 12}), 12);
    EXPECT_FALSE(commonVersion({4, 13}, {0, 3}).has_value());
    EXPECT_FALSE(commonVersion({0, 0}, {1, 2}).has_value());
}

} // namespace
} // namespace bellwether::kafka::wire
