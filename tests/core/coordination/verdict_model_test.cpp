// SPDX-License-Identifier: Apache-2.0
// Long because the model, the observer and the walk are one argument.
// Walks every reachable combination of a small world (one transactional id at its coordinator, two members,
// one partition, a foreign open transaction) and asks judge() everywhere, also when up to a few more steps
// happen between the coordinator's answer and the reads, and between the two reads. Claims: whoever is called
// authoritative or overdue could commit when the coordinator answered, and nobody else could; no leader that
// could is called fenced, none of these true worlds contradictory. The steps follow the measured table in
// docs/verdicts.md; BELLWETHER_MODEL_DEPTH sets how far the walk goes.
#include <algorithm>
#include <array>
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
/// Kafka's ids begin at epoch 0; here a few steps before the last one, so that the walk gets there.
constexpr std::int16_t kFirstEpoch = 32'763;
constexpr std::int16_t kLastEpoch = 32'766;
/// Brokers take ids in blocks: with a moved coordinator a later id can be the lower one.
constexpr std::array<std::int64_t, 4> kProducerIds{1'000, 3, 2'000, 4};
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
    std::size_t idsUsed = 0;
    bool beyond = false; ///< needs more producerIds than this small model has: not looked at
    FencingToken current;
    TransactionState state = TransactionState::empty;
    int owner = kNobody;   ///< the member whose producer has the current epoch
    int waiting = kNobody; ///< whose mint met an open transaction and waits for its abort
    bool rollOver = false; ///< the commit under way will get a new producerId
    // The partition.
    std::vector<Entry> log;
    /// Pair of each producerId's last write or marker, the one that wrote last at the end.
    std::vector<FencingToken> producers;
    int openSince = -1;
    int foreignOpenAt = -1;
    // The members.
    std::array<Phase, kMembers> phase{};
    std::array<FencingToken, kMembers> minted{};
    // The observer.
    std::optional<PriorAuthority> prior;
    CoordinatorMemory memory;

    /// A producerId's first pair.
    FencingToken freshId() {
        if (idsUsed == kProducerIds.size()) {
            beyond = true;
            return current;
        }
        return {kProducerIds.at(idsUsed++), kFirstEpoch};
    }

    void touch(FencingToken producer) {
        std::erase_if(producers, [&](FencingToken each) { return each.producerId == producer.producerId; });
        producers.push_back(producer);
    }

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
    put(w.known), put(w.idsUsed), put(w.current.producerId), put(w.current.producerEpoch), put(w.state),
        put(w.owner);
    put(w.waiting), put(w.rollOver), put(w.openSince), put(w.foreignOpenAt);
    for (const auto& producer : w.producers) {
        put(producer.producerId), put(producer.producerEpoch);
    }
    k += '/';
    for (const auto& entry : w.log) {
        put(entry.member), put(entry.token.producerId), put(entry.token.producerEpoch), put(entry.fate);
    }
    for (std::size_t i = 0; i < kMembers; ++i) {
        put(w.phase[i]), put(w.minted[i].producerId), put(w.minted[i].producerEpoch);
    }
    if (w.prior) {
        put(w.prior->described.producerId), put(w.prior->described.producerEpoch);
        k += w.prior->holder.str();
        put(w.prior->leaseToken.producerId), put(w.prior->leaseToken.producerEpoch);
        put(w.prior->leaseOffset);
    }
    put(w.memory.newest.producerId), put(w.memory.newest.producerEpoch);
    for (const auto id : w.memory.left) {
        put(id);
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
        w.touch(marker);
    }
    w.openSince = -1;
}

