// SPDX-License-Identifier: Apache-2.0
// The fold: for every key the record of the highest offset, whatever the order of arrival.
#include <algorithm>

#include <gtest/gtest.h>

#include "coordination/role_state.h"
#include "record_samples.h"

namespace bellwether {
namespace {

using testing_support::below;
using testing_support::member;
using testing_support::role;

struct Placed {
    CoordinationRecord record;
    RecordPosition position;
};

RecordPosition at(std::int64_t offset) {
    return {0, offset, wallTime(1'000 + offset), TimestampType::createTime};
}

Placed registered(std::int64_t offset, const std::string& name, std::int64_t when = 0,
                  const std::string& roleName = "controller") {
    return {{{RecordKind::registration, role(roleName), member(name)},
             Registration{member(name), wallTime(when)},
             {}},
            at(offset)};
}

Placed deregistered(std::int64_t offset, const std::string& name,
                    const std::string& roleName = "controller") {
    return {{{RecordKind::registration, role(roleName), member(name)}, std::monostate{}, {}}, at(offset)};
}

Placed leased(std::int64_t offset, const std::string& name, FencingToken token,
              const std::string& roleName = "controller") {
    return {{{RecordKind::lease, role(roleName), std::nullopt},
             Lease{member(name), token, wallTime(offset * 10), wallTime(offset * 10 + 30'000)},
             {}},
            at(offset)};
}

Placed released(std::int64_t offset, const std::string& roleName = "controller") {
    return {{{RecordKind::lease, role(roleName), std::nullopt}, std::monostate{}, {}}, at(offset)};
}

RoleState folded(const std::vector<Placed>& records) {
    RoleState state(role("controller"));
    for (const auto& each : records) {
        state.apply(each.record, each.position);
    }
    return state;
}

std::vector<std::string> names(const RoleState& state) {
    std::vector<std::string> roster;
    for (const auto& entry : state.roster()) {
        roster.push_back(entry.member.str());
    }
    return roster;
}

using Roster = std::vector<std::string>;

TEST(Fold, NothingIsNothing) {
    const RoleState state(role("controller"));
    EXPECT_TRUE(state.roster().empty());
    EXPECT_EQ(state.lease(), std::nullopt);
    EXPECT_EQ(state.newestLeasePosition(), std::nullopt);
    EXPECT_EQ(state.lastLease(), std::nullopt);
    EXPECT_EQ(state.highestUnder(1), std::nullopt);
    EXPECT_EQ(state.notBefore(), std::nullopt);
    EXPECT_EQ(state.newestOffset(), -1);
    EXPECT_EQ(state.rosterEntry(member("node-1")), std::nullopt);
}

TEST(Fold, RosterIsInOffsetOrder) {
    const auto state = folded({registered(5, "c", 50), registered(1, "z", 10), registered(3, "a", 30)});
    EXPECT_EQ(names(state), (Roster{"z", "a", "c"}));
    EXPECT_EQ(state.rosterEntry(member("a")), (RosterEntry{member("a"), wallTime(30), at(3)}));
    EXPECT_EQ(state.newestOffset(), 5);
}

TEST(Fold, ALaterRegistrationMovesToTheTail) {
    EXPECT_EQ(names(folded({registered(0, "a"), registered(1, "b"), registered(2, "a")})),
              (Roster{"b", "a"}));
    EXPECT_EQ(names(folded({registered(2, "a"), registered(1, "b"), registered(0, "a")})),
              (Roster{"b", "a"}));
}

TEST(Fold, ATombstoneRemovesOneMember) {
    const auto state = folded({registered(0, "a"), registered(1, "b"), deregistered(2, "a")});
    EXPECT_EQ(names(state), Roster{"b"});
    EXPECT_EQ(state.rosterEntry(member("a")), std::nullopt);
    EXPECT_EQ(names(folded({deregistered(2, "a"), registered(0, "a"), registered(1, "b")})), Roster{"b"})
        << "a tombstone that arrives first still counts";
    EXPECT_EQ(names(folded({registered(0, "a"), deregistered(2, "a"), registered(3, "a")})), Roster{"a"});
    EXPECT_EQ(names(folded({deregistered(2, "never-there")})), Roster{});
}

TEST(Fold, LeaseAndItsTombstone) {
    auto state = folded({leased(3, "a", {1, 1}), leased(1, "b", {1, 0})});
    EXPECT_EQ(state.lease()->lease.member, member("a"));
    EXPECT_EQ(state.lease()->position, at(3));
    const auto tombstone = released(4);
    EXPECT_TRUE(state.apply(tombstone.record, tombstone.position));
    EXPECT_EQ(state.lease(), std::nullopt);
    EXPECT_EQ(state.newestLeasePosition(), at(4));
    EXPECT_EQ(state.lastLease()->lease.member, member("a"));
    EXPECT_EQ(state.highestUnder(1)->position, at(3));
    EXPECT_EQ(folded({released(4), leased(3, "a", {1, 1})}).lease(), std::nullopt);
    EXPECT_EQ(folded({released(4), leased(5, "a", {1, 1})}).lease()->position, at(5));
}

TEST(Fold, TheHighestEpochOfEachProducerIdIsRememberedWhereItFirstStood) {
    const auto state = folded({leased(1, "a", {5, 0}), leased(2, "b", {7, 3}), leased(4, "b", {7, 3}),
                               leased(6, "c", {6, 32'000})});
    EXPECT_EQ(state.lease()->lease.token, (FencingToken{6, 32'000}));
    EXPECT_EQ(state.highestUnder(7)->position, at(2));
    EXPECT_EQ(state.highestUnder(5)->position, at(1));
    EXPECT_EQ(state.highestUnder(6)->position, at(6));
    EXPECT_EQ(state.highestUnder(8), std::nullopt);
}

TEST(Fold, ALowerProducerIdMayFollowAHigherOne) {
    EXPECT_EQ(folded({leased(1, "a", {1'000, 32'766}), leased(2, "a", {3, 0})}).notBefore(), std::nullopt);
    EXPECT_EQ(
        folded({leased(1, "a", {3, 0}), leased(2, "a", {1'000, 0}), leased(3, "a", {4, 0})}).notBefore(),
        std::nullopt);
}

TEST(Fold, WhatTheNewestLeaseCannotFollowIsFound) {
    const auto lower = folded({leased(1, "a", {7, 3}), leased(2, "b", {7, 2})}).notBefore();
    ASSERT_TRUE(lower.has_value());
    EXPECT_EQ(lower->position, at(1));
    const auto back =
        folded({leased(1, "a", {7, 3}), leased(2, "b", {9, 0}), leased(5, "a", {7, 4})}).notBefore();
    ASSERT_TRUE(back.has_value()) << "7 was left for 9 and came back";
    EXPECT_EQ(back->position, at(2));
    EXPECT_EQ(folded({leased(1, "a", {7, 3}), leased(2, "b", {7, 2}), released(3)}).notBefore(),
              std::nullopt);
}

TEST(Fold, AFloodOfProducerIdsIsBounded) {
    std::vector<Placed> flood;
    for (std::int64_t i = 0; i < 1'000; ++i) {
        flood.push_back(leased(i, "a", {i, 1}));
    }
    const auto state = folded(flood);
    EXPECT_EQ(state.highestUnder(0), std::nullopt);
    EXPECT_EQ(state.highestUnder(999)->position, at(999));
    EXPECT_EQ(state.highestUnder(950)->position, at(950));
}

TEST(Fold, OtherRolesAreDropped) {
    RoleState state(role("controller"));
    for (const auto& each : {registered(0, "a", 0, "other"), leased(1, "a", {1, 1}, "other"),
                             released(2, "other"), deregistered(3, "a", "other")}) {
        EXPECT_FALSE(state.apply(each.record, each.position));
    }
    EXPECT_EQ(state, RoleState(role("controller")));
}

TEST(Fold, ApplySaysWhetherAnythingChanged) {
    RoleState state(role("controller"));
    const auto changes = [&state](const Placed& each) { return state.apply(each.record, each.position); };
    EXPECT_TRUE(changes(registered(5, "a")));
    EXPECT_FALSE(changes(registered(5, "a"))) << "a repeat";
    EXPECT_FALSE(changes(registered(3, "a"))) << "overtaken long ago";
    EXPECT_TRUE(changes(registered(4, "b")));
    EXPECT_TRUE(changes(leased(6, "a", {2, 0})));
    EXPECT_FALSE(changes(leased(6, "a", {2, 0})));
    EXPECT_TRUE(changes(leased(2, "b", {2, 1}))) << "an older record with a higher epoch is worth knowing";
    EXPECT_FALSE(changes(leased(3, "b", {2, 1})));
    EXPECT_TRUE(changes(deregistered(7, "b")));
    EXPECT_TRUE(changes(released(8)));
    EXPECT_FALSE(changes(released(8)));
}

/// The plain rule: sort by offset, keep the last of each key.
class Model {
public:
    explicit Model(std::vector<Placed> records)
        : records_(std::move(records)) {
        std::sort(records_.begin(), records_.end(),
                  [](const Placed& a, const Placed& b) { return a.position.offset < b.position.offset; });
    }

    [[nodiscard]] Roster roster() const {
        std::vector<std::pair<std::int64_t, std::string>> present;
        for (const auto& each : records_) {
            if (each.record.key.role != role("controller") ||
                each.record.key.kind != RecordKind::registration) {
                continue;
            }
            const auto name = each.record.key.member->str();
            std::erase_if(present, [&name](const auto& entry) { return entry.second == name; });
            if (!each.record.isTombstone()) {
                present.emplace_back(each.position.offset, name);
            }
        }
        Roster result;
        for (const auto& entry : present) {
            result.push_back(entry.second);
        }
        return result;
    }

    [[nodiscard]] std::optional<LeaseRecord> lease(bool forgetTombstones) const {
        std::optional<LeaseRecord> newest;
        for (const auto& each : records_) {
            if (each.record.key.role != role("controller") || each.record.key.kind != RecordKind::lease) {
                continue;
            }
            if (const auto* lease = std::get_if<Lease>(&each.record.value)) {
                newest = LeaseRecord{*lease, each.position};
            } else if (!forgetTombstones) {
                newest.reset();
            }
        }
        return newest;
    }

    [[nodiscard]] std::optional<LeaseRecord> highestUnder(std::int64_t producerId) const {
        std::optional<LeaseRecord> highest;
        for (const auto& each : records_) {
            const auto* lease = std::get_if<Lease>(&each.record.value);
            const bool ours = each.record.key.role == role("controller") && lease != nullptr;
            if (ours && lease->token.producerId == producerId &&
                (!highest || lease->token > highest->lease.token)) {
                highest = LeaseRecord{*lease, each.position};
            }
        }
        return highest;
    }

private:
    std::vector<Placed> records_;
};

std::vector<Placed> randomLog(std::mt19937_64& random) {
    std::vector<Placed> log;
    const auto length = 1 + below(random, 25);
    std::int64_t offset = -1;
    for (std::uint64_t i = 0; i < length; ++i) {
        offset += 1 + static_cast<std::int64_t>(below(random, 3));
        const auto node = "node-" + std::to_string(below(random, 4));
        const std::string of = below(random, 6) == 0 ? "other" : "controller";
        const FencingToken token{static_cast<std::int64_t>(below(random, 3)),
                                 static_cast<std::int16_t>(below(random, 3))};
        switch (below(random, 6)) {
        case 0: log.push_back(deregistered(offset, node, of)); break;
        case 1: log.push_back(released(offset, of)); break;
        case 2:
        case 3: log.push_back(leased(offset, node, token, of)); break;
        default: log.push_back(registered(offset, node, offset, of)); break;
        }
    }
    return log;
}

TEST(Fold, AnyOrderAndAnyRepeatsGiveTheSameState) {
    std::mt19937_64 random(31);
    std::size_t withLease = 0;
    std::size_t released = 0;
    std::size_t moved = 0;
    for (int i = 0; i < 6'000; ++i) {
        const auto log = randomLog(random);
        const Model model(log);
        const auto inOrder = folded(log);
        ASSERT_EQ(names(inOrder), model.roster());
        ASSERT_EQ(inOrder.lease(), model.lease(false));
        ASSERT_EQ(inOrder.lastLease(), model.lease(true));
        for (const std::int64_t producerId : {0, 1, 2, 3}) {
            ASSERT_EQ(inOrder.highestUnder(producerId), model.highestUnder(producerId));
        }
        withLease += inOrder.lease() ? 1U : 0U;
        released += !inOrder.lease() && inOrder.lastLease() ? 1U : 0U;
        const auto roster = names(inOrder);
        moved += std::is_sorted(roster.begin(), roster.end()) ? 0U : 1U;
        for (int round = 0; round < 3; ++round) {
            auto arrivals = log;
            for (std::uint64_t repeats = below(random, 6); repeats > 0; --repeats) {
                arrivals.push_back(log[below(random, log.size())]);
            }
            std::shuffle(arrivals.begin(), arrivals.end(), random);
            ASSERT_EQ(folded(arrivals), inOrder) << "case " << i;
        }
    }
    EXPECT_GT(withLease, 1'000U);
    EXPECT_GT(released, 500U);
    EXPECT_GT(moved, 500U);
}

} // namespace
} // namespace bellwether
