// SPDX-License-Identifier: Apache-2.0
// The frozen bytes: what members in other languages read and write.
#include <fstream>
#include <stdexcept>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "coordination/record_codec.h"
#include "coordination/role_partition.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing_support::bytesOfHex;
using testing_support::hexOfBytes;
using testing_support::member;
using testing_support::role;

nlohmann::json vectors() {
    std::ifstream file(std::string(BELLWETHER_TEST_DATA) + "/vectors.json");
    if (!file) {
        throw std::runtime_error("tests/data/vectors.json cannot be opened");
    }
    return nlohmann::json::parse(file);
}

TEST(Golden, RecordsOfTheVectorsFile) {
    const auto records = vectors().at("records");
    const auto fixture = records.at("fixture");
    const auto aRole = role(fixture.at("role").get<std::string>());
    const auto aMember = member(fixture.at("member").get<std::string>());
    const Registration registration{aMember, wallTime(fixture.at("registeredAt").get<std::int64_t>())};
    const Lease lease{
        aMember,
        {fixture.at("producerId").get<std::int64_t>(), fixture.at("producerEpoch").get<std::int16_t>()},
        wallTime(fixture.at("grantedAt").get<std::int64_t>()),
        wallTime(fixture.at("deadline").get<std::int64_t>())};
    const auto golden = [&records](const char* name) {
        return bytesOfHex(records.at(name).get<std::string>());
    };

    EXPECT_EQ(hexOfBytes(encodeRegistrationKey(aRole, aMember)), hexOfBytes(golden("registrationKey")));
    EXPECT_EQ(hexOfBytes(encodeLeaseKey(aRole)), hexOfBytes(golden("leaseKey")));
    EXPECT_EQ(hexOfBytes(encodeRegistrationValue(registration)), hexOfBytes(golden("registrationValue")));
    EXPECT_EQ(hexOfBytes(encodeLeaseValue(lease)), hexOfBytes(golden("leaseValue")));

    const auto decodedRegistration = decodeRecord(golden("registrationKey"), golden("registrationValue"));
    ASSERT_TRUE(decodedRegistration);
    EXPECT_EQ(*decodedRegistration,
              (CoordinationRecord{{RecordKind::registration, aRole, aMember}, registration, {}}));
    const auto decodedLease = decodeRecord(golden("leaseKey"), golden("leaseValue"));
    ASSERT_TRUE(decodedLease);
    EXPECT_EQ(*decodedLease, (CoordinationRecord{{RecordKind::lease, aRole, std::nullopt}, lease, {}}));
}

TEST(Golden, LiteralHex) {
    const auto controller = role("controller");
    const auto node = member("node-1");
    EXPECT_EQ(hexOfBytes(encodeRegistrationKey(controller, node)),
              "00000000000a636f6e74726f6c6c657200066e6f64652d31");
    EXPECT_EQ(hexOfBytes(encodeLeaseKey(controller)), "00000001000a636f6e74726f6c6c65720000");
    EXPECT_EQ(hexOfBytes(encodeRegistrationValue({node, wallTime(1'700'000'000'000)})),
              "000000066e6f64652d310000018bcfe56800");
    EXPECT_EQ(hexOfBytes(encodeLeaseValue(
                  {node, {4242, 7}, wallTime(1'700'000'000'000), wallTime(1'700'000'030'000)})),
              "000000066e6f64652d31000000000000109200070000018bcfe568000000018bcfe5dd30");
    // The extremes of every field, and a name of three bytes for one character.
    EXPECT_EQ(hexOfBytes(encodeLeaseValue(
                  {member("\xE2\x82\xAC"), {INT64_MAX, INT16_MAX}, wallTime(INT64_MIN), wallTime(-1)})),
              "00000003e282ac7fffffffffffffff7fff8000000000000000ffffffffffffffff");
}

TEST(Golden, PartitionOfARole) {
    const auto file = vectors();
    ASSERT_FALSE(file.at("rolePartition").empty());
    for (const auto& entry : file.at("rolePartition")) {
        EXPECT_EQ(rolePartition(role(entry.at("role").get<std::string>()),
                                entry.at("partitions").get<std::int32_t>()),
                  entry.at("partition").get<std::int32_t>())
            << entry;
    }
}

TEST(Golden, Murmur2) {
    const auto file = vectors();
    ASSERT_FALSE(file.at("murmur2").empty());
    for (const auto& entry : file.at("murmur2")) {
        EXPECT_EQ(murmur2(entry.at("key").get<std::string>()), entry.at("hash").get<std::int32_t>()) << entry;
    }
}

TEST(Golden, TheMaskClearsTheSignBitAndIsNotAnAbsoluteValue) {
    // murmur2("a") is -1563381124: masked 584102524, absolute 1563381124; they differ modulo 7.
    EXPECT_EQ(murmur2("a"), -1563381124);
    EXPECT_EQ(rolePartition(role("a"), 7), 584102524 % 7);
    EXPECT_NE(rolePartition(role("a"), 7), 1563381124 % 7);
}

TEST(Golden, PartitionCountMustBePositive) {
    EXPECT_THROW(static_cast<void>(rolePartition(role("a"), 0)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(rolePartition(role("a"), -16)), std::invalid_argument);
}

TEST(Golden, TokenOrder) {
    const auto order = vectors().at("fencingTokenOrder").at("ascending").get<std::vector<std::string>>();
    ASSERT_GT(order.size(), 1U);
    std::vector<FencingToken> tokens;
    for (const auto& text : order) {
        const auto token = FencingToken::parse(text);
        ASSERT_TRUE(token) << token.error().text();
        EXPECT_EQ(token->text(), text);
        tokens.push_back(*token);
    }
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        for (std::size_t j = 0; j < tokens.size(); ++j) {
            EXPECT_EQ(tokens[i] < tokens[j], i < j) << order[i] << " against " << order[j];
            EXPECT_EQ(tokens[i] == tokens[j], i == j) << order[i] << " against " << order[j];
        }
    }
}

} // namespace
} // namespace bellwether
