// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "feed/inbox.h"
#include "feed/log_prober.h"
#include "feed/log_reader.h"
#include "feed/pinned_partitions.h"
#include "feed/role_feed.h"
#include "feed/role_table.h"
#include "feed/watch_clock.h"

namespace bellwether {

/// The feed's one deciding thread. Readers, the prober and the authority post notes to its inbox; everything
/// below `loop_` belongs to it alone.
class RoleFeed::Engine {
public:
    Engine(FeedOptions options, LogConsumerFactory consumers, std::shared_ptr<Authority> authority,
           std::shared_ptr<Clock> clock);
    ~Engine();

    void start();
    void stop();
    [[nodiscard]] std::shared_ptr<const Snapshot> latest() const;
    void onSnapshot(std::function<void()> listener);
    void refresh();

private:
    /// Roles whose coordinators answered together and wait for the log to be read past bounds asked later.
    struct Probe {
        std::vector<RoleAnswer> waiting;
        std::set<std::int32_t> partitions;
        std::map<std::int32_t, std::vector<PartitionProducer>> producers;
        std::map<std::int32_t, std::int64_t>
            readBefore; ///< committed reader's positions when the bounds were asked
        std::map<std::int32_t, PartitionBounds> stable;
        std::map<std::int32_t, PartitionBounds> high;
        SteadyTime boundsAskedAt{};
        SteadyTime deadline{};
        bool bounded = false;
        bool listed = false;
        bool noted = false; ///< what it says of pinned partitions
    };

    void run();
    void survive(const feed::Inbox::Note& note);
    void tick();
    // Notes.
    void onPartitionCount(Result<std::int32_t> count);
    void onReader(Isolation isolation, feed::LogReader::Event event);
    void onBounds(feed::ProbedBounds bounds);
    void onAnswers(std::vector<RoleAnswer> answers);
    void onProducers(std::uint64_t ticket, std::vector<ProducersAnswer> answers);
    void onListing(TransactionListing listing);
    void onCluster(Result<ClusterInfo> info);
    // Steps.
    void beginWatching(std::int32_t partitions);
    void beginReading(const feed::ProbedBounds& bounds);
    void forgetEverything();
    void askRoles(bool all);
    void askCluster();
    void rememberBrokers(ClusterInfo& info);
    void askBounds(std::uint64_t ticket, Probe& probe);
    void askBoundsOnly();
    void askSilent();
    [[nodiscard]] std::unique_ptr<feed::LogProber> makeProber();
    void settleProbes();
    void notePinned(Probe& probe);
    void askListing();
    [[nodiscard]] std::vector<PinnedLog> pinnedLogs(SteadyTime now) const;
    [[nodiscard]] std::optional<feed::KnownId> knownId(std::int64_t producerId) const;
    [[nodiscard]] bool readPast(const Probe& probe, std::int32_t partition, bool tailToo) const;
    void judgeRole(feed::RoleEntry& entry, const Probe& probe, const CoordinatorAnswer& answer,
                   bool tailRead);
    [[nodiscard]] Evidence agedEvidence(const feed::RoleEntry& entry, SteadyTime now, WallTime wall) const;
    void renderRole(feed::RoleEntry& entry);
    void publish();
    [[nodiscard]] ConnectionView connection(SteadyTime now) const;
    [[nodiscard]] std::optional<std::string> roleOf(std::int64_t producerId) const;
    template<typename Note>
    auto noteLater(Note note);

    const FeedOptions options_;
    LogConsumerFactory consumers_;
    std::shared_ptr<Authority> authority_;
    std::shared_ptr<Clock> clock_;
    std::shared_ptr<feed::Inbox> inbox_;

    mutable std::mutex latestMutex_;
    std::shared_ptr<const Snapshot> latest_;
    std::mutex listenerMutex_;
    std::function<void()> listener_;
    std::thread loop_;

    std::unique_ptr<feed::LogProber> prober_;
    std::unique_ptr<feed::LogProber>
        patientProber_; ///< for partitions whose leader was silent, so that no other waits
    std::unique_ptr<feed::LogReader> committedReader_;
    std::unique_ptr<feed::LogReader> tailReader_;
    std::unique_ptr<feed::RoleTable> table_;
    std::uint64_t generation_ = 0; ///< of the table; notes of an older one are dropped
    std::uint64_t nextTicket_ = 1;
    std::optional<std::uint64_t> firstBoundsTicket_;
    std::uint64_t boundsOnly_ = 0;              ///< ticket of the last probe that waits for no role
    std::optional<std::uint64_t> silentTicket_; ///< of the question about silent partitions under way
    bool topicGone_ = false;                    ///< the topic was missing: what comes back is another one
    std::map<std::uint64_t, Probe> probes_;
    std::map<std::int32_t, std::int64_t> beginnings_;
    std::map<std::int32_t, std::int64_t> firstEnds_;

    bool refreshWanted_ = false;
    bool changed_ = true;
    std::uint64_t sequence_ = 0;
    std::uint64_t revision_ = 0;
    SteadyTime nextRound_{};
    SteadyTime nextClusterQuestion_{};
    SteadyTime nextPublish_{};
    SteadyTime nextFirstBounds_{};
    feed::WatchClock watch_;

    std::optional<ClusterInfo> cluster_;
    std::map<std::int32_t, std::pair<BrokerInfo, SteadyTime>> brokersSeen_; ///< by node, and when last listed
    std::optional<Error> topicProblem_;
    std::optional<Error> readProblem_;
    std::optional<Error> boundsProblem_;
    std::optional<Error> clusterProblem_;
    std::optional<Error> authorityProblem_;
    std::optional<SteadyTime> lastBounds_;
    std::optional<SteadyTime> lastAnswer_;
    std::optional<WallTime> lastGoodRead_;
    std::set<std::int32_t> silentPartitions_;
    feed::PinnedPartitions pinned_;
    std::uint64_t exceptions_ = 0;
    bool readToEndOnce_ = false;
};

/// Wraps a member call so that it runs on the engine's thread, and not at all once the engine is gone or has
/// begun anew.
template<typename Note>
auto RoleFeed::Engine::noteLater(Note note) {
    return [inbox = inbox_, generation = generation_, this, note](auto... arguments) {
        auto held = std::make_shared<std::tuple<decltype(arguments)...>>(std::move(arguments)...);
        inbox->post([this, generation, note, held] {
            if (generation == generation_) {
                std::apply([&](auto&... args) { (this->*note)(std::move(args)...); }, *held);
            }
        });
    };
}

} // namespace bellwether
