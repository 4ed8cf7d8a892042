// SPDX-License-Identifier: Apache-2.0
// Walks every reachable combination of a small world (one transactional id at its coordinator, two members,
// Long because the model, the observer and the walk are one argument.
// one partition, a foreign open transaction) and asks judge() everywhere, also when up to a few more steps
// happen between the coordinator's answer and the reads. Claim: whoever is called authoritative or overdue
// could commit when the coordinator answered, and nobody else could. The steps follow the measured table in
// docs/verdicts.md; BELLWETHER_MODEL_DEPTH sets how far the walk goes.
#include <cstdlib>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <unordered_set>

#include <gtest/gtest.h>

#include "coordination/verdict.h"

using namespace bellwether;

namespace {

constexpr int kMembers = 2;
constexpr std::int16_t kLastEpoch = 3;
constexpr std::size_t kMostEntries = 5;
constexpr int kNobody = -1;

enum class Phase : std::uint8_t { out, idle, begun, written };
enum class Fate : std::uint8_t { open, committed, aborted };

struct Entry {
    int member; ///< kNobody: a tombstone
    FencingToken token;
    Fate fate;
};

struct World {
    // The coordinator's entry of the id.
    bool known = false;
    std::int64_t nextPid = 1;
    FencingToken current;
    TransactionState state = TransactionState::empty;
    int owner = kNobody;   ///< the member whose producer has the current epoch
    int waiting = kNobody; ///< whose mint met an open transaction and waits for its abort
    bool rollOver = false; ///< the commit under way will get a new producerId
    // The partition.
    std::vector<Entry> log;
    FencingToken lastProducer; ///< pair of the id's last write or marker
    int openSince = -1;
    int foreignOpenAt = -1;
    // The members.
    std::array<Phase, kMembers> phase{};
    std::array<FencingToken, kMembers> minted{};
    // The observer.
    std::optional<PriorAuthority> prior;

