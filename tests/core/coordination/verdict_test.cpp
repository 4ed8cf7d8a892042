// SPDX-License-Identifier: Apache-2.0
// The verdict table row by row. Offsets and tokens are written as an operator would sketch them.
// Long because it is one table, and splitting it would hide a missing row.
#include "coordination/verdict.h"

#include <set>

#include <gtest/gtest.h>

using namespace bellwether;

namespace {

constexpr std::int64_t kNow = 1'700'000'010'000;

Role role() {
    return *Role::of("controller");
}

MemberId member(std::string_view name) {
    return *MemberId::of(name);
}

Lease lease(std::string_view name, FencingToken token, std::int64_t deadline = kNow + 20'000) {
    return {member(name), token, wallTime(deadline - 30'000), wallTime(deadline)};
}

RecordPosition at(std::int64_t offset) {
    return {0, offset, wallTime(kNow), TimestampType::createTime};
}

/// Evidence that owns its fold.
class Scene {
public:
    Scene() { evidence.now = wallTime(kNow); }

    Scene& committed(std::int64_t offset, const Lease& l) {
        state.apply({{RecordKind::lease, role(), std::nullopt}, l, {}}, at(offset));
        return *this;
    }

    Scene& committedTombstone(std::int64_t offset) {
        state.apply({{RecordKind::lease, role(), std::nullopt}, std::monostate{}, {}}, at(offset));
        return *this;
    }

    Scene& hidden(std::int64_t offset, std::optional<Lease> l) {
        evidence.tail.push_back({std::move(l), at(offset), TailLease::Fate::undecided});
        return *this;
    }

    Scene& aborted(std::int64_t offset, std::optional<Lease> l) {
        evidence.tail.push_back({std::move(l), at(offset), TailLease::Fate::aborted});
        return *this;
    }

    Scene& coordinator(FencingToken token, TransactionState transaction) {
        evidence.coordinator.kind = CoordinatorAnswer::Kind::described;
        evidence.coordinator.token = token;
        evidence.coordinator.state = transaction;
        return *this;
    }

    Scene& unknownId() {
        evidence.coordinator.kind = CoordinatorAnswer::Kind::unknownId;
        return *this;
    }

    Scene& producer(FencingToken token, std::optional<std::int64_t> openSince) {
        if (!evidence.producers) {
            evidence.producers.emplace();
        }
        evidence.producers->push_back({token, openSince, std::nullopt});
        return *this;
    }

    Verdict judged() {
        evidence.state = &state;
        auto verdict = judge(evidence);
        EXPECT_FALSE(verdict.reason.empty());
        rows().insert(verdict.row);
        return verdict;
    }

    static std::set<VerdictRow>& rows() {
        static std::set<VerdictRow> seen;
        return seen;
    }

    RoleState state{role()};
    Evidence evidence;
};

void expectHolder(const Verdict& verdict, std::string_view name) {
    ASSERT_TRUE(verdict.holder.has_value());
    EXPECT_EQ(verdict.holder->str(), name);
}

using enum TransactionState;

} // namespace

TEST(Verdict, Row1NothingIsSaidWithoutAnAnswer) {
    Scene notAsked;
    notAsked.committed(2, lease("node-1", {7, 0}));
    EXPECT_EQ(notAsked.judged().kind, VerdictKind::unknown);

    Scene refused;
    refused.committed(2, lease("node-1", {7, 0}));
    refused.evidence.coordinator.kind = CoordinatorAnswer::Kind::failed;
    refused.evidence.coordinator.error =
        Error{.code = ErrorCode::refused, .what = "DESCRIBE denied", .where = {}, .hint = {}};
    const auto verdict = refused.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::unknown);
    EXPECT_NE(verdict.reason.find("DESCRIBE denied"), std::string::npos);
    EXPECT_FALSE(verdict.holder);
}

TEST(Verdict, Row1AgesCountFromBeyondTheBoundOn) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).coordinator({7, 0}, completeCommit);
    scene.evidence.coordinatorAge = scene.evidence.stalenessBound;
    scene.evidence.topicAge = scene.evidence.stalenessBound;
    EXPECT_EQ(scene.judged().kind, VerdictKind::authoritative);
    scene.evidence.coordinatorAge += Millis{1};
    EXPECT_EQ(scene.judged().kind, VerdictKind::unknown);
    scene.evidence.coordinatorAge = Millis{0};
    scene.evidence.topicAge += Millis{1};
    EXPECT_EQ(scene.judged().kind, VerdictKind::unknown);
    scene.evidence.topicAge = Millis{0};
    scene.evidence.topicReadToEnd = false;
    EXPECT_EQ(scene.judged().kind, VerdictKind::unknown);
    scene.evidence.topicReadToEnd = true;
    scene.evidence.topicError =
        Error{.code = ErrorCode::unreachable, .what = "gone", .where = {}, .hint = {}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::unknown);
}

