// SPDX-License-Identifier: Apache-2.0
// The coordinator moves: kill -9 of its broker. Where it then needs a new producerId it takes one from its
// own block, which may be lower than the one before.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "cell.h"

namespace bellwether::brokertest {
namespace {

constexpr int kCandidates = 40;

/// Roles of the coordinator that hands out the highest producerIds, and that coordinator's node.
struct Placed {
    int node = 0;
    std::vector<Role> roles;
};

Placed rolesOfTheHighestBlock(std::size_t count) {
    std::vector<Role> candidates;
    for (int i = 0; i < kCandidates; ++i) {
        candidates.push_back(freshRole());
    }
    const auto minted = mintUpTo(0, candidates);
    const auto highest = std::max_element(minted.begin(), minted.end(), [](const auto& a, const auto& b) {
        return a.token.producerId < b.token.producerId;
    });
    Placed placed{highest->node, {}};
    for (std::size_t i = 0; i < candidates.size() && placed.roles.size() < count; ++i) {
        if (minted[i].node == placed.node) {
            placed.roles.push_back(candidates[i]);
        }
    }
    if (placed.roles.size() < count) {
        throw std::runtime_error("too few roles on one coordinator");
    }
    return placed;
}

std::string world() {
    return variable("BELLWETHER_MATRIX_WORLD");
}

TEST(MatrixMoved, CoordinatorIsKilled) {
    if (world() != "moving") {
        GTEST_SKIP() << "a cluster of three nodes is a world of its own";
    }
    const auto placed = rolesOfTheHighestBlock(4);
    const std::vector<Role> near(placed.roles.begin(), placed.roles.begin() + 3);
    (void)mintUpTo(kLastEpoch - 8, near);
    const Pairing lj{Kind::library, Kind::java};
    const Pairing jl{Kind::java, Kind::library};
    Cell libraryByMint("MovedLowerIdByMint", lj, near[0]);
    Cell javaByMint("MovedLowerIdByMint", jl, near[1]);
    Cell javaByCommits("MovedLowerIdByOwnCommits", jl, near[2]);
    Cell plain("MovedHolderRenews", {Kind::library, Kind::library}, placed.roles[3]);
    const int moves = commitsMoveTheEpoch(Kind::java) ? 1 : 0;
    (void)mintUpTo(kLastEpoch - 1, {near[0]});
    (void)mintUpTo(kLastEpoch - 1 - moves, {near[1]});
    (void)mintUpTo(kLastEpoch - 3 * moves, {near[2]});
    const std::vector<Cell*> cells{&libraryByMint, &javaByMint, &javaByCommits, &plain};
    std::vector<std::unique_ptr<Member>> challengers;
    for (auto* cell : cells) {
        challengers.push_back(make(cell->members.challenger, cell->role, "challenger"));
        ASSERT_TRUE(challengers.back()->enlist()) << challengers.back()->refusal();
        if (cell != &javaByCommits || moves != 0) {
            cell->lead();
        }
    }

    cluster().node("kill", placed.node);

    for (auto* cell : {&libraryByMint, &plain}) {
        for (int i = 0; i < 3; ++i) {
            EXPECT_TRUE(cell->holder->renew()) << cell->holder->refusal();
        }
        EXPECT_TRUE(cell->seen(VerdictKind::authoritative, cell->holder->id));
    }
    if (moves != 0) {
        const auto minted = javaByCommits.holder->token();
        for (int i = 0; i < 6; ++i) {
            ASSERT_TRUE(javaByCommits.holder->renew()) << javaByCommits.holder->refusal();
            EXPECT_TRUE(javaByCommits.seen(VerdictKind::authoritative, javaByCommits.holder->id));
        }
        EXPECT_LT(javaByCommits.oracle.newest()->coordinator.token.producerId, minted.producerId)
            << "the ids went up: the cell shows nothing";
        javaByCommits.takeOver(*challengers[2]);
        javaByCommits.expectDeposed(*javaByCommits.holder, {47, 49, 90});
        javaByCommits.finish();
    }
    for (const std::size_t i : {0U, 1U}) {
        auto& cell = *cells[i];
        const auto old = cell.holder->token();
        ASSERT_TRUE(cell.oracle.step({}, [&] { return challengers[i]->mint(); }))
            << challengers[i]->refusal();
        EXPECT_LT(challengers[i]->token().producerId, old.producerId)
            << "the ids went up: the cell shows nothing";
        EXPECT_TRUE(cell.seen(VerdictKind::claimed));
        cell.expectDeposed(*cell.holder, {47, 49, 90});
        ASSERT_TRUE(cell.oracle.step({challengers[i]->id, true}, [&] { return challengers[i]->renew(); }))
            << challengers[i]->refusal();
        EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challengers[i]->id));
        EXPECT_TRUE(challengers[i]->renew()) << challengers[i]->refusal();
        EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challengers[i]->id));
        cell.expectDeposed(*cell.holder, {47, 49, 90});
        cell.finish();
    }
    plain.takeOver(*challengers[3]);
    plain.expectDeposed(*plain.holder, kFence);
    plain.finish();
}

TEST(MatrixMoved, LowerIdAfterExpiry) {
    if (world() != "moving-expiry") {
        GTEST_SKIP() << "three nodes whose ids expire are a world of its own";
    }
    const auto placed = rolesOfTheHighestBlock(2);
    Cell library("MovedLowerIdAfterExpiry", {Kind::library, Kind::java}, placed.roles[0]);
    Cell java("MovedLowerIdAfterExpiry", {Kind::java, Kind::library}, placed.roles[1]);
    const std::vector<Cell*> cells{&library, &java};
    std::vector<std::unique_ptr<Member>> challengers;
    for (auto* cell : cells) {
        challengers.push_back(make(cell->members.challenger, cell->role, "challenger"));
        ASSERT_TRUE(challengers.back()->enlist()) << challengers.back()->refusal();
    }
    for (auto* cell : cells) {
        cell->lead();
    }
    // Both ids go on expiring while one is looked at.
    ASSERT_TRUE(library.oracle.step({}, [&] {
        return java.oracle.step({}, [&] {
            cluster().node("kill", placed.node);
            return library.seen(VerdictKind::vacant) && java.seen(VerdictKind::vacant);
        });
    }));
    for (const std::size_t i : {0U, 1U}) {
        auto& cell = *cells[i];
        cell.expectDeposed(*cell.holder, {47, 49, 90});
        ASSERT_TRUE(cell.oracle.step({}, [&] { return challengers[i]->mint(); }))
            << challengers[i]->refusal();
        EXPECT_LT(challengers[i]->token().producerId, cell.holder->token().producerId)
            << "the ids went up: the cell shows nothing";
        EXPECT_TRUE(cell.seen(VerdictKind::claimed));
        ASSERT_TRUE(cell.oracle.step({challengers[i]->id, true}, [&] { return challengers[i]->renew(); }))
            << challengers[i]->refusal();
        EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challengers[i]->id));
        EXPECT_TRUE(challengers[i]->renew()) << challengers[i]->refusal();
        EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challengers[i]->id));
        cell.expectDeposed(*cell.holder, {47, 49, 90});
        cell.finish();
    }
}

} // namespace
} // namespace bellwether::brokertest
