// SPDX-License-Identifier: Apache-2.0
// Two members of one role, every interleaving of their requests with the coordinator's own steps up to a
// depth.
#include <algorithm>
#include <deque>
#include <ostream>
#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sandbox/producer_session.h"
#include "sandbox/transaction_states.h"

namespace bellwether::sandbox {
namespace {

const std::string kId = "controller";
constexpr WallTime kNow = wallTime(1'700'000'000'000);
constexpr Millis kTimeout{60'000};

/// A member; it writes twice at most, which bounds the walk.
struct Member {
    ProducerSession session;
    int writes = 0;
};

struct World {
    ClusterState state;
    std::vector<Member> members;
    std::vector<std::string> pending;   ///< records of the open or ending transaction of the id
    std::vector<std::string> committed; ///< in offset order
    bool endingWithCommit = false;
    std::string path;
};

enum class Act { mint, begin, write, commit, abort };

/// What an outsider can tell of the world: enough to know two worlds apart.
std::string digest(const World& world) {
    std::string text;
    const auto add = [&](const auto&... parts) { ((text += fmt::format("{};", parts)), ...); };
    if (const TransactionalId* entry = world.state.coordinator().find(kId)) {
        add(entry->token.text(), toString(entry->state), entry->partitions.size(),
            entry->rollover.value_or(FencingToken::none()).text());
    }
    for (const Member& member : world.members) {
        add(member.session.minted().text(), member.session.current().text(), member.session.isOpen(),
            member.writes);
    }
    const PartitionLog& log = world.state.log(0);
    for (const PartitionProducer& row : log.producers()) {
        add(row.producer.text(), row.openSince.value_or(-1));
    }
    for (const Isolation isolation : {Isolation::readCommitted, Isolation::readUncommitted}) {
        std::int64_t from = 0;
        for (const ConsumedRecord& record : log.read(isolation, from, 100)) {
            add(record.position.offset, *record.value);
        }
        add(from);
    }
    return text;
}

class Walk {
public:
    Walk(std::int16_t transactionVersion, ClientKind first, ClientKind second) {
        SandboxOptions options;
        options.partitions = 1;
        options.transactionVersion = transactionVersion;
        options.lastEpoch = 2;
        World start{ClusterState(options), {}, {}, {}, false, {}};
        start.members.push_back({ProducerSession(kId, first), 0});
        start.members.push_back({ProducerSession(kId, second), 0});
        visit(std::move(start));
    }

    void run(int depth) {
        for (int level = 0; level < depth && !testing::Test::HasFailure(); ++level) {
            std::deque<World> current;
            current.swap(frontier_);
            for (const World& world : current) {
                expand(world);
                if (testing::Test::HasFailure()) {
                    return;
                }
            }
        }
    }

    [[nodiscard]] std::size_t worlds() const { return seen_.size(); }

    std::set<TransactionState> states;
    std::set<int> codes;
    bool rolledByCommit = false;
    bool rolledByMint = false;
    bool sawTakeover = false;
    bool sawAborted = false;

private:
    void expand(const World& world) {
        for (std::size_t who = 0; who < world.members.size(); ++who) {
            for (const Act act : {Act::mint, Act::begin, Act::write, Act::commit, Act::abort}) {
                World next = world;
                if (apply(next, who, act)) {
                    next.path += fmt::format(" {}{}", "mbwca"[static_cast<std::size_t>(act)], who + 1);
                    follow(world, std::move(next));
                }
            }
        }
        World advanced = world;
        if (advance(advanced)) {
            advanced.path += " advance";
            follow(world, std::move(advanced));
        }
        World timedOut = world;
        if (timedOut.state.coordinator().fenceOpenTransaction(kId)) {
            timedOut.endingWithCommit = false;
            timedOut.path += " timeout";
            follow(world, std::move(timedOut));
        }
        World expired = world;
        if (const auto* entry = expired.state.coordinator().find(kId); entry && !isInFlight(entry->state)) {
            expired.state.coordinator().expire(kId);
            expired.path += " expire";
            follow(world, std::move(expired));
        }
    }

    bool advance(World& world) {
        const bool markers = world.state.coordinator().pendingMarkers(kId).has_value();
        if (!world.state.advance(kId, kNow)) {
            return false;
        }
        if (markers) {
            if (world.endingWithCommit) {
                world.committed.insert(world.committed.end(), world.pending.begin(), world.pending.end());
            } else {
                sawAborted = sawAborted || !world.pending.empty();
            }
            world.pending.clear();
        }
        return true;
    }

    void note(const Error& error) { codes.insert(error.kafkaCode); }

    /// False when the member does not do this now; a refused request is a step that can change nothing or
    /// something.
    bool apply(World& world, std::size_t who, Act act) {
        Member& member = world.members[who];
        ProducerSession& session = member.session;
        if (act != Act::mint && session.minted().isNone()) {
            return false;
        }
        switch (act) {
        case Act::mint: {
            const FencingToken before = tokenOf(world);
            const auto minted = session.mint(world.state, kTimeout);
            if (!minted) {
                world.endingWithCommit =
                    world.endingWithCommit && stateOf(world) == TransactionState::prepareCommit;
                note(minted.error());
            } else {
                rolledByMint =
                    rolledByMint || (!before.isNone() && tokenOf(world).producerId != before.producerId);
            }
            return true;
        }
        case Act::begin: return !session.isOpen() && request(session.begin(world.state, 0, kNow));
        case Act::write: {
            if (!session.isOpen() || member.writes == 2) {
                return false;
            }
            const std::string value =
                fmt::format("{}/{}/{}", session.minted().text(), who + 1, member.writes);
            const auto written = session.write(world.state, 0, "lease", value, kNow);
            if (!written) {
                note(written.error());
                return true;
            }
            ++member.writes;
            world.pending.push_back(value);
            return true;
        }
        case Act::commit:
        case Act::abort: {
            if (!session.isOpen()) {
                return false;
            }
            const FencingToken before = session.current();
            if (request(session.end(world.state, act == Act::commit))) {
                world.endingWithCommit = act == Act::commit;
                rolledByCommit = rolledByCommit || session.current().producerId != before.producerId;
            }
            return true;
        }
        }
        return false;
    }

    bool request(const Result<void>& result) {
        if (!result) {
            note(result.error());
        }
        return result.has_value();
    }

    static FencingToken tokenOf(const World& world) {
        const TransactionalId* entry = world.state.coordinator().find(kId);
        return entry ? entry->token : FencingToken::none();
    }

    static TransactionState stateOf(const World& world) {
        const TransactionalId* entry = world.state.coordinator().find(kId);
        return entry ? entry->state : TransactionState::dead;
    }

    void follow(const World& from, World next) {
        const FencingToken before = tokenOf(from);
        const FencingToken after = tokenOf(next);
        if (!before.isNone() && !after.isNone()) {
            ASSERT_LE(before, after) << "an epoch went back:" << next.path;
            ASSERT_TRUE(stateOf(from) == stateOf(next) || isLegalTransition(stateOf(from), stateOf(next)))
                << toString(stateOf(from)) << " to " << toString(stateOf(next)) << ":" << next.path;
        }
        visit(std::move(next));
    }

    void visit(World world) {
        if (!seen_.insert(digest(world)).second) {
            return;
        }
        if (world.state.coordinator().find(kId) != nullptr) {
            states.insert(stateOf(world));
        }
        checkReaders(world);
        checkWriters(world);
        frontier_.push_back(std::move(world));
    }

    void checkReaders(const World& world) {
        const PartitionLog& log = world.state.log(0);
        ASSERT_LE(log.lastStableOffset(), log.highWatermark()) << world.path;
        std::int64_t from = 0;
        std::vector<std::string> visible;
        for (const ConsumedRecord& record : log.read(Isolation::readCommitted, from, 100)) {
            ASSERT_LT(record.position.offset, log.lastStableOffset()) << world.path;
            visible.push_back(*record.value);
        }
        ASSERT_EQ(from, log.lastStableOffset()) << world.path;
        // One id writes here, so nothing committed is ever hidden: aborted and open records are what must not
        // show.
        ASSERT_EQ(visible, world.committed) << world.path;
        // A token that was fenced commits nothing after its successor has.
        std::vector<FencingToken> tokens;
        for (const std::string& value : visible) {
            tokens.push_back(FencingToken::parse(value.substr(0, value.find('/'))).value());
        }
        ASSERT_TRUE(std::is_sorted(tokens.begin(), tokens.end())) << world.path;
        sawTakeover = sawTakeover || (!tokens.empty() && tokens.front() != tokens.back());
    }

    /// Tries to commit as each member, each on a copy of the world.
    void checkWriters(const World& world) {
        int able = 0;
        for (std::size_t who = 0; who < world.members.size(); ++who) {
            World probe = world;
            while (probe.state.advance(kId, kNow)) {
            }
            ProducerSession& session = probe.members[who].session;
            if (session.minted().isNone()) {
                continue;
            }
            const bool open = session.isOpen() || session.begin(probe.state, 0, kNow);
            able += open && session.write(probe.state, 0, "lease", "probe", kNow) &&
                    session.end(probe.state, true);
        }
        ASSERT_LE(able, 1) << "two producers can commit:" << world.path;
    }

    std::unordered_set<std::string> seen_;
    std::deque<World> frontier_;
};

struct Cast {
    std::string name;
    std::int16_t transactionVersion;
    ClientKind first;
    ClientKind second;
};

std::ostream& operator<<(std::ostream& out, const Cast& cast) {
    return out << cast.name;
}

class WalkTest : public testing::TestWithParam<Cast> {};

TEST_P(WalkTest, NeverTwoWritersNeverAnEpochBackNeverAbortedDataVisible) {
    const Cast& cast = GetParam();
    Walk walk(cast.transactionVersion, cast.first, cast.second);
    walk.run(12);
    RecordProperty("worlds", static_cast<int>(walk.worlds()));
    EXPECT_GT(walk.worlds(), 10'000U) << "the walk ended early";
    using enum TransactionState;
    EXPECT_EQ(walk.states, (std::set{empty, ongoing, prepareCommit, prepareAbort, completeCommit,
                                     completeAbort, prepareEpochFence}));
    EXPECT_TRUE(walk.codes.contains(47) && walk.codes.contains(49) && walk.codes.contains(51) &&
                walk.codes.contains(90));
    EXPECT_TRUE(walk.rolledByMint);
    EXPECT_TRUE(walk.sawAborted);
    EXPECT_TRUE(walk.sawTakeover);
    const bool moves = cast.transactionVersion == 2 &&
                       (cast.first == ClientKind::endTxnV5 || cast.second == ClientKind::endTxnV5);
    EXPECT_EQ(walk.rolledByCommit, moves);
}

INSTANTIATE_TEST_SUITE_P(Casts, WalkTest,
                         testing::Values(Cast{"V5AndV5", 2, ClientKind::endTxnV5, ClientKind::endTxnV5},
                                         Cast{"V5AndOlder", 2, ClientKind::endTxnV5, ClientKind::older},
                                         Cast{"OlderAndOlder", 1, ClientKind::older, ClientKind::older}),
                         [](const auto& param) { return param.param.name; });

} // namespace
} // namespace bellwether::sandbox
