// SPDX-License-Identifier: Apache-2.0
// Situations in which a wrong verdict would be easy, with members of both kinds; see docs/verdicts.md.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <fmt/format.h>

#include "coordination/role_partition.h"
#include "members.h"
#include "oracle.h"

namespace bellwether::brokertest {
namespace {

constexpr std::int32_t kPartitions = 16;

TestCluster& cluster() {
    return TestCluster::get(
        {1, false, {}, {"transaction.abort.timed.out.transaction.cleanup.interval.ms=500"}});
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

enum class Kind { library, java };

struct Pairing {
    Kind holder;
    Kind challenger;
};

std::string toString(const Pairing& pairing) {
    const auto letter = [](Kind kind) { return kind == Kind::library ? "L" : "J"; };
    return fmt::format("{}{}", letter(pairing.holder), letter(pairing.challenger));
}

std::unique_ptr<Member> make(Kind kind, const Role& role, const std::string& name) {
    if (kind == Kind::library) {
        return std::make_unique<LibraryMember>(cluster(), role, member(name));
    }
    return std::make_unique<JavaMember>(cluster(), role, member(name));
}

class Matrix : public testing::TestWithParam<Pairing> {
protected:
    Matrix()
        : role(freshRole())
        , holder(make(GetParam().holder, role, "holder"))
        , oracle(cluster().bootstrap(), role) {}

    /// The holder leads, and the feed says so.
    void lead() {
        ASSERT_TRUE(holder->enlist()) << holder->refusal();
        ASSERT_TRUE(holder->mint()) << holder->refusal();
        ASSERT_TRUE(oracle.step({holder->id, true}, [this] { return holder->renew(); })) << holder->refusal();
        ASSERT_TRUE(seen(VerdictKind::authoritative, holder->id));
    }

    bool seen(VerdictKind kind, const std::optional<MemberId>& who) {
        const auto verdict = oracle.await([&](const Verdict& each) {
            return each.kind == kind && (kind != VerdictKind::authoritative || each.holder == who);
        });
        if (verdict) {
            reason = verdict->reason;
        }
        return verdict.has_value();
    }

    /// Ends a cell: nothing wrong was said at any time; one line for the table.
    void TearDown() override {
        const auto wrong = oracle.wrong();
        for (const auto& each : wrong) {
            ADD_FAILURE() << each;
        }
        EXPECT_GT(oracle.judged(), 1U);
        const auto table = variable("BELLWETHER_MATRIX_TABLE");
        if (!table.empty()) {
            const auto feature = variable("BELLWETHER_TRANSACTION_VERSION");
            std::ofstream(table, std::ios::app)
                << fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", TestCluster::version(),
                               feature.empty() ? "none" : feature,
                               testing::UnitTest::GetInstance()->current_test_info()->name(),
                               toString(GetParam()), HasFailure() ? "WRONG" : "ok", oracle.judged(),
                               HasFailure() && !wrong.empty() ? wrong.front() : reason);
        }
    }

    Role role;
    std::unique_ptr<Member> holder;
    Oracle oracle;
    std::string reason;
};

TEST_P(Matrix, HealthyHolderRenews) {
    lead();
    for (int i = 0; i < 30; ++i) {
        ASSERT_TRUE(holder->renew()) << i << ": " << holder->refusal();
    }
    EXPECT_TRUE(seen(VerdictKind::authoritative, holder->id));
}

TEST_P(Matrix, ChallengerMintedAndThenLeads) {
    lead();
    const auto challenger = make(GetParam().challenger, role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    ASSERT_TRUE(oracle.step({}, [&] { return challenger->mint(); })) << challenger->refusal();
    EXPECT_TRUE(seen(VerdictKind::claimed, {}));
    EXPECT_FALSE(holder->renew()) << "the oracle is wrong: the deposed holder could write";
    ASSERT_TRUE(oracle.step({challenger->id, true}, [&] { return challenger->renew(); }))
        << challenger->refusal();
    EXPECT_TRUE(seen(VerdictKind::authoritative, challenger->id));
    EXPECT_TRUE(challenger->renew()) << challenger->refusal();
    EXPECT_FALSE(holder->renew());
}

/// The library begins, writes and commits in one call: only a Java challenger can leave its lease open.
class MatrixOpen : public Matrix {
protected:
    void claimOpenly(int timeoutMs) {
        lead();
        challenger = std::make_unique<JavaMember>(cluster(), role, member("challenger"), timeoutMs);
        ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
        ASSERT_TRUE(oracle.step({}, [this] { return challenger->mint(); })) << challenger->refusal();
        ASSERT_TRUE(challenger->step("begin")) << challenger->refusal();
        ASSERT_TRUE(challenger->step("write")) << challenger->refusal();
        EXPECT_TRUE(seen(VerdictKind::claiming, {}));
        EXPECT_FALSE(holder->renew()) << "the oracle is wrong: the deposed holder could write";
    }

    std::unique_ptr<JavaMember> challenger;
};

TEST_P(MatrixOpen, OpenLeaseCommits) {
    claimOpenly(60'000);
    ASSERT_TRUE(oracle.step({challenger->id, true}, [this] { return challenger->step("commit"); }))
        << challenger->refusal();
    EXPECT_TRUE(seen(VerdictKind::authoritative, challenger->id));
    EXPECT_TRUE(challenger->renew()) << challenger->refusal();
}

TEST_P(MatrixOpen, OpenLeaseAborts) {
    claimOpenly(60'000);
    ASSERT_TRUE(challenger->step("abort")) << challenger->refusal();
    EXPECT_TRUE(oracle.await([](const Verdict& each) { return each.kind != VerdictKind::claiming; }));
    EXPECT_FALSE(holder->renew());
    ASSERT_TRUE(oracle.step({challenger->id, true}, [this] { return challenger->renew(); }))
        << challenger->refusal();
    EXPECT_TRUE(seen(VerdictKind::authoritative, challenger->id));
}

TEST_P(MatrixOpen, OpenLeaseTimesOut) {
    claimOpenly(3'000);
    EXPECT_TRUE(oracle.await([](const Verdict& each) { return each.kind != VerdictKind::claiming; }));
    EXPECT_FALSE(challenger->step("commit"));
    EXPECT_FALSE(holder->renew());
}

TEST_P(Matrix, AnotherRolesOpenTransactionHidesTheTakeover) {
    lead();
    const auto other = freshRoleIn(rolePartition(role, kPartitions), kPartitions);
    JavaMember blocker(cluster(), other, member("blocker"));
    const auto challenger = make(GetParam().challenger, role, "challenger");
    ASSERT_TRUE(challenger->enlist()) << challenger->refusal();
    ASSERT_TRUE(blocker.mint()) << blocker.refusal();
    ASSERT_TRUE(blocker.step("begin")) << blocker.refusal();
    ASSERT_TRUE(blocker.step("write")) << blocker.refusal();
    ASSERT_TRUE(oracle.step({}, [&] { return challenger->mint(); })) << challenger->refusal();
    ASSERT_TRUE(oracle.step({challenger->id, true}, [&] { return challenger->renew(); }))
        << challenger->refusal();
    const auto hidden = oracle.await([&](const Verdict& each) {
        return each.kind == VerdictKind::authoritative && each.holder == challenger->id && each.leaseHidden;
    });
    EXPECT_TRUE(hidden);
    EXPECT_FALSE(holder->renew());
    EXPECT_TRUE(blocker.step("commit")) << blocker.refusal();
    EXPECT_TRUE(oracle.await([&](const Verdict& each) {
        return each.kind == VerdictKind::authoritative && each.holder == challenger->id && !each.leaseHidden;
    }));
}

std::vector<Pairing> pairings() {
    return {{Kind::library, Kind::java},
            {Kind::java, Kind::library},
            {Kind::library, Kind::library},
            {Kind::java, Kind::java}};
}

std::string nameOf(const testing::TestParamInfo<Pairing>& info) {
    return toString(info.param);
}

INSTANTIATE_TEST_SUITE_P(Members, Matrix, testing::ValuesIn(pairings()), nameOf);
INSTANTIATE_TEST_SUITE_P(Members, MatrixOpen,
                         testing::Values(Pairing{Kind::library, Kind::java}, Pairing{Kind::java, Kind::java}),
                         nameOf);

} // namespace
} // namespace bellwether::brokertest