TEST(Verdict, Rows2And3WithoutAnEpoch) {
    EXPECT_EQ(Scene().unknownId().judged().row, VerdictRow::r2NeverLed);

    const auto expired = Scene().committed(2, lease("node-1", {7, 0})).unknownId().judged();
    EXPECT_EQ(expired.kind, VerdictKind::vacant);
    EXPECT_EQ(expired.row, VerdictRow::r3IdExpired);
    EXPECT_FALSE(expired.holder);
    EXPECT_EQ(expired.lastHolder->str(), "node-1");

    Scene dead;
    dead.committed(2, lease("node-1", {7, 0})).coordinator({7, 0}, TransactionState::dead);
    EXPECT_EQ(dead.judged().row, VerdictRow::r3IdExpired);
}

TEST(Verdict, Row4ALeaseWrittenAfterTheQuestionIsAskedAboutAgain) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}))
        .committed(4, lease("node-2", {7, 1}))
        .coordinator({7, 0}, completeCommit);
    scene.evidence.askedAfterNewestRecord = false;
    const auto early = scene.judged();
    EXPECT_EQ(early.kind, VerdictKind::inDoubt);
    EXPECT_TRUE(early.askAgain);
    EXPECT_FALSE(early.holder);
    scene.evidence.askedAfterNewestRecord = true;
    EXPECT_EQ(scene.judged().kind, VerdictKind::contradictory);

    Scene forgotten; // minted and written after the coordinator said 105
    forgotten.committed(2, lease("node-1", {7, 0})).unknownId();
    forgotten.evidence.askedAfterNewestRecord = false;
    EXPECT_EQ(forgotten.judged().kind, VerdictKind::inDoubt);
}

TEST(Verdict, Row4SeesHiddenAndOldRecordsToo) {
    EXPECT_EQ(Scene()
                  .committed(2, lease("node-1", {7, 0}))
                  .hidden(5, lease("node-2", {7, 9}))
                  .coordinator({7, 3}, completeCommit)
                  .judged()
                  .kind,
              VerdictKind::contradictory);
    EXPECT_EQ(Scene()
                  .committed(2, lease("node-1", {7, 9}))
                  .committedTombstone(4)
                  .coordinator({7, 3}, completeCommit)
                  .judged()
                  .kind,
              VerdictKind::contradictory);
}

