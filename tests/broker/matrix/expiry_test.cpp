// SPDX-License-Identifier: Apache-2.0
// A transactional id that nobody uses expires (transactional.id.expiration.ms): its holder can write no more.
#include <gtest/gtest.h>

#include "cell.h"

namespace bellwether::brokertest {
namespace {

class MatrixExpiry : public testing::TestWithParam<Pairing> {};

TEST_P(MatrixExpiry, IdExpires) {
    if (variable("BELLWETHER_MATRIX_WORLD") != "expiry") {
        GTEST_SKIP() << "a cluster whose ids expire is a world of its own";
    }
    Cell cell("IdExpires", GetParam(), freshRole());
    const auto challenger = make(GetParam().challenger, cell.role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    cell.lead();
    // Until the coordinator forgets, the holder could have gone on.
    ASSERT_TRUE(cell.oracle.step({}, [&] { return cell.seen(VerdictKind::vacant); }));
    cell.expectDeposed(*cell.holder, {47, 49, 90});
    EXPECT_TRUE(cell.seen(VerdictKind::vacant)) << "a late write changes nothing";
    ASSERT_TRUE(cell.oracle.step({}, [&] { return challenger->mint(); })) << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::claimed));
    ASSERT_TRUE(cell.oracle.step({challenger->id, true}, [&] { return challenger->renew(); }))
        << challenger->refusal();
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
    EXPECT_NE(challenger->token().producerId, cell.holder->token().producerId);
    for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(challenger->renew()) << challenger->refusal();
    }
    EXPECT_TRUE(cell.seen(VerdictKind::authoritative, challenger->id));
    cell.expectDeposed(*cell.holder, {47, 49, 90});
    cell.finish();
}

INSTANTIATE_TEST_SUITE_P(Members, MatrixExpiry,
                         testing::Values(Pairing{Kind::library, Kind::java},
                                         Pairing{Kind::java, Kind::library}),
                         nameOf);

} // namespace
} // namespace bellwether::brokertest
