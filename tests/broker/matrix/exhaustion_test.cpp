// SPDX-License-Identifier: Apache-2.0
// The epoch of a producerId runs out after 32,766 mints or commits, and the coordinator goes on with another
// id.
#include <gtest/gtest.h>

#include "cell.h"

namespace bellwether::brokertest {
namespace {

constexpr int kReached = 32'760;

/// Four roles near their last epoch, minted there once for the whole program.
const std::vector<Role>& nearlyExhausted() {
    static const std::vector<Role> roles = [] {
        std::vector<Role> made;
        for (int i = 0; i < 4; ++i) {
            made.push_back(freshRole());
        }
        (void)mintUpTo(kReached, made);
        return made;
    }();
    return roles;
}

/// Mints until the epoch is `epoch`, by members that do nothing else.
void mintTo(const Role& role, int epoch) {
    (void)mintUpTo(epoch, {role});
}

class MatrixExhausted : public testing::TestWithParam<Pairing> {
protected:
    [[nodiscard]] static std::size_t which() { return GetParam().holder == Kind::library ? 0 : 1; }
};

/// The challenger's mint rolls the producerId over: the holder is as fenced as by any other mint.
TEST_P(MatrixExhausted, ByMint) {
    Cell cell("ExhaustedByMint", GetParam(), nearlyExhausted()[which()]);
    // The holder's mint and, where they move the epoch, its two commits reach the last one.
    const int commits = commitsMoveTheEpoch(GetParam().holder) ? 1 : 0;
    mintTo(cell.role, kLastEpoch - 1 - commits);
    cell.lead();
    const auto before = cell.holder->token();
    ASSERT_EQ(before.producerEpoch, kLastEpoch - commits);
    const auto challenger = make(GetParam().challenger, cell.role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    ASSERT_TRUE(cell.oracle.step({}, [&] { return challenger->mint(); })) << challenger->refusal();
    ASSERT_NE(challenger->token().producerId, before.producerId) << "the id did not run out";
    EXPECT_TRUE(cell.seen(VerdictKind::claimed));
    cell.expectDeposed(*cell.holder, {47, 49, 90});
    ASSERT_TRUE(cell.oracle.step({challenger->id, true}, [&] { return challenger->renew(); }))
        << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(challenger->renew()) << challenger->refusal();
    }
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
    cell.expectDeposed(*cell.holder, {47, 49, 90});
    cell.finish();
}

/// The holder renews across the last epoch: with commits that move it, it goes on under another producerId,
/// and its lease keeps the token of the old one. Without, nothing happens until the next mint.
TEST_P(MatrixExhausted, ByOwnCommits) {
    Cell cell("ExhaustedByOwnCommits", GetParam(), nearlyExhausted()[2 + which()]);
    const bool moves = commitsMoveTheEpoch(GetParam().holder);
    mintTo(cell.role, moves ? kLastEpoch - 4 : kLastEpoch - 1);
    cell.lead();
    const auto minted = cell.holder->token();
    for (int i = 0; i < 8; ++i) {
        ASSERT_TRUE(cell.holder->renew()) << i << ": " << cell.holder->refusal();
        ASSERT_TRUE(cell.seen(VerdictKind::authoritative, cell.holder->id)) << i;
    }
    const auto view = cell.oracle.newest();
    ASSERT_TRUE(view);
    EXPECT_EQ(view->coordinator.token.producerId != minted.producerId, moves);
    const auto challenger = make(GetParam().challenger, cell.role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    cell.takeOver(*challenger);
    EXPECT_NE(challenger->token().producerId, minted.producerId);
    cell.expectDeposed(*cell.holder, {47, 49, 90});
    cell.finish();
}

INSTANTIATE_TEST_SUITE_P(Members, MatrixExhausted,
                         testing::Values(Pairing{Kind::library, Kind::java},
                                         Pairing{Kind::java, Kind::library}),
                         nameOf);

} // namespace
} // namespace bellwether::brokertest
