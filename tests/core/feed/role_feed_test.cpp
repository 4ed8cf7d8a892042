// SPDX-License-Identifier: Apache-2.0
// The feed on the sandbox cluster, in real time: every wait is for a condition, with a generous end.
#include "feed/role_feed.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <set>

#include <gtest/gtest.h>

#include "coordination/role_partition.h"
#include "sandbox/sandbox_cluster.h"

using namespace bellwether;
using sandbox::ClientKind;
using sandbox::SandboxCluster;

namespace {

const Role kRole = *Role::of("controller");

MemberId member(std::string_view name) {
    return *MemberId::of(name);
}

using SnapshotPtr = std::shared_ptr<const Snapshot>;

const RoleView* viewOf(const Snapshot& snapshot, const Role& role = kRole) {
    for (const auto& view : snapshot.roles) {
        if (view->role == role) {
            return view.get();
        }
    }
    return nullptr;
}

bool says(const Snapshot& snapshot, VerdictKind kind, std::string_view holder = {}) {
    const auto* view = viewOf(snapshot);
    return view && view->verdict.kind == kind &&
           (holder.empty() || (view->verdict.holder && view->verdict.holder->str() == holder));
}

class RoleFeedTest : public ::testing::Test {
protected:
    void SetUp() override { make({}); }

    void TearDown() override { feed->stop(); }