/// Brokers take producer ids in blocks: after the coordinator moved, the id that follows can be the lower
/// one.
TEST(Verdict, ProducerIdsAreNotOrderedByTheirNumbers) {
    const Lease held = lease("node-1", {2'000, 32'753});
    const auto scene = [&] { return Scene().committed(2, held); };
    // Rolled over by the holder's own commit: the partition has the old id's last epoch and none of the new
    // one.
    auto rolled =
        scene().producer({2'000, 32'767}, std::nullopt).coordinator({1'007, 0}, completeCommit).judged();
    EXPECT_EQ(rolled.kind, VerdictKind::authoritative) << rolled.reason;
    EXPECT_EQ(rolled.row, VerdictRow::r11Committed);
    expectHolder(rolled, "node-1");
    EXPECT_TRUE(rolled.fenced.empty());
    // Later commits under the new id.
    Scene later = scene();
    later.producer({2'000, 32'767}, std::nullopt).producer({1'007, 4}, std::nullopt);
    later.evidence.producers->front().lastTimestamp = wallTime(kNow - 9'000);
    later.evidence.producers->back().lastTimestamp = wallTime(kNow - 10);
    EXPECT_EQ(later.coordinator({1'007, 4}, completeCommit).judged().kind, VerdictKind::authoritative);
    // Minted by somebody else, and not written yet.
    const auto minted = scene().coordinator({1'006, 0}, empty).judged();
    EXPECT_EQ(minted.kind, VerdictKind::claimed);
    EXPECT_EQ(minted.fenced, std::vector{member("node-1")});
    // Minted and written: the log's order tells, not the numbers.
    const auto taken =
        scene().committed(5, lease("node-2", {1'006, 1})).coordinator({1'006, 1}, completeCommit).judged();
    EXPECT_EQ(taken.kind, VerdictKind::authoritative) << taken.reason;
    expectHolder(taken, "node-2");
    // The same, hidden behind another role's transaction.
    const auto hidden =
        scene().hidden(5, lease("node-2", {1'006, 1})).coordinator({1'006, 2}, completeCommit).judged();
    EXPECT_EQ(hidden.kind, VerdictKind::authoritative) << hidden.reason;
    expectHolder(hidden, "node-2");
    EXPECT_EQ(hidden.fenced, std::vector{member("node-1")});
}

TEST(Verdict, Row11AHigherProducerIdNeedsASignThatItWasLeft) {
    const auto judgedWith = [](std::vector<PartitionProducer> producers, auto&& change) {
        Scene scene;
        scene.committed(2, lease("node-1", {7'000, 1})).coordinator({5'000, 3}, completeCommit);
        scene.evidence.producers = std::move(producers);
        change(scene.evidence);
        return scene.judged();
    };
    const auto as = [](Evidence&) {};
    const PartitionProducer early{{5'000, 3}, std::nullopt, wallTime(kNow - 60'000)};
    const PartitionProducer theirs{{7'000, 1}, std::nullopt, wallTime(kNow - 30'000)};
    const PartitionProducer late{{5'000, 3}, std::nullopt, wallTime(kNow + 1)};
    // A coordinator restored from before the lease: its id has not written since.
    EXPECT_EQ(judgedWith({early, theirs}, as).kind, VerdictKind::contradictory);
    EXPECT_EQ(judgedWith({theirs}, as).kind, VerdictKind::contradictory);
    EXPECT_EQ(judgedWith({late, theirs}, as).kind, VerdictKind::authoritative);
    // The partition forgot the old id.
    EXPECT_EQ(judgedWith({late}, as).kind, VerdictKind::authoritative);
    EXPECT_EQ(judgedWith({early}, as).kind, VerdictKind::inDoubt);
    EXPECT_EQ(judgedWith({}, as).kind, VerdictKind::inDoubt);
    EXPECT_EQ(judgedWith({}, [](Evidence& e) { e.producers.reset(); }).kind, VerdictKind::inDoubt);
    // The coordinator itself was seen to leave it.
    EXPECT_EQ(judgedWith({},
                         [](Evidence& e) {
                             e.memory = {{5'000, 2}, {7'000}};
                         })
                  .kind,
              VerdictKind::authoritative);
}

TEST(Verdict, Row4AnotherProducerIdSeenAfterTheQuestionIsAskedAboutAgain) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).coordinator({9, 3}, completeCommit);
    scene.evidence.askedAfterNewestRecord = false;
    EXPECT_TRUE(scene.judged().askAgain) << "7 may have followed 9";
    scene.evidence.prior = PriorAuthority{{9, 2}, member("node-1"), {7, 0}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::authoritative) << "a renewal under the token that led before";
    scene.evidence.prior.reset();
    scene.evidence.memory = {{9, 3}, {7}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::authoritative) << "7 was left before";
}

TEST(Verdict, Row4ALeaseOfAnotherProducerIdWhileTheCoordinatorKeptItsOwnIsContradictory) {
    Scene scene;
    scene.committed(2, lease("node-1", {1'000, 0})).coordinator({1'000, 0}, completeCommit);
    const auto first = scene.judged();
    scene.evidence.prior = remember(first, scene.evidence);
    scene.committed(5, lease("mallory", {900, 0}));
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::contradictory) << verdict.reason;
    EXPECT_EQ(verdict.row, VerdictRow::r4NewerThanCoordinator);
}

TEST(Verdict, Row4ACoordinatorThatGoesBackIsAskedAgain) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).coordinator({7, 0}, completeCommit);
    scene.evidence.memory.newest = {7, 1};
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::inDoubt);
    EXPECT_EQ(verdict.row, VerdictRow::r4NewerThanCoordinator);
    EXPECT_TRUE(verdict.askAgain);
    scene.evidence.memory = {{3, 0}, {7}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::inDoubt) << "7 was left for 3";
}

TEST(Verdict, TheMemoryOfTheCoordinatorOnlyGoesForward) {
    const auto answer = [](FencingToken token) {
        CoordinatorAnswer described;
        described.kind = CoordinatorAnswer::Kind::described;
        described.token = token;
        return described;
    };
    CoordinatorMemory memory;
    for (const FencingToken token : {FencingToken{7, 0}, {7, 3}, {7, 1}, {3, 0}, {7, 4}, {3, 1}}) {
        memory = remember(memory, answer(token));
    }
    EXPECT_EQ(memory, (CoordinatorMemory{{3, 1}, {7}}));
    CoordinatorAnswer unknown;
    unknown.kind = CoordinatorAnswer::Kind::unknownId;
    EXPECT_EQ(remember(memory, unknown), memory);
    for (std::int64_t id = 100; id < 200; ++id) {
        memory = remember(memory, answer({id, 0}));
    }
    EXPECT_EQ(memory.newest, (FencingToken{199, 0}));
    EXPECT_EQ(memory.left.size(), 16U);
}

TEST(Verdict, Row4bALowerTokenCannotFollow) {
    const auto verdict = Scene()
                             .committed(2, lease("node-1", {7, 5}))
                             .committed(4, lease("node-2", {7, 3}))
                             .coordinator({7, 6}, completeCommit)
                             .judged();
    EXPECT_EQ(verdict.kind, VerdictKind::contradictory);
    EXPECT_EQ(verdict.row, VerdictRow::r4bLowerToken);
}

TEST(Verdict, Rows5And9AMintWithoutAWrite) {
    const auto first = Scene().coordinator({12, 0}, empty).judged();
    EXPECT_EQ(first.kind, VerdictKind::claimed);
    EXPECT_TRUE(first.fenced.empty());
    EXPECT_FALSE(first.claimant);

    const auto later = Scene().committed(2, lease("node-1", {7, 0})).coordinator({7, 1}, empty).judged();
    EXPECT_EQ(later.row, VerdictRow::r9Minted);
    EXPECT_EQ(later.fenced, std::vector{member("node-1")});
    EXPECT_FALSE(later.holder);

    const auto hidden = Scene()
                            .committed(2, lease("node-1", {7, 0}))
                            .hidden(5, lease("node-2", {7, 1}))
                            .coordinator({7, 2}, empty)
                            .judged();
    EXPECT_EQ(hidden.fenced, (std::vector{member("node-1"), member("node-2")}));
}

TEST(Verdict, Row6TheFirstClaimIsNamedOnlyByItsOwnTransaction) {
    Scene scene;
    scene.hidden(4, lease("node-9", {77, 3})).coordinator({77, 3}, ongoing).producer({77, 3}, 4);
    EXPECT_EQ(scene.judged().claimant->str(), "node-9");
    EXPECT_EQ(scene.judged().kind, VerdictKind::claiming);

    Scene other;
    other.hidden(4, lease("node-9", {77, 3})).coordinator({77, 4}, ongoing).producer({77, 4}, 6);
    EXPECT_FALSE(other.judged().claimant);
    EXPECT_TRUE(other.judged().fenced.empty()) << "77:3 may have been aborted by node-9, who begins again";
}

TEST(Verdict, Row7Released) {
    const auto released = Scene()
                              .committed(2, lease("node-1", {7, 0}))
                              .committedTombstone(4)
                              .coordinator({7, 0}, completeCommit)
                              .judged();
    EXPECT_EQ(released.kind, VerdictKind::vacant);
    EXPECT_EQ(released.row, VerdictRow::r7Released);
    EXPECT_EQ(released.lastHolder->str(), "node-1");

    const auto hidden = Scene()
                            .committed(2, lease("node-1", {7, 0}))
                            .hidden(6, std::nullopt)
                            .coordinator({7, 0}, completeCommit)
                            .judged();
    EXPECT_EQ(hidden.kind, VerdictKind::vacant);
    EXPECT_NE(hidden.reason.find("hidden"), std::string::npos);

    const auto abortedClaim =
        Scene().aborted(3, lease("node-1", {7, 0})).coordinator({7, 0}, completeAbort).judged();
    EXPECT_EQ(abortedClaim.kind, VerdictKind::vacant);
}

TEST(Verdict, Row7AnAbortedReleaseReleasesNobody) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).hidden(6, std::nullopt).coordinator({7, 0}, completeAbort);
    expectHolder(scene.judged(), "node-1");
}

TEST(Verdict, Row7AReleaseThatBeganAfterTheAnswerIsNotDoneYet) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}))
        .hidden(6, std::nullopt)
        .coordinator({7, 0}, completeCommit)
        .producer({7, 0}, 6);
    expectHolder(scene.judged(), "node-1");
}

TEST(Verdict, Row7AHiddenTombstoneSeenAfterTheQuestionIsAskedAbout) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).hidden(6, std::nullopt).coordinator({7, 3}, completeCommit);
    scene.evidence.askedAfterNewestRecord = false;
    EXPECT_EQ(scene.judged().kind, VerdictKind::inDoubt);
    scene.evidence.askedAfterNewestRecord = true;
    EXPECT_EQ(scene.judged().kind, VerdictKind::vacant);
}

TEST(Verdict, Row7WithoutTheTailNobodyIsCalledVacant) {
    Scene scene;
    scene.coordinator({7, 0}, completeCommit);
    scene.evidence.tailRead = false;
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::inDoubt);
    EXPECT_TRUE(verdict.askAgain);
}

TEST(Verdict, Row8SameTokenUntilAndFromTheDeadline) {
    Scene live;
    live.committed(2, lease("node-1", {7, 0}, kNow + 1)).coordinator({7, 0}, completeCommit);
    EXPECT_EQ(live.judged().kind, VerdictKind::authoritative);
    expectHolder(live.judged(), "node-1");

    Scene atDeadline;
    atDeadline.committed(2, lease("node-1", {7, 0}, kNow)).coordinator({7, 0}, completeCommit);
    EXPECT_EQ(atDeadline.judged().kind, VerdictKind::overdue);
    EXPECT_EQ(*atDeadline.judged().expiredFor, Millis{0});
    expectHolder(atDeadline.judged(), "node-1");
}

TEST(Verdict, Row8ARenewalHiddenByAnotherRolesTransactionIsNotOverdue) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}, kNow - 5'000))
        .hidden(6, lease("node-1", {7, 0}, kNow + 9'000))
        .coordinator({7, 0}, completeCommit);
    scene.evidence.pinnedBy = "9:1";
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::authoritative);
    EXPECT_TRUE(verdict.leaseHidden);
    EXPECT_EQ(verdict.lease->position.offset, 6);
    EXPECT_NE(verdict.reason.find("9:1"), std::string::npos);

    scene.coordinator({7, 0}, completeAbort); // the hidden record may be the one that was aborted
    EXPECT_EQ(scene.judged().kind, VerdictKind::overdue);
    scene.coordinator({7, 0}, completeCommit)
        .producer({7, 0}, 6); // begun after the answer: not committed yet
    EXPECT_EQ(scene.judged().kind, VerdictKind::overdue);
}

