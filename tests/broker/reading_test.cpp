// SPDX-License-Identifier: Apache-2.0
// What a member's read sees, and what it does not, on a real broker.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "coordination/role_partition.h"
#include "shared_cluster.h"

namespace bellwether::brokertest {
namespace {

class Reading : public testing::Test {
protected:
    TestCluster& cluster = sharedCluster();
    const MemberId node1 = member("node-1");
    const MemberId node2 = member("node-2");

    /// Appends raw bytes with the Java program; `how` is plain, commit or abort.
    void append(const Role& role, std::string_view key, std::string_view value, const std::string& how) {
        static_cast<void>(run(cluster.java(
            "AppendRecord", {"__coordination_state", partitionOf(role), hex(key), hex(value), how})));
    }

    static std::string partitionOf(const Role& role) { return std::to_string(rolePartition(role, 16)); }
};

template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

TEST_F(Reading, AnAbortedLeaseStaysInvisibleAndItsMarkerAtTheTailDoesNotHang) {
    const auto role = freshRole();
    const auto transport = openTransport(cluster.config());
    Process java(cluster.java("JavaMember", {role.str(), "node-j", "--abort-last"}));
    ASSERT_TRUE(java.lineWith("\"end\":\"abort\""));
    ASSERT_EQ(java.wait(), 0);
    const auto entries = transport->readRoleRecords(role);
    ASSERT_TRUE(succeeded(entries));
    ASSERT_EQ(entries->size(), 1U);
    EXPECT_EQ(entries->front().record.key.kind, RecordKind::registration);
}

TEST_F(Reading, AReadEndsBeforeAForeignOpenTransactionAtOnce) {
    const auto role = freshRole();
    const auto transport = openTransport(cluster.config());
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node1, wallTime(1)})));
    Process other(
        cluster.java("AppendRecord", {"__coordination_state", partitionOf(role),
                                      hex(encodeLeaseKey(freshRole())), "", "open", freshRole().str()}));
    ASSERT_TRUE(other.lineWith("\"how\":\"open\""));
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node2, wallTime(2)})));
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token))));
    // Committed, but behind the last stable offset: no reader sees it before the other transaction ends, and
    // none waits.
    const auto hidden = transport->readRoleRecords(role);
    ASSERT_TRUE(succeeded(hidden));
    ASSERT_EQ(hidden->size(), 1U);
    EXPECT_EQ(hidden->front().record.key.member, node1);

    other.say("abort");
    ASSERT_TRUE(other.lineWith("\"event\":\"abort\""));
    const auto shown = readUntilLease(*transport, role, leaseOf(node1, *token));
    ASSERT_TRUE(succeeded(shown));
    EXPECT_EQ(shown->size(), 3U);
}

TEST_F(Reading, BadRecordsOfOthersDoNotFailTheReadAndOnesOwnDo) {
    const auto role = freshRole();
    const auto transport = openTransport(cluster.config());
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node1, wallTime(1)})));
    append(role, encodeLeaseKey(freshRole()), "not a lease", "plain");
    append(role, "not a key", "x", "plain");
    const auto fine = transport->readRoleRecords(role);
    ASSERT_TRUE(succeeded(fine));
    EXPECT_EQ(fine->size(), 1U);

    append(role, encodeLeaseKey(role), "not a lease", "plain");
    const auto refused = transport->readRoleRecords(role);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::undecodable) << refused.error().text();
    EXPECT_NE(refused.error().where.find("__coordination_state[" + partitionOf(role) + "]@"),
              std::string::npos)
        << refused.error().where;
}

TEST_F(Reading, CompactedHolesDoNotHangIt) {
    auto config = cluster.config();
    config.topic = "compacted";
    const auto transport = openTransport(config);
    const auto role = freshRole();
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    ASSERT_TRUE(succeeded(transport->registerMember(role, {node1, wallTime(1)})));
    const auto before = transport->readRoleRecords(role);
    ASSERT_TRUE(succeeded(before));
    ASSERT_EQ(before->size(), 1U);
    // Each lease replaces the one before; a pause longer than segment.ms closes the segment for the cleaner.
    std::int64_t grantedAt = 0;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
    while (std::chrono::steady_clock::now() < deadline) {
        ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(node1, *token, ++grantedAt))));
        std::this_thread::sleep_for(std::chrono::milliseconds{250});
        const auto entries = readUntilLease(*transport, role, leaseOf(node1, *token, grantedAt));
        ASSERT_TRUE(succeeded(entries));
        ASSERT_FALSE(entries->empty());
        EXPECT_EQ(std::get<Lease>(entries->back().record.value).grantedAt, wallTime(grantedAt));
        if (grantedAt > 4 && entries->size() < static_cast<std::size_t>(grantedAt)) {
            // Holes between the records are there, a marker is behind the last, and the read came to its end.
            EXPECT_EQ(entries->front().record.key.kind, RecordKind::registration);
            return;
        }
    }
    FAIL() << "the cleaner removed nothing within a minute";
}

} // namespace
} // namespace bellwether::brokertest