    void make(sandbox::SandboxOptions cluster, Millis staleness = Millis{10'000}) {
        if (feed) {
            feed->stop();
        }
        clock = std::make_shared<SystemClock>();
        sandbox = std::make_unique<SandboxCluster>(clock, cluster);
        FeedOptions options;
        options.endpoint = "sandbox";
        options.stalenessBound = staleness;
        options.cadence = Millis{100};
        options.requestTimeout = Millis{500};
        feed = std::make_unique<RoleFeed>(options, sandbox->logConsumers(), sandbox->authority(), clock);
        feed->onSnapshot([this] {
            const auto snapshot = feed->latest();
            const std::lock_guard lock(mutex);
            for (const auto& view : snapshot->roles) {
                kinds.insert(view->verdict.kind);
            }
            newest = snapshot;
            arrived.notify_all();
        });
    }

    SnapshotPtr await(const std::function<bool(const Snapshot&)>& condition) {
        std::unique_lock lock(mutex);
        const bool came =
            arrived.wait_for(lock, std::chrono::seconds(30), [&] { return newest && condition(*newest); });
        EXPECT_TRUE(came) << describe(newest);
        return newest;
    }

    static std::string describe(const SnapshotPtr& snapshot) {
        if (!snapshot) {
            return "no snapshot at all";
        }
        std::string text(toString(snapshot->connection.phase));
        if (snapshot->connection.problem) {
            text += ", " + snapshot->connection.problem->text();
        }
        for (const auto& view : snapshot->roles) {
            text += "\n" + view->role.str() + " " + std::string(toString(view->verdict.kind)) + ": " +
                    view->verdict.reason;
        }
        return text;
    }

    std::unique_ptr<CoordinationTransport> memberOf(std::string_view name, ClientKind kind) {
        auto transport = sandbox->makeTransport(kind);
        EXPECT_TRUE(transport->registerMember(kRole, {member(name), clock->wall()}));
        return transport;
    }

    Lease leaseNow(std::string_view name, FencingToken token) {
        const auto now = clock->wall();
        return {member(name), token, now, now + Millis{30'000}};
    }

    FencingToken lead(CoordinationTransport& transport, std::string_view name) {
        const auto token = transport.acquireEpoch(kRole);
        EXPECT_TRUE(token);
        EXPECT_TRUE(transport.writeLease(kRole, *token, leaseNow(name, *token)));
        return *token;
    }

    std::shared_ptr<Clock> clock;
    std::unique_ptr<SandboxCluster> sandbox;
    std::unique_ptr<RoleFeed> feed;
    std::mutex mutex;
    std::condition_variable arrived;
    SnapshotPtr newest;
    std::set<VerdictKind> kinds;
};

} // namespace

TEST_F(RoleFeedTest, AnEmptyTopicIsLiveWithoutRoles) {
    feed->start();
    const auto snapshot =
        await([](const Snapshot& s) { return s.connection.phase == ConnectionPhase::live; });
    EXPECT_TRUE(snapshot->roles.empty());
    EXPECT_EQ(snapshot->connection.partitions, 16);
    EXPECT_FALSE(snapshot->connection.problem);
    await([](const Snapshot& s) {
        return s.connection.lastGoodRead.has_value() && s.connection.cluster.has_value();
    });
}

TEST_F(RoleFeedTest, ALeaderFromBeforeTheStartIsAuthoritativeWithItsRoster) {
    auto first = memberOf("node-1", ClientKind::older);
    auto second = memberOf("node-2", ClientKind::older);
    const auto token = lead(*first, "node-1");
    feed->start();
    const auto snapshot =
        await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    const auto* view = viewOf(*snapshot);
    EXPECT_EQ(view->verdict.token, token);
    EXPECT_EQ(view->partition, rolePartition(kRole, 16));
    ASSERT_EQ(view->roster.size(), 2U);
    EXPECT_TRUE(view->roster[0].holdsLease);
    EXPECT_FALSE(view->roster[0].challengesAt);
    EXPECT_EQ(view->roster[1].rank, 0);
    EXPECT_EQ(view->roster[1].challengesAt, view->visibleLease->lease.deadline);
    EXPECT_FALSE(view->stale);
    first->close();
    second->close();
}

TEST_F(RoleFeedTest, ATakeoverGoesThroughClaimedToTheNewLeaderAndIntoTheTimeline) {
    for (const auto kind : {ClientKind::older, ClientKind::endTxnV5}) {
        make({});
        auto first = memberOf("node-1", kind);
        auto second = memberOf("node-2", kind);
        lead(*first, "node-1");
        feed->start();
        await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
        const auto token = second->acquireEpoch(kRole);
        ASSERT_TRUE(token);
        const auto claimed = await([](const Snapshot& s) { return says(s, VerdictKind::claimed); });
        EXPECT_EQ(viewOf(*claimed)->verdict.fenced, std::vector{member("node-1")});
        ASSERT_TRUE(second->writeLease(kRole, *token, leaseNow("node-2", *token)));
        const auto snapshot =
            await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-2"); });
        ASSERT_EQ(snapshot->timeline.size(), 1U);
        const auto& segments = snapshot->timeline[0]->segments;
        ASSERT_GE(segments.size(), 3U);
        EXPECT_EQ(segments.front().holder, member("node-1"));
        EXPECT_TRUE(segments.front().beganBefore);
        EXPECT_EQ(segments[1].kind, SegmentKind::changing);
        EXPECT_EQ(segments.back().holder, member("node-2"));
        feed->stop();
        first->close();
        second->close();
    }
}

TEST_F(RoleFeedTest, ALeaderWhoseOwnCommitsMoveTheEpochIsNeverCalledAnythingElse) {
    auto transport = memberOf("node-1", ClientKind::endTxnV5);
    const auto token = lead(*transport, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    {
        const std::lock_guard lock(mutex);
        kinds.clear();
    }
    std::int64_t offset = -1;
    for (int renewal = 0; renewal < 25; ++renewal) {
        ASSERT_TRUE(transport->writeLease(kRole, token, leaseNow("node-1", token)));
        const auto snapshot = await([&](const Snapshot& s) {
            const auto* view = viewOf(s);
            return view && view->visibleLease && view->visibleLease->position.offset > offset;
        });
        offset = viewOf(*snapshot)->visibleLease->position.offset;
    }
    const auto snapshot = await([&](const Snapshot& s) {
        return says(s, VerdictKind::authoritative, "node-1") &&
               viewOf(s)->coordinator.token.producerEpoch >= token.producerEpoch + 20;
    });
    EXPECT_EQ(viewOf(*snapshot)->verdict.token, token);
    const std::lock_guard lock(mutex);
    EXPECT_EQ(kinds, std::set{VerdictKind::authoritative});
    transport->close();
}

TEST_F(RoleFeedTest, ATakeoverHiddenBehindAnotherRolesTransactionIsSeen) {
    for (const auto kind : {ClientKind::older, ClientKind::endTxnV5}) {
        make({});
        auto first = memberOf("node-1", kind);
        auto second = memberOf("node-2", kind);
        lead(*first, "node-1");
        feed->start();
        await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
        const auto pin =
            sandbox->openForeignTransaction(kRole, std::string("some key"), std::string("some value"));
        lead(*second, "node-2");
        const auto snapshot =
            await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-2"); });
        const auto* view = viewOf(*snapshot);
        EXPECT_TRUE(view->verdict.leaseHidden);
        EXPECT_EQ(view->visibleLease->lease.member, member("node-1")); // what members still read
        EXPECT_NE(view->verdict.reason.find("hidden"), std::string::npos);
        sandbox->endForeignTransaction(pin, true);
        await([](const Snapshot& s) {
            return says(s, VerdictKind::authoritative, "node-2") && !viewOf(s)->verdict.leaseHidden;
        });
        feed->stop();
        first->close();
        second->close();
    }
}

TEST_F(RoleFeedTest, APinnedLogIsNamedWithWhoHoldsItAndWhoWaits) {
    auto first = memberOf("node-1", ClientKind::older);
    lead(*first, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    const auto pin = sandbox->openForeignTransaction(kRole, std::string("some key"), std::string("v"));
    lead(*first, "node-1");
    const auto snapshot = await([](const Snapshot& s) {
        return s.pinned.size() == 1 && !s.pinned[0].open.empty() && s.pinned[0].open[0].transactionalId;
    });
    const auto& log = snapshot->pinned[0];
    EXPECT_EQ(log.lastStableOffset, log.open[0].startOffset);
    EXPECT_EQ(log.records, 2) << "the foreign record and the lease";
    EXPECT_EQ(log.hidden, std::vector<Role>{kRole});
    EXPECT_TRUE(log.open[0].transactionalId != kRole.str() && !log.open[0].hanging);
    sandbox->endForeignTransaction(pin, false);
    await([](const Snapshot& s) { return s.pinned.empty() && s.pinnedLately == 0; });
    first->close();
}

TEST_F(RoleFeedTest, ReleasedThenExpired) {
    auto transport = memberOf("node-1", ClientKind::older);
    const auto token = lead(*transport, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    ASSERT_TRUE(transport->clearLease(kRole, token));
    auto snapshot = await([](const Snapshot& s) { return says(s, VerdictKind::vacant); });
    EXPECT_EQ(viewOf(*snapshot)->verdict.lastHolder, member("node-1"));
    sandbox->expireId(kRole);
    snapshot = await([](const Snapshot& s) {
        return says(s, VerdictKind::vacant) &&
               viewOf(s)->coordinator.kind == CoordinatorAnswer::Kind::unknownId;
    });
    transport->close();
}

TEST_F(RoleFeedTest, NothingIsShownAsLiveWhenTheBrokersAreGoneAndEverythingReturns) {
    make({}, Millis{400});
    auto transport = memberOf("node-1", ClientKind::older);
    lead(*transport, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    sandbox->setReachable(false);
    const auto lost = await([](const Snapshot& s) {
        return s.connection.phase == ConnectionPhase::lost && says(s, VerdictKind::unknown);
    });
    EXPECT_TRUE(viewOf(*lost)->stale);
    EXPECT_TRUE(lost->connection.problem);
    EXPECT_FALSE(viewOf(*lost)->verdict.holder);
    sandbox->setReachable(true);
    const auto back = await([](const Snapshot& s) {
        return s.connection.phase == ConnectionPhase::live && says(s, VerdictKind::authoritative, "node-1");
    });
    const auto& segments = back->timeline[0]->segments;
    ASSERT_GE(segments.size(), 3U);
    EXPECT_EQ(segments[1].kind, SegmentKind::notObserved);
    transport->close();
}

TEST_F(RoleFeedTest, SilentBrokersNeitherBlockTheFeedNorItsEnd) {
    make({}, Millis{400});
    auto transport = memberOf("node-1", ClientKind::older);
    lead(*transport, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    sandbox->setSilent(true);
    const auto silent = await([](const Snapshot& s) { return says(s, VerdictKind::unknown); });
    await([&](const Snapshot& s) { return s.sequence > silent->sequence + 2; });
    feed->stop();
    sandbox->setSilent(false);
    transport->close();
}

TEST_F(RoleFeedTest, BadRecordsBecomeFindingsAndHideNobody) {
    const auto partition = rolePartition(kRole, 16);
    auto transport = memberOf("node-1", ClientKind::older);
    sandbox->appendRaw(partition, std::nullopt, std::string("x"));
    sandbox->appendRaw(partition, std::string("\0\0\0\0\xff\xff", 6), std::nullopt);
    sandbox->appendRaw((partition + 1) % 16, encodeRegistrationKey(kRole, member("node-7")),
                       encodeRegistrationValue({member("node-7"), wallTime(1)}));
    lead(*transport, "node-1");
    feed->start();
    const auto snapshot = await([](const Snapshot& s) {
        return says(s, VerdictKind::authoritative, "node-1") && s.findingsTotal == 3;
    });
    EXPECT_EQ(viewOf(*snapshot)->roster.size(), 1U);
    transport->close();
}

TEST_F(RoleFeedTest, AForgedLeaseOfANewerTokenIsAContradiction) {
    auto transport = memberOf("node-1", ClientKind::older);
    const auto token = lead(*transport, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    const auto forged = leaseNow("mallory", {token.producerId + 1'000, 0});
    sandbox->appendRaw(rolePartition(kRole, 16), encodeLeaseKey(kRole), encodeLeaseValue(forged));
    const auto snapshot = await([](const Snapshot& s) { return says(s, VerdictKind::contradictory); });
    EXPECT_FALSE(viewOf(*snapshot)->verdict.holder);
    transport->close();
}

TEST_F(RoleFeedTest, ARefusalIsSaidForItsRoleAlone) {
    auto transport = memberOf("node-1", ClientKind::older);
    lead(*transport, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    Error denied{.code = ErrorCode::refused,
                 .what = "DESCRIBE on the transactional id is denied",
                 .where = {},
                 .hint = {},
                 .kafkaCode = 53};
    sandbox->failNext(SandboxCluster::Request::describeTransactions, denied, 1'000'000);
    const auto snapshot = await([](const Snapshot& s) { return says(s, VerdictKind::unknown); });
    EXPECT_NE(viewOf(*snapshot)->verdict.reason.find("denied"), std::string::npos);
    EXPECT_GT(viewOf(*snapshot)->coordinator.asOf, WallTime{}) << "a refusal has its time, too";
    EXPECT_FALSE(snapshot->connection.problem) << snapshot->connection.problem->text();
    transport->close();
}

TEST_F(RoleFeedTest, ATakeoverThatWasReadIsNeverAnsweredWithTheOldLeader) {
    auto first = memberOf("node-1", ClientKind::older);
    auto second = memberOf("node-2", ClientKind::older);
    lead(*first, "node-1");
    feed->start();
    await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    Error late{.code = ErrorCode::timeout, .what = "no answer", .where = {}, .hint = {}, .retriable = true};
    sandbox->failNext(SandboxCluster::Request::describeTransactions, late, 1'000'000);
    lead(*second, "node-2");
    const auto snapshot = await([](const Snapshot& s) {
        return says(s, VerdictKind::inDoubt) && viewOf(s)->visibleLease->lease.member == member("node-2");
    });
    EXPECT_FALSE(viewOf(*snapshot)->verdict.holder);
    first->close();
    second->close();
}

TEST_F(RoleFeedTest, RefreshAsksBeforeTheCadence) {
    auto transport = memberOf("node-1", ClientKind::older);
    lead(*transport, "node-1");
    FeedOptions slow;
    slow.cadence = Millis{3'600'000};
    feed = std::make_unique<RoleFeed>(slow, sandbox->logConsumers(), sandbox->authority(), clock);
    feed->onSnapshot([this] {
        const std::lock_guard lock(mutex);
        newest = feed->latest();
        arrived.notify_all();
    });
    feed->start();
    const auto first = await([](const Snapshot& s) { return says(s, VerdictKind::authoritative, "node-1"); });
    const auto asked = viewOf(*first)->coordinator.askedAt;
    feed->refresh();
    await([&](const Snapshot& s) { return viewOf(s)->coordinator.askedAt > asked; });
    transport->close();
}

TEST_F(RoleFeedTest, AFeedThatNeverStartedEnds) {
    RoleFeed idle({}, sandbox->logConsumers(), sandbox->authority(), clock);
    EXPECT_EQ(idle.latest()->connection.phase, ConnectionPhase::connecting);
    idle.stop();
}