    [[nodiscard]] int lastStable() const {
        int stable = static_cast<int>(log.size());
        if (foreignOpenAt >= 0) {
            stable = std::min(stable, foreignOpenAt);
        }
        return openSince >= 0 ? std::min(stable, openSince) : stable;
    }
};

std::string key(const World& w) {
    std::string k;
    const auto put = [&](auto value) { k += std::to_string(static_cast<long long>(value)) + ","; };
    put(w.known), put(w.nextPid), put(w.current.producerId), put(w.current.producerEpoch), put(w.state),
        put(w.owner);
    put(w.waiting), put(w.rollOver), put(w.lastProducer.producerId), put(w.lastProducer.producerEpoch),
        put(w.openSince);
    put(w.foreignOpenAt);
    for (const auto& entry : w.log) {
        put(entry.member), put(entry.token.producerId), put(entry.token.producerEpoch), put(entry.fate);
    }
    for (std::size_t i = 0; i < kMembers; ++i) {
        put(w.phase[i]), put(w.minted[i].producerId), put(w.minted[i].producerEpoch);
    }
    if (w.prior) {
        put(w.prior->described.producerId), put(w.prior->described.producerEpoch);
        k += w.prior->holder.str();
    }
    return k;
}

MemberId name(int member) {
    return *MemberId::of("node-" + std::to_string(member + 1));
}

void closeTransaction(World& w, Fate fate, FencingToken marker) {
    for (auto& entry : w.log) {
        if (entry.fate == Fate::open) {
            entry.fate = fate;
        }
    }
    if (w.openSince >= 0) {
        w.lastProducer = marker;
    }
    w.openSince = -1;
}

void advanceEpoch(World& w) {
    if (w.current.producerEpoch >= kLastEpoch) {
        w.current = {w.nextPid++, 0};
    } else {
        ++w.current.producerEpoch;
    }
}

/// All successors of a world; `v5` says per member whether its commits move the epoch.
std::vector<World> successors(const World& from, const std::array<bool, kMembers>& v5) {
    std::vector<World> next;
    const auto branch = [&](auto&& change) {
        World w = from;
        change(w);
        next.push_back(std::move(w));
    };
    const bool ongoing = from.known && from.state == TransactionState::ongoing;
    const bool preparing = from.state == TransactionState::prepareCommit;
    for (int i = 0; i < kMembers; ++i) {
        const auto m = static_cast<std::size_t>(i);
        const bool owns = from.owner == i && from.known;
        if (from.nextPid <= 3 && !preparing) { // mint; a restarted member mints as well
            branch([&](World& w) {
                if (ongoing) { // the open transaction is aborted first; the caller asks again
                    advanceEpoch(w);
                    w.state = TransactionState::prepareEpochFence;
                    w.owner = kNobody;
                    w.waiting = i;
                } else if (w.state == TransactionState::prepareEpochFence && w.known) {
                    closeTransaction(w, Fate::aborted, w.current);
                    w.state = TransactionState::completeAbort;
                } else {
                    if (w.known) {
                        advanceEpoch(w);
                    } else {
                        w.current = {w.nextPid++, 0};
                    }
                    w.known = true;
                    w.state = TransactionState::empty;
                    w.owner = i;
                    w.waiting = kNobody;
                    w.phase[m] = Phase::idle;
                    w.minted[m] = w.current;
                }
            });
        }
        if (owns && from.phase[m] == Phase::idle && !preparing && from.log.size() < kMostEntries) {
            branch([&](World& w) {
                w.state = TransactionState::ongoing;
                w.phase[m] = Phase::begun;
            });
        }
        if (owns && ongoing && from.phase[m] == Phase::begun) {
            for (const int author : {i, kNobody}) {
                branch([&](World& w) {
                    w.openSince = static_cast<int>(w.log.size());
                    w.log.push_back(
                        {author, author == kNobody ? FencingToken::none() : w.minted[m], Fate::open});
                    w.lastProducer = w.current;
                    w.phase[m] = Phase::written;
                });
            }
        }
        if (owns && ongoing && from.phase[m] == Phase::written) {
            branch([&](World& w) { // EndTxn(commit) is accepted
                if (v5[m]) {
                    w.rollOver = w.current.producerEpoch >= kLastEpoch;
                    if (!w.rollOver) {
                        ++w.current.producerEpoch;
                    }
                }
                w.state = TransactionState::prepareCommit;
            });
            branch([&](World& w) { // abort by the client
                if (v5[m]) {
                    advanceEpoch(w);
                }
                closeTransaction(w, Fate::aborted, w.current);
                w.state = TransactionState::completeAbort;
                w.phase[m] = Phase::idle;
            });
        }
        if (owns && preparing && from.openSince >= 0) { // markers reach the partition
            branch([&](World& w) { closeTransaction(w, Fate::committed, w.current); });
        }
        if (owns && preparing && from.openSince < 0) { // then the coordinator says so
            branch([&](World& w) {
                if (w.rollOver) {
                    w.current = {w.nextPid++, 0};
                    w.rollOver = false;
                }
                w.state = TransactionState::completeCommit;
                w.phase[m] = Phase::idle;
            });
        }
    }
    if (ongoing) { // the coordinator's own abort after the transaction's timeout
        branch([&](World& w) {
            advanceEpoch(w);
            closeTransaction(w, Fate::aborted, w.current);
            w.state = TransactionState::completeAbort;
            w.owner = kNobody;
        });
    }
    if (from.known && !isInFlight(from.state)) { // the id expires
        branch([&](World& w) {
            w.known = false;
            w.owner = kNobody;
        });
    }
    if (from.foreignOpenAt < 0) {
        branch([](World& w) { w.foreignOpenAt = static_cast<int>(w.log.size()); });
    } else {
        branch([](World& w) { w.foreignOpenAt = -1; });
    }
    return next;
}

/// What an observer has who asked the coordinator in `asked` and read P and the log in `read`.
class Observation {
public:
    Observation(const World& asked, const World& read)
        : state_(*Role::of("r")) {
        const int stable = read.lastStable();
        for (int offset = 0; offset < static_cast<int>(read.log.size()); ++offset) {
            const auto& entry = read.log[static_cast<std::size_t>(offset)];
            std::optional<Lease> lease;
            if (entry.member != kNobody) {
                lease = Lease{name(entry.member), entry.token, wallTime(0), wallTime(1'000)};
            }
            const RecordPosition position{0, offset, wallTime(0), TimestampType::createTime};
            if (offset >= stable) {
                evidence.tail.push_back({lease, position, TailLease::Fate::undecided});
            } else if (entry.fate == Fate::aborted) {
                evidence.tail.push_back({lease, position, TailLease::Fate::aborted});
            } else if (lease) {
                state_.apply({{RecordKind::lease, state_.role(), std::nullopt}, *lease, {}}, position);
            } else {
                state_.apply({{RecordKind::lease, state_.role(), std::nullopt}, std::monostate{}, {}},
                             position);
            }
        }
        evidence.coordinator.kind =
            asked.known ? CoordinatorAnswer::Kind::described : CoordinatorAnswer::Kind::unknownId;
        evidence.coordinator.token = asked.current;
        evidence.coordinator.state = asked.state;
        evidence.askedAfterNewestRecord = asked.log.size() == read.log.size();
        evidence.producers.emplace();
        if (!read.lastProducer.isNone()) {
            evidence.producers->push_back(
                {read.lastProducer,
                 read.openSince >= 0 ? std::optional<std::int64_t>(read.openSince) : std::nullopt,
                 std::nullopt});
        }
        evidence.prior = asked.prior;
        evidence.now = wallTime(500);
        evidence.state = &state_;
    }

    Observation(const Observation&) = delete;
    Observation& operator=(const Observation&) = delete;

    Evidence evidence;

private:
    RoleState state_;
};

struct Walk {
    std::set<VerdictRow> rows;
    std::set<VerdictKind> kinds;
    std::size_t judged = 0;
    std::size_t authoritative = 0;
    std::size_t unsound = 0;
    std::string firstUnsound;
};

/// Weakens an observation; proves that the walk can find what is unsound.
using Blindfold = void (*)(Evidence&);

void examine(const World& asked, const World& read, Blindfold blindfold, Walk& walk) {
    Observation observation(asked, read);
    if (blindfold) {
        blindfold(observation.evidence);
    }
    const auto verdict = judge(observation.evidence);
    ++walk.judged;
    walk.rows.insert(verdict.row);
    walk.kinds.insert(verdict.kind);
    if (verdict.kind != VerdictKind::authoritative && verdict.kind != VerdictKind::overdue) {
        return;
    }
    ++walk.authoritative;
    const bool sound = asked.owner != kNobody && verdict.holder == name(asked.owner);
    if (!sound && ++walk.unsound == 1) {
        walk.firstUnsound = "asked " + key(asked) + "\nread " + key(read) + "\n" + verdict.reason;
    }
}

void examineAfter(const World& asked, const World& read, int more, const std::array<bool, kMembers>& v5,
                  Blindfold blindfold, Walk& walk) {
    examine(asked, read, blindfold, walk);
    if (more > 0) {
        for (const auto& next : successors(read, v5)) {
            examineAfter(asked, next, more - 1, v5, blindfold, walk);
        }
    }
}

/// node-1 leads: its first lease is committed at offset 0.
World ledByFirst(bool v5) {
    World w;
    w.known = true;
    w.nextPid = 2;
    w.minted[0] = {1, 0};
    w.current = {1, static_cast<std::int16_t>(v5 ? 1 : 0)};
    w.state = TransactionState::completeCommit;
    w.owner = 0;
    w.phase[0] = Phase::idle;
    w.log.push_back({0, w.minted[0], Fate::committed});
    w.lastProducer = w.current;
    return w;
}

/// Breadth first from `start` to `depth`; in every world the observer may also look, which sets its memory.
void walkFrom(const World& start, const std::array<bool, kMembers>& v5, int depth, int between, Walk& walk,
              Blindfold blindfold = nullptr) {
    std::deque<std::pair<World, int>> queue{{start, 0}};
    std::unordered_set<std::string> seen{key(start)};
    const auto visit = [&](World w, int at) {
        if (seen.insert(key(w)).second) {
            queue.emplace_back(std::move(w), at);
        }
    };
    while (!queue.empty()) {
        const auto [world, at] = std::move(queue.front());
        queue.pop_front();
        examineAfter(world, world, between, v5, blindfold, walk);
        Observation observation(world, world);
        World looked = world;
        looked.prior = remember(judge(observation.evidence), observation.evidence);
        visit(std::move(looked), at);
        if (at < depth) {
            for (auto& next : successors(world, v5)) {
                visit(std::move(next), at + 1);
            }
        }
    }
}

int depthFromEnvironment(int usual) {
    const char* text = std::getenv("BELLWETHER_MODEL_DEPTH");
    return text ? std::atoi(text) : usual;
}

} // namespace

TEST(VerdictModel, WhoeverIsCalledAuthoritativeCouldCommitAndNobodyElse) {
    Walk walk;
    const int depth = depthFromEnvironment(6);
    for (const auto& v5 : {std::array{true, true}, std::array{false, false}, std::array{true, false}}) {
        walkFrom(World{}, v5, depth, 2, walk);
        walkFrom(ledByFirst(v5[0]), v5, depth - 1, 3, walk);
    }
    EXPECT_EQ(walk.unsound, 0U) << walk.firstUnsound;
    EXPECT_GT(walk.authoritative, 1'000U);
    RecordProperty("judged", std::to_string(walk.judged));
    std::cout << walk.judged << " judgements, " << walk.authoritative << " of them name a holder\n";
    for (const auto kind : {VerdictKind::vacant, VerdictKind::claimed, VerdictKind::claiming,
                            VerdictKind::authoritative, VerdictKind::inDoubt}) {
        EXPECT_TRUE(walk.kinds.contains(kind)) << toString(kind);
    }
    for (const auto row :
         {VerdictRow::r2NeverLed, VerdictRow::r3IdExpired, VerdictRow::r4NewerThanCoordinator,
          VerdictRow::r5ClaimedFirst, VerdictRow::r6ClaimingFirst, VerdictRow::r7Released,
          VerdictRow::r8SameToken, VerdictRow::r9Minted, VerdictRow::r10bBegun, VerdictRow::r11Committed,
          VerdictRow::r12Aborted}) {
        EXPECT_TRUE(walk.rows.contains(row)) << toString(row);
    }
}

/// Another role's open transaction hides a committed takeover from a reader of the committed view.
TEST(VerdictModel, TheCommittedViewAloneIsUnsoundAndTheWalkFindsIt) {
    Walk walk;
    const auto hideTail = [](Evidence& evidence) { evidence.tail.clear(); };
    for (int depth = 5; depth <= 9 && walk.unsound == 0; ++depth) {
        walkFrom(ledByFirst(true), {true, true}, depth, 0, walk, hideTail);
    }
    EXPECT_GT(walk.unsound, 0U);
}

/// "As before" without looking whether the epoch has moved would take a challenger for the holder.
TEST(VerdictModel, AMemoryThatIgnoresTheEpochIsUnsoundAndTheWalkFindsIt) {
    Walk walk;
    const auto rememberBlindly = [](Evidence& evidence) {
        if (const auto& lease = evidence.state->lease()) {
            evidence.prior =
                PriorAuthority{evidence.coordinator.token, lease->lease.member, lease->lease.token};
        }
    };
    for (int depth = 1; depth <= 4 && walk.unsound == 0; ++depth) {
        walkFrom(ledByFirst(true), {true, true}, depth, 0, walk, rememberBlindly);
    }
    EXPECT_GT(walk.unsound, 0U);
}