void advanceEpoch(World& w) {
    if (w.current.producerEpoch >= kLastEpoch) {
        w.current = w.freshId();
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
        if (!w.beyond) {
            next.push_back(std::move(w));
        }
    };
    const bool ongoing = from.known && from.state == TransactionState::ongoing;
    const bool preparing = from.state == TransactionState::prepareCommit;
    for (int i = 0; i < kMembers; ++i) {
        const auto m = static_cast<std::size_t>(i);
        const bool owns = from.owner == i && from.known;
        if (from.idsUsed < kProducerIds.size() - 1 && !preparing) { // mint; a restarted member mints as well
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
                        w.current = w.freshId();
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
                    w.touch(w.current);
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
            branch([&](World& w) {
                auto marker = w.current;
                if (w.rollOver) {
                    ++marker.producerEpoch; // measured: 32767 under the old id
                }
                closeTransaction(w, Fate::committed, marker);
            });
        }
        if (owns && preparing && from.openSince < 0) { // then the coordinator says so
            branch([&](World& w) {
                if (w.rollOver) {
                    w.current = w.freshId();
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

/// What an observer has who asked the coordinator in `asked`, the partition's producers in `listed` and read
/// the log in `read`.
class Observation {
public:
    Observation(const World& asked, const World& listed, const World& read)
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
        for (std::size_t i = 0; i < listed.producers.size(); ++i) {
            const bool writes = listed.openSince >= 0 && i + 1 == listed.producers.size();
            evidence.producers->push_back(
                {listed.producers[i], writes ? std::optional<std::int64_t>(listed.openSince) : std::nullopt,
                 wallTime(static_cast<std::int64_t>(i))});
        }
        evidence.prior = asked.prior;
        evidence.memory = asked.memory;
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
    std::map<VerdictRow, std::string> unsoundAt; ///< the first of each row
};

/// Weakens an observation; proves that the walk can find what is unsound.
using Blindfold = void (*)(Evidence&);

/// The owner's producer, as it is now, has written to the log: nobody may call its author fenced.
bool ownerHasWritten(const World& w) {
    return w.owner != kNobody && std::any_of(w.log.begin(), w.log.end(), [&](const Entry& entry) {
               return entry.member == w.owner && entry.token == w.minted[static_cast<std::size_t>(w.owner)];
           });
}

void judgeAnd(const World& asked, const Evidence& evidence, Walk& walk) {
    const auto verdict = judge(evidence);
    ++walk.judged;
    walk.rows.insert(verdict.row);
    walk.kinds.insert(verdict.kind);
    const auto owner = asked.owner == kNobody ? std::nullopt : std::optional(name(asked.owner));
    bool sound = verdict.kind != VerdictKind::contradictory;
    if (verdict.kind == VerdictKind::authoritative || verdict.kind == VerdictKind::overdue) {
        ++walk.authoritative;
        sound = owner && verdict.holder == owner;
    }
    const bool deposed =
        owner && std::find(verdict.fenced.begin(), verdict.fenced.end(), *owner) != verdict.fenced.end();
    if (!sound || (deposed && ownerHasWritten(asked))) {
        ++walk.unsound;
        walk.unsoundAt.try_emplace(verdict.row, "asked " + key(asked) + "\n" + verdict.reason);
    }
}

void examine(const World& asked, const World& listed, const World& read, Blindfold blindfold, Walk& walk) {
    Observation observation(asked, listed, read);
    if (blindfold) {
        blindfold(observation.evidence);
    }
    judgeAnd(asked, observation.evidence, walk);
    if (observation.evidence.askedAfterNewestRecord && !read.log.empty()) {
        // The readers were slow: what was written before the question was seen after it.
        observation.evidence.askedAfterNewestRecord = false;
        judgeAnd(asked, observation.evidence, walk);
    }
}

/// P and the log are read in either order, `path` is what happened since the question.
void examineAfter(std::vector<const World*>& path, int more, const std::array<bool, kMembers>& v5,
                  Blindfold blindfold, Walk& walk) {
    const World& last = *path.back();
    for (const auto* earlier : path) {
        examine(*path.front(), *earlier, last, blindfold, walk);
        if (earlier != &last) {
            examine(*path.front(), last, *earlier, blindfold, walk);
        }
    }
    if (more > 0) {
        for (const auto& next : successors(last, v5)) {
            path.push_back(&next);
            examineAfter(path, more - 1, v5, blindfold, walk);
            path.pop_back();
        }
    }
}

/// What else an observer may meet at one moment: ages, a deadline past, a source that failed.
void examineOddities(const World& world, Walk& walk) {
    const auto with = [&](auto&& change) {
        Observation observation(world, world, world);
        change(observation.evidence);
        judgeAnd(world, observation.evidence, walk);
    };
    with([](Evidence& e) { e.now = wallTime(1'000); }); // the deadline itself is past
    with([](Evidence& e) { e.coordinatorAge = e.stalenessBound + Millis{1}; });
    with([](Evidence& e) { e.topicAge = e.stalenessBound + Millis{1}; });
    with([](Evidence& e) { e.producers.reset(); });
    with([](Evidence& e) { e.tailRead = false, e.tail.clear(); });
    with([](Evidence& e) { e.prior.reset(), e.memory = {}; }); // a console that has just been started
    with([](Evidence& e) { e.coordinator.state = TransactionState::unknown; });
}

/// node-1 leads: its first lease is committed at offset 0.
World ledByFirst(bool v5) {
    World w;
    w.known = true;
    w.current = w.minted[0] = w.freshId();
    w.current.producerEpoch = static_cast<std::int16_t>(w.current.producerEpoch + (v5 ? 1 : 0));
    w.state = TransactionState::completeCommit;
    w.owner = 0;
    w.phase[0] = Phase::idle;
    w.log.push_back({0, w.minted[0], Fate::committed});
    w.touch(w.current);
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
        std::vector<const World*> path{&world};
        examineAfter(path, between, v5, blindfold, walk);
        if (!blindfold) {
            examineOddities(world, walk);
        }
        Observation observation(world, world, world);
        World looked = world;
        looked.prior = remember(judge(observation.evidence), observation.evidence);
        looked.memory = remember(world.memory, observation.evidence.coordinator);
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
    const int depth = depthFromEnvironment(5);
    for (const auto& v5 : {std::array{true, true}, std::array{false, false}, std::array{true, false}}) {
        walkFrom(World{}, v5, depth, 2, walk);
        walkFrom(ledByFirst(v5[0]), v5, depth, 2, walk);
        walkFrom(ledByFirst(v5[0]), v5, depth - 2, 3, walk);
    }
    EXPECT_EQ(walk.unsound, 0U) << testing::PrintToString(walk.unsoundAt);
    EXPECT_GT(walk.authoritative, 1'000U);
    RecordProperty("judged", std::to_string(walk.judged));
    std::cout << walk.judged << " judgements, " << walk.authoritative << " of them name a holder\n";
    for (const auto kind :
         {VerdictKind::unknown, VerdictKind::vacant, VerdictKind::claimed, VerdictKind::claiming,
          VerdictKind::authoritative, VerdictKind::overdue, VerdictKind::inDoubt}) {
        EXPECT_TRUE(walk.kinds.contains(kind)) << toString(kind);
    }
    for (const auto row :
         {VerdictRow::r1Stale, VerdictRow::r2NeverLed, VerdictRow::r3IdExpired,
          VerdictRow::r4NewerThanCoordinator, VerdictRow::r5ClaimedFirst, VerdictRow::r6ClaimingFirst,
          VerdictRow::r7Released, VerdictRow::r8SameToken, VerdictRow::r9Minted, VerdictRow::r10Writing,
          VerdictRow::r10bBegun, VerdictRow::r11Committed, VerdictRow::r12Aborted, VerdictRow::r13Else}) {
        EXPECT_TRUE(walk.rows.contains(row)) << toString(row);
    }
}

/// In a log that only members write nothing contradicts; a record from elsewhere is what it takes.
TEST(VerdictModel, ARecordFromElsewhereIsContradictory) {
    const auto judged = [](FencingToken forged) {
        World world = ledByFirst(true);
        world.log.push_back({1, forged, Fate::committed});
        Observation observation(world, world, world);
        return judge(observation.evidence);
    };
    const auto newer = judged({1'000, kLastEpoch});
    EXPECT_EQ(newer.kind, VerdictKind::contradictory);
    EXPECT_EQ(newer.row, VerdictRow::r4NewerThanCoordinator);
    const auto lower = judged({1'000, kFirstEpoch - 1});
    EXPECT_EQ(lower.kind, VerdictKind::contradictory);
    EXPECT_EQ(lower.row, VerdictRow::r4bLowerToken);
}

/// Ordering tokens by their producerIds' numbers calls a leader contradictory whose id was rolled over to a
/// lower one; the walk meets that leader, and the rules call it authoritative.
TEST(VerdictModel, ALeaderWithALowerProducerIdThanBeforeIsMet) {
    World world = ledByFirst(true); // 1000:32764
    for (int renewals = 0; renewals < 4; ++renewals) {
        world.log.clear(); // compacted
        world.log.push_back({0, world.minted[0], Fate::committed});
        if (world.current.producerEpoch == kLastEpoch) {
            world.touch({world.current.producerId, kLastEpoch + 1});
            world.current = world.freshId();
        } else {
            ++world.current.producerEpoch;
            world.touch(world.current);
        }
        Observation observation(world, world, world);
        const auto verdict = judge(observation.evidence);
        EXPECT_EQ(verdict.kind, VerdictKind::authoritative) << world.current.text() << ": " << verdict.reason;
        EXPECT_TRUE(verdict.fenced.empty());
    }
    EXPECT_EQ(world.current.producerId, 3);
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