TEST(Verdict, Row10TheHoldersOwnOpenRenewal) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}))
        .hidden(4, lease("node-1", {7, 0}, kNow + 30'000))
        .coordinator({7, 1}, ongoing)
        .producer({7, 1}, 4);
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::authoritative);
    EXPECT_EQ(verdict.row, VerdictRow::r10Writing);
    EXPECT_TRUE(verdict.writingNow);
    EXPECT_EQ(verdict.lease->position.offset, 2);
}

TEST(Verdict, Row10AChallengersFirstWrite) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}))
        .hidden(4, lease("node-2", {7, 1}))
        .coordinator({7, 1}, ongoing)
        .producer({7, 1}, 4);
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::claiming);
    EXPECT_EQ(verdict.claimant->str(), "node-2");
    EXPECT_EQ(verdict.fenced, std::vector{member("node-1")});
    EXPECT_FALSE(verdict.holder);
}

TEST(Verdict, Row10AChallengerThatHasWrittenNothingIsNotTakenForTheHolder) {
    // The newest record of the tail is the holder's own renewal, from before the challenger's transaction.
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}))
        .hidden(4, lease("node-1", {7, 0}))
        .coordinator({7, 2}, ongoing)
        .producer({7, 2}, 9);
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::inDoubt);
    EXPECT_EQ(verdict.row, VerdictRow::r10bBegun);
    EXPECT_FALSE(verdict.holder);
}

