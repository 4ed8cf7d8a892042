// SPDX-License-Identifier: Apache-2.0
// Three real brokers of each release: a stopped one delays nobody else, a killed one is replaced.
#include <algorithm>

#include <gtest/gtest.h>

#include "real_cluster.h"

namespace bellwether::kafka::wire {
namespace {

using Kind = CoordinatorAnswer::Kind;
constexpr Millis kLong{90'000};
constexpr Millis kFresh{2'000};

class ThreeNodes : public testing::TestWithParam<std::string> {};

TEST_P(ThreeNodes, HalfTheClusterGoneTheOtherHalfFresh) {
    RealCluster cluster(GetParam(), 3);
    const auto authority = cluster.authority();

    // Ids never used are answered by their coordinators, too: spread over the three.
    std::vector<Role> roles;
    for (int i = 0; i < 60; ++i) {
        roles.push_back(Role::of("role-" + std::to_string(i)).value());
    }
    for (const auto& each : describeRolesAndWait(*authority, roles, kLong)) {
        ASSERT_EQ(each.answer.kind, Kind::unknownId) << each.role.str() << ": " << each.answer.error->text();
    }

    cluster.pause(1);
    std::size_t fresh = 0;
    std::size_t late = 0;
    for (const auto& each : describeRolesAndWait(*authority, roles, kFresh)) {
        if (each.answer.kind == Kind::unknownId) {
            ++fresh;
            continue;
        }
        ++late;
        ASSERT_EQ(each.answer.kind, Kind::failed);
        EXPECT_EQ(each.answer.error->code, ErrorCode::timeout);
        EXPECT_EQ(each.answer.error->where, cluster.address(1)) << each.answer.error->text();
    }
    EXPECT_GE(fresh, 20U);
    EXPECT_GE(late, 1U) << "the stopped broker coordinates nothing: the test shows nothing";
    cluster.resume(1);
    for (const auto& each : describeRolesAndWait(*authority, roles, kLong)) {
        EXPECT_EQ(each.answer.kind, Kind::unknownId) << each.role.str() << ": " << each.answer.error->text();
    }

    // A role keeps its token while its coordinator is killed and another takes over.
    const auto minted = cluster.runJava("FenceProducer", {"survivor"});
    const auto survivor = Role::of("survivor").value();
    const auto before = describeRolesAndWait(*authority, {survivor}, kLong).at(0).answer;
    ASSERT_EQ(before.kind, Kind::described) << before.error->text();
    EXPECT_EQ(before.token.producerId, minted.at(0).at("producerId"));
    const auto told = cluster.runJava("DescribeTransactions", {"survivor"});
    cluster.kill(told.at(0).at("coordinator").get<int>());
    const auto after = describeRolesAndWait(*authority, {survivor}, kLong).at(0).answer;
    ASSERT_EQ(after.kind, Kind::described) << after.error->text();
    EXPECT_EQ(after.token, before.token);
    EXPECT_EQ(after.state, before.state);
    EXPECT_GT(after.askedAt, before.answeredAt);

    const auto info = describeClusterAndWait(*authority, kLong);
    ASSERT_TRUE(info.has_value()) << info.error().text();
    EXPECT_EQ(
        std::count_if(info->brokers.begin(), info->brokers.end(), [](const auto& b) { return b.reachable; }),
        2);
}

INSTANTIATE_TEST_SUITE_P(Releases, ThreeNodes, testing::Values("3.9.1", "4.0.0", "4.4.0"),
                         [](const auto& release) {
                             auto name = "v" + release.param;
                             std::replace(name.begin(), name.end(), '.', '_');
                             return name;
                         });

} // namespace
} // namespace bellwether::kafka::wire
