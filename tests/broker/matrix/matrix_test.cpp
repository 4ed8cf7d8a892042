// SPDX-License-Identifier: Apache-2.0
// Situations in which a wrong verdict would be easy, with members of both kinds; see docs/verdicts.md.
#include <gtest/gtest.h>

#include <set>

#include "cell.h"
#include "coordination/role_partition.h"

namespace bellwether::brokertest {
namespace {

constexpr std::int32_t kPartitions = 16;

class Matrix : public testing::TestWithParam<Pairing> {
protected:
    Matrix()
        : cell(testing::UnitTest::GetInstance()->current_test_info()->name(), GetParam(), freshRole()) {}

    void TearDown() override { cell.finish(); }

    Cell cell;
};

TEST_P(Matrix, HealthyHolderRenews) {
    cell.lead();
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(cell.holder->renew()) << i << ": " << cell.holder->refusal();
    }
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, cell.holder->id));
}

TEST_P(Matrix, ChallengerMintedAndThenLeads) {
    cell.lead();
    const auto challenger = make(GetParam().challenger, cell.role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    ASSERT_TRUE(cell.oracle.step({}, [&] { return challenger->mint(); })) << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::claimed));
    cell.expectDeposed(*cell.holder, kFence);
    ASSERT_TRUE(cell.oracle.step({challenger->id, true}, [&] { return challenger->renew(); }))
        << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
    EXPECT_TRUE(challenger->renew()) << challenger->refusal();
    cell.expectDeposed(*cell.holder, kFence);
}

/// The library begins, writes and commits in one call: only a Java member can leave its lease open.
class MatrixOpen : public Matrix {
protected:
    void claimOpenly(int timeoutMs) {
        cell.lead();
        challenger = makeJava(cell.role, "challenger", timeoutMs);
        ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
        ASSERT_TRUE(cell.oracle.step({}, [this] { return challenger->mint(); })) << challenger->refusal();
        ASSERT_TRUE(challenger->step("begin")) << challenger->refusal();
        ASSERT_TRUE(challenger->step("write")) << challenger->refusal();
        EXPECT_TRUE(cell.seen(VerdictKind::claiming));
        cell.expectDeposed(*cell.holder, kFence);
    }

    std::unique_ptr<JavaMember> challenger;
};

TEST_P(MatrixOpen, OpenLeaseCommits) {
    claimOpenly(60'000);
    ASSERT_TRUE(cell.oracle.step({challenger->id, true}, [this] { return challenger->step("commit"); }))
        << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
    EXPECT_TRUE(challenger->renew()) << challenger->refusal();
}

TEST_P(MatrixOpen, OpenLeaseAborts) {
    claimOpenly(60'000);
    ASSERT_TRUE(challenger->step("abort")) << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::inDoubt));
    cell.expectDeposed(*cell.holder, kFence);
    ASSERT_TRUE(cell.oracle.step({challenger->id, true}, [this] { return challenger->renew(); }))
        << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
}

/// Nobody leads after the coordinator has aborted a claim: not its author, whose epoch is gone, and not the
/// holder.
TEST_P(MatrixOpen, OpenLeaseTimesOut) {
    claimOpenly(3'000);
    EXPECT_TRUE(cell.seen(VerdictKind::inDoubt));
    cell.expectDeposed(*cell.holder, kFence);
    EXPECT_FALSE(challenger->step("commit"));
    challenger.reset();
    const auto successor = make(GetParam().challenger, cell.role, "successor");
    ASSERT_TRUE(successor->enlist()) << successor->refusal();
    cell.takeOver(*successor);
}

/// The same of the holder's own renewal: it led while the transaction was open, then nobody can write.
class MatrixTimeout : public Matrix {};

TEST_P(MatrixTimeout, HoldersRenewalTimesOut) {
    auto slow = makeJava(cell.role, "slow", 3'000);
    ASSERT_TRUE(slow->enlist()) << slow->refusal();
    ASSERT_TRUE(slow->mint()) << slow->refusal();
    ASSERT_TRUE(cell.oracle.step({slow->id, true}, [&] { return slow->renew(); })) << slow->refusal();
    ASSERT_TRUE(cell.seen(VerdictKind::authoritative, slow->id));
    ASSERT_TRUE(slow->step("begin")) << slow->refusal();
    ASSERT_TRUE(slow->step("write")) << slow->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, slow->id)) << "its own renewal is open";
    // When the coordinator aborts is known only afterwards: until then it may lead, from then on nobody does.
    ASSERT_TRUE(cell.oracle.step({}, [&] { return cell.seen(VerdictKind::inDoubt); }));
    EXPECT_FALSE(slow->step("commit"));
    cell.expectDeposed(*slow, {47, 48, 90}); // 48 INVALID_TXN_STATE: the transaction it goes on with is gone
    const auto successor = make(GetParam().challenger, cell.role, "successor");
    ASSERT_TRUE(successor->enlist()) << successor->refusal();
    cell.takeOver(*successor);
}