TEST(Verdict, Row10bStaysAsBeforeOnlyWhileTheEpochHasNotMoved) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).coordinator({7, 3}, ongoing);
    EXPECT_EQ(scene.judged().kind, VerdictKind::inDoubt);
    scene.evidence.prior = PriorAuthority{{7, 3}, member("node-1"), {7, 0}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::authoritative);
    scene.evidence.prior = PriorAuthority{{7, 2}, member("node-1"), {7, 0}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::inDoubt);
    scene.evidence.prior = PriorAuthority{{7, 3}, member("node-2"), {7, 0}};
    EXPECT_EQ(scene.judged().kind, VerdictKind::inDoubt);
}

TEST(Verdict, Row11TheEpochMovedByTheHoldersOwnCommits) {
    const auto verdict =
        Scene().committed(6, lease("node-1", {7, 0})).coordinator({7, 3}, completeCommit).judged();
    EXPECT_EQ(verdict.kind, VerdictKind::authoritative);
    EXPECT_EQ(verdict.token, (FencingToken{7, 0}));

    const auto rolled =
        Scene().committed(6, lease("node-1", {7, 32760})).coordinator({9, 0}, completeCommit).judged();
    EXPECT_NE(rolled.reason.find("rolled over"), std::string::npos);
}

TEST(Verdict, Row11ATakeoverHiddenBehindAnotherRolesTransaction) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0}))
        .hidden(5, lease("node-2", {7, 2}))
        .coordinator({7, 3}, completeCommit);
    scene.evidence.pinnedBy = "9:1";
    const auto verdict = scene.judged();
    EXPECT_EQ(verdict.kind, VerdictKind::authoritative);
    expectHolder(verdict, "node-2");
    EXPECT_TRUE(verdict.leaseHidden);
    EXPECT_EQ(verdict.fenced, std::vector{member("node-1")});
    EXPECT_NE(verdict.reason.find("9:1"), std::string::npos);
    scene.evidence.tailRead = false; // on the committed view alone node-1 would be called the leader
    EXPECT_EQ(scene.judged().kind, VerdictKind::inDoubt);
    EXPECT_FALSE(scene.judged().holder);
}

