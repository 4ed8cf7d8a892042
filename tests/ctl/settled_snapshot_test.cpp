// SPDX-License-Identifier: Apache-2.0
#include <mutex>
#include <thread>

#include <gtest/gtest.h>

#include "ctl/settled_snapshot.h"
#include "snapshots.h"

namespace bellwether::ctl::test {

namespace {

/// Publishes what the test gives it.
class ManualSource final : public SnapshotSource {
public:
    std::shared_ptr<const Snapshot> latest() const override {
        const std::lock_guard lock(mutex_);
        return latest_;
    }

    void onSnapshot(std::function<void()> listener) override {
        const std::lock_guard lock(mutex_);
        listener_ = std::move(listener);
    }

    void refresh() override {}

    void publish(Snapshot snapshot) {
        std::function<void()> listener;
        {
            const std::lock_guard lock(mutex_);
            latest_ = std::make_shared<const Snapshot>(std::move(snapshot));
        }
        const std::lock_guard lock(mutex_);
        if (listener_) {
            listener_();
        }
    }

    [[nodiscard]] bool listened() const {
        const std::lock_guard lock(mutex_);
        return static_cast<bool>(listener_);
    }

private:
    mutable std::recursive_mutex mutex_;
    std::shared_ptr<const Snapshot> latest_ = std::make_shared<const Snapshot>();
    std::function<void()> listener_;
};

constexpr Millis kLong{
    50'000}; // never reached: only a fault waits for it, and then the test's timeout speaks

} // namespace

TEST(SettledSnapshot, NeedsALiveConnectionAndAnAnswerForEveryRole) {
    Snapshot snapshot = liveSnapshot();
    snapshot.roles = {judgedRole("a", VerdictKind::authoritative)};
    EXPECT_TRUE(isJudged(snapshot));
    EXPECT_TRUE(isSettled(snapshot));

    Snapshot reading = snapshot;
    reading.connection.phase = ConnectionPhase::reading;
    EXPECT_FALSE(isJudged(reading));

    RoleView unasked = *judgedRole("b", VerdictKind::unknown);
    unasked.coordinator.kind = CoordinatorAnswer::Kind::notAsked;
    Snapshot partly = snapshot;
    partly.roles.push_back(std::make_shared<const RoleView>(unasked));
    EXPECT_FALSE(isJudged(partly));

    RoleView doubtful = *judgedRole("c", VerdictKind::inDoubt);
    doubtful.verdict.askAgain = true;
    Snapshot waiting = snapshot;
    waiting.roles.push_back(std::make_shared<const RoleView>(doubtful));
    EXPECT_TRUE(isJudged(waiting));
    EXPECT_FALSE(isSettled(waiting));
}

TEST(SettledSnapshot, AnEmptyTopicIsSettledUnlessRolesAreToCome) {
    EXPECT_TRUE(isSettled(liveSnapshot()));
    EXPECT_FALSE(isSettled(liveSnapshot(), 1));
}

TEST(SettledSnapshot, WithoutAReadNothingIsSettled) {
    Snapshot snapshot = liveSnapshot();
    snapshot.connection.lastGoodRead.reset();
    EXPECT_FALSE(isJudged(snapshot));
}

TEST(SettledSnapshot, WaitsForTheSnapshotThatIsSettled) {
    ManualSource source;
    std::jthread feed([&source] {
        while (!source.listened()) {
            std::this_thread::yield();
        }
        Snapshot reading = liveSnapshot();
        reading.connection.phase = ConnectionPhase::reading;
        source.publish(reading);
        Snapshot settled = liveSnapshot();
        settled.sequence = 42;
        source.publish(settled);
    });
    const auto snapshot = waitForSettled(source, {kLong, kLong}, {});
    EXPECT_EQ(snapshot->sequence, 42U);
    feed.join();
    EXPECT_FALSE(source.listened());
}

TEST(SettledSnapshot, GivesWhatThereIsWhenTheTimeIsOver) {
    ManualSource source;
    Snapshot reading = liveSnapshot();
    reading.connection.phase = ConnectionPhase::reading;
    reading.sequence = 7;
    source.publish(reading);
    EXPECT_EQ(waitForSettled(source, {Millis{0}, kLong}, {})->sequence, 7U);
}

TEST(SettledSnapshot, ADoubtIsWaitedForNoLongerThanThePatience) {
    ManualSource source;
    RoleView doubtful = *judgedRole("c", VerdictKind::inDoubt);
    doubtful.verdict.askAgain = true;
    Snapshot waiting = liveSnapshot();
    waiting.roles = {std::make_shared<const RoleView>(doubtful)};
    waiting.sequence = 9;
    source.publish(waiting);
    EXPECT_EQ(waitForSettled(source, {kLong, Millis{0}}, {})->sequence, 9U);
}

TEST(SettledSnapshot, AMissingTopicIsNotWaitedFor) {
    ManualSource source;
    Snapshot missing;
    missing.connection.problem = Error{ErrorCode::topicMissing, "no such topic", {}, {}};
    source.publish(missing);
    EXPECT_TRUE(waitForSettled(source, {kLong, kLong}, {})->connection.problem);
}

TEST(SettledSnapshot, ACertificateThatDoesNotPassIsNotWaitedFor) {
    ManualSource source;
    Snapshot untrusted;
    untrusted.connection.problem = Error{ErrorCode::unreachable, "unknown CA", {}, {}};
    source.publish(untrusted);
    EXPECT_TRUE(waitForSettled(source, {kLong, kLong}, {})->connection.problem);
    // What may pass is waited for until the time is over.
    untrusted.connection.problem->retriable = true;
    untrusted.sequence = 7;
    source.publish(untrusted);
    EXPECT_EQ(waitForSettled(source, {Millis{20}, Millis{0}}, {})->sequence, 7U);
}

TEST(SettledSnapshot, AStopEndsTheWait) {
    ManualSource source;
    std::stop_source stop;
    std::jthread stopper([&] { stop.request_stop(); });
    EXPECT_NE(waitForSettled(source, {kLong, kLong}, stop.get_token()), nullptr);
}

} // namespace bellwether::ctl::test