TEST_P(Matrix, AnotherRolesOpenTransactionHidesTheTakeover) {
    cell.lead();
    const auto other = freshRoleIn(rolePartition(cell.role, kPartitions), kPartitions);
    const auto blocker = makeJava(other, "blocker");
    const auto challenger = make(GetParam().challenger, cell.role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    ASSERT_TRUE(blocker->mint()) << blocker->refusal();
    ASSERT_TRUE(blocker->step("begin")) << blocker->refusal();
    ASSERT_TRUE(blocker->step("write")) << blocker->refusal();
    ASSERT_TRUE(cell.oracle.step({}, [&] { return challenger->mint(); })) << challenger->refusal();
    ASSERT_TRUE(cell.oracle.step({challenger->id, true}, [&] { return challenger->renew(); }))
        << challenger->refusal();
    const auto hidden = cell.oracle.await([&](const Verdict& each) {
        return each.kind == VerdictKind::authoritative && each.holder == challenger->id && each.leaseHidden;
    });
    EXPECT_TRUE(hidden);
    std::vector<PinnedLog> pinned;
    EXPECT_TRUE(cell.oracle.await([&](const Verdict&) {
        pinned = cell.oracle.snapshot()->pinned;
        return pinned.size() == 1 && !pinned[0].open.empty() && pinned[0].open[0].startedAt;
    })) << "the pinned log is not told";
    if (pinned.size() == 1 && !pinned[0].open.empty()) {
        const auto& open = pinned[0].open[0];
        EXPECT_EQ(pinned[0].partition, rolePartition(cell.role, kPartitions));
        EXPECT_EQ(pinned[0].lastStableOffset, open.startOffset);
        EXPECT_EQ(open.producer, blocker->own());
        EXPECT_EQ(open.transactionalId, other.str());
        EXPECT_EQ(open.member, blocker->id);
        EXPECT_FALSE(open.hanging);
        EXPECT_EQ(pinned[0].records, 2) << "the blocker's lease and the challenger's";
        EXPECT_EQ(std::set<Role>(pinned[0].hidden.begin(), pinned[0].hidden.end()),
                  (std::set<Role>{cell.role, other}));
    }
    cell.expectDeposed(*cell.holder, kFence);
    EXPECT_TRUE(blocker->step("commit")) << blocker->refusal();
    EXPECT_TRUE(cell.oracle.await([&](const Verdict& each) {
        return each.kind == VerdictKind::authoritative && each.holder == challenger->id && !each.leaseHidden;
    }));
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
}

std::vector<Pairing> pairings() {
    return {{Kind::library, Kind::java},
            {Kind::java, Kind::library},
            {Kind::library, Kind::library},
            {Kind::java, Kind::java}};
}

INSTANTIATE_TEST_SUITE_P(Members, Matrix, testing::ValuesIn(pairings()), nameOf);
INSTANTIATE_TEST_SUITE_P(Members, MatrixOpen,
                         testing::Values(Pairing{Kind::library, Kind::java}, Pairing{Kind::java, Kind::java}),
                         nameOf);
INSTANTIATE_TEST_SUITE_P(Members, MatrixTimeout,
                         testing::Values(Pairing{Kind::java, Kind::library}, Pairing{Kind::java, Kind::java}),
                         nameOf);

} // namespace
} // namespace bellwether::brokertest