TEST(Verdict, Row11AnAbortedNewestRecordDecidesNothing) {
    const auto verdict = Scene()
                             .committed(2, lease("node-1", {7, 0}))
                             .aborted(5, lease("node-2", {7, 1}))
                             .coordinator({7, 3}, completeCommit)
                             .judged();
    EXPECT_EQ(verdict.kind, VerdictKind::inDoubt);
    EXPECT_FALSE(verdict.holder);
}

TEST(Verdict, ARecordThatCannotBeTrustedMayBeTheOneThatDecides) {
    const UntrustedLease unreadable{at(5), std::nullopt, "lease value: version 1, only 0 is known", false};
    const UntrustedLease misplaced{
        {3, 0, {}, TimestampType::createTime}, FencingToken{7, 2}, "misplaced", true};
    for (const auto& untrusted : {unreadable, misplaced}) {
        Scene committed;
        committed.committed(2, lease("node-1", {7, 0})).coordinator({7, 3}, completeCommit);
        committed.evidence.untrusted = {untrusted};
        EXPECT_EQ(committed.judged().kind, VerdictKind::inDoubt);
        EXPECT_FALSE(committed.judged().holder);

        Scene released;
        released.committed(2, lease("node-1", {7, 0}))
            .committedTombstone(3)
            .coordinator({7, 3}, completeCommit);
        released.evidence.untrusted = {untrusted};
        EXPECT_EQ(released.judged().kind, VerdictKind::inDoubt);

        Scene writing;
        writing.committed(2, lease("node-1", {7, 0}))
            .hidden(4, lease("node-1", {7, 0}))
            .coordinator({7, 3}, ongoing)
            .producer({7, 3}, 4);
        writing.evidence.untrusted = {untrusted};
        EXPECT_EQ(writing.judged().kind, VerdictKind::inDoubt);

        Scene same; // equality of the pairs needs nothing else
        same.committed(2, lease("node-1", {7, 3})).coordinator({7, 3}, completeCommit);
        same.evidence.untrusted = {untrusted};
        expectHolder(same.judged(), "node-1");
    }
    Scene older; // what stands before the deciding lease decides nothing
    older.committed(6, lease("node-1", {7, 2})).coordinator({7, 3}, completeCommit);
    older.evidence.untrusted = {unreadable, misplaced};
    expectHolder(older.judged(), "node-1");
}

TEST(Verdict, Row12AbortedLast) {
    const auto own =
        Scene().committed(2, lease("node-1", {7, 0})).coordinator({7, 1}, completeAbort).judged();
    EXPECT_EQ(own.kind, VerdictKind::inDoubt);
    EXPECT_EQ(own.row, VerdictRow::r12Aborted);
    expectHolder(own, "node-1");

    const auto others = Scene()
                            .committed(2, lease("node-1", {7, 0}))
                            .aborted(5, lease("node-2", {7, 1}))
                            .coordinator({7, 2}, completeAbort)
                            .judged();
    EXPECT_EQ(others.kind, VerdictKind::inDoubt);
    EXPECT_FALSE(others.holder);
    EXPECT_EQ(others.claimant->str(), "node-2");
}

TEST(Verdict, Row13AStateOfAnotherVersion) {
    const auto verdict =
        Scene().committed(2, lease("node-1", {7, 0})).coordinator({7, 1}, TransactionState::unknown).judged();
    EXPECT_EQ(verdict.kind, VerdictKind::inDoubt);
    EXPECT_EQ(verdict.row, VerdictRow::r13Else);
}

TEST(Verdict, MemoryFollowsTheCoordinatorsPair) {
    Scene scene;
    scene.committed(2, lease("node-1", {7, 0})).coordinator({7, 0}, completeCommit);
    const auto first = remember(scene.judged(), scene.evidence);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->described, (FencingToken{7, 0}));
    scene.evidence.prior = first;
    scene.coordinator({7, 1}, empty);
    EXPECT_FALSE(remember(scene.judged(), scene.evidence));
    scene.evidence.coordinator = {}; // an unanswered question moves nothing
    EXPECT_EQ(remember(scene.judged(), scene.evidence), first);
}

/// Runs last in this program: every row was met above.
TEST(VerdictRows, AllWereReached) {
    if (::testing::UnitTest::GetInstance()->total_test_count() !=
        ::testing::UnitTest::GetInstance()->test_to_run_count()) {
        GTEST_SKIP() << "a filter is set";
    }
    for (int row = 0; row <= static_cast<int>(VerdictRow::r13Else); ++row) {
        EXPECT_TRUE(Scene::rows().contains(static_cast<VerdictRow>(row)))
            << toString(static_cast<VerdictRow>(row));
    }
}
