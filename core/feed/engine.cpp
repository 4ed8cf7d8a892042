// SPDX-License-Identifier: Apache-2.0
#include "feed/engine.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace bellwether {

namespace {

constexpr Millis kFrame{50}; ///< at most one snapshot in this time
constexpr Millis kClusterCadence{5'000};
constexpr Millis kFirstBoundsRetry{500};
constexpr Millis kRememberBrokers{3'600'000}; ///< then a missing broker is taken for removed

} // namespace

RoleFeed::Engine::Engine(FeedOptions options, LogConsumerFactory consumers,
                         std::shared_ptr<Authority> authority, std::shared_ptr<Clock> clock)
    : options_(std::move(options))
    , consumers_(std::move(consumers))
    , authority_(std::move(authority))
    , clock_(std::move(clock))
    , inbox_(std::make_shared<feed::Inbox>()) {
    auto first = std::make_shared<Snapshot>();
    first->takenAt = clock_->wall();
    first->takenAtSteady = clock_->steady();
    first->watchingSince = first->takenAt;
    first->assumedTiming = options_.assumedTiming;
    first->stalenessBound = options_.stalenessBound;
    first->connection.endpoint = options_.endpoint;
    first->connection.topic = options_.topic;
    latest_ = std::move(first);
}

RoleFeed::Engine::~Engine() {
    stop();
}

void RoleFeed::Engine::start() {
    if (loop_.joinable()) {
        return;
    }
    loop_ = std::thread([this] { run(); });
}

void RoleFeed::Engine::stop() {
    inbox_->close();
    if (loop_.joinable()) {
        loop_.join();
    }
}

std::shared_ptr<const Snapshot> RoleFeed::Engine::latest() const {
    const std::lock_guard lock(latestMutex_);
    return latest_;
}

void RoleFeed::Engine::onSnapshot(std::function<void()> listener) {
    const std::lock_guard lock(listenerMutex_);
    listener_ = std::move(listener);
}

void RoleFeed::Engine::refresh() {
    inbox_->post([this] { refreshWanted_ = true; });
}

void RoleFeed::Engine::run() {
    prober_ = makeProber();
    patientProber_ = makeProber();
    while (!inbox_->closed()) {
        auto notes = inbox_->take(kFrame);
        notes.emplace_back([this] { tick(); });
        for (auto& note : notes) {
            survive(note);
        }
    }
    committedReader_.reset();
    tailReader_.reset();
    prober_.reset();
    patientProber_.reset();
}

/// One note's fault costs that note and no other.
void RoleFeed::Engine::survive(const feed::Inbox::Note& note) {
    try {
        note();
    } catch (const std::exception& fault) {
        ++exceptions_;
        readProblem_ =
            Error{.code = ErrorCode::internal,
                  .what = std::string("the watching thread met an unexpected fault: ") + fault.what(),
                  .where = {},
                  .hint = "it goes on by itself; please report it"};
        changed_ = true;
    }
}

std::unique_ptr<feed::LogProber> RoleFeed::Engine::makeProber() {
    // The prober outlives generations of the table: its notes carry none.
    auto post = [inbox = inbox_](auto note) { inbox->post(std::move(note)); };
    return std::make_unique<feed::LogProber>(
        consumers_, clock_, options_.requestTimeout,
        feed::LogProber::Sink{
            [this, post](Result<std::int32_t> count) {
                post([this, count = std::move(count)]() mutable { onPartitionCount(std::move(count)); });
            },
            [this, post](feed::ProbedBounds bounds) {
                post([this, bounds = std::make_shared<feed::ProbedBounds>(std::move(bounds))] {
                    onBounds(std::move(*bounds));
                });
            }});
}

void RoleFeed::Engine::tick() {
    const auto now = clock_->steady();
    watch_.note(clock_->wall(), now);
    if (now >= nextClusterQuestion_) {
        nextClusterQuestion_ = now + (clusterProblem_ ? options_.cadence : kClusterCadence);
        askCluster();
    }
    if (table_) {
        if (!committedReader_ && now >= nextFirstBounds_) {
            nextFirstBounds_ = now + kFirstBoundsRetry;
            std::vector<std::int32_t> all;
            for (std::int32_t partition = 0; partition < table_->partitions(); ++partition) {
                all.push_back(partition);
            }
            firstBoundsTicket_ = nextTicket_++;
            prober_->ask(*firstBoundsTicket_, std::move(all));
        }
        settleProbes();
        const bool everyRole = refreshWanted_ || now >= nextRound_;
        if (everyRole) {
            nextRound_ = now + options_.cadence;
            refreshWanted_ = false;
            changed_ = true; // ages move on
            for (auto& [name, entry] : table_->roles()) {
                renderRole(entry);
            }
        }
        askRoles(everyRole);
        const bool quiet =
            !lastGoodRead_ || !lastBounds_ || now - *lastBounds_ > options_.cadence + options_.cadence;
        if (everyRole && quiet && committedReader_ && !probes_.contains(boundsOnly_)) {
            askBoundsOnly();
        }
        if (everyRole && committedReader_) {
            askSilent();
            askListing();
        }
    } else if (now >= nextRound_) {
        nextRound_ = now + options_.cadence;
        changed_ = true;
    }
    if (changed_ && now >= nextPublish_) {
        nextPublish_ = now + kFrame;
        changed_ = false;
        publish();
    }
}

void RoleFeed::Engine::onPartitionCount(Result<std::int32_t> count) {
    changed_ = true;
    if (!count) {
        topicProblem_ = count.error();
        topicGone_ = topicGone_ || count.error().code == ErrorCode::topicMissing;
        return;
    }
    topicProblem_.reset();
    // A topic that was missing and is back is another one, however long its log is.
    const bool another = std::exchange(topicGone_, false);
    if (!table_ || table_->partitions() != *count || another) {
        beginWatching(*count);
    }
}

void RoleFeed::Engine::beginWatching(std::int32_t partitions) {
    forgetEverything();
    table_ = std::make_unique<feed::RoleTable>(partitions);
    nextFirstBounds_ = {};
}

void RoleFeed::Engine::forgetEverything() {
    ++generation_;
    committedReader_.reset();
    tailReader_.reset();
    probes_.clear();
    beginnings_.clear();
    firstEnds_.clear();
    silentPartitions_.clear();
    pinned_.clear();
    firstBoundsTicket_.reset();
    silentTicket_.reset();
    readToEndOnce_ = false;
    table_.reset();
}

void RoleFeed::Engine::beginReading(const feed::ProbedBounds& bounds) {
    std::vector<PartitionOffset> fromBeginning;
    std::vector<PartitionOffset> fromStable;
    for (std::int32_t partition = 0; partition < table_->partitions(); ++partition) {
        const auto found = std::find_if(bounds.committed.begin(), bounds.committed.end(),
                                        [&](const PartitionBounds& b) { return b.partition == partition; });
        // A partition whose leader is silent is read from the very beginning once it speaks.
        const bool known = found != bounds.committed.end();
        fromBeginning.push_back({partition, known ? found->beginning : 0});
        fromStable.push_back({partition, known ? found->end : 0});
        if (known) {
            beginnings_[partition] = found->beginning;
            firstEnds_[partition] = found->end;
            table_->liveFrom(partition, found->end);
        }
    }
    const auto reader = [this](Isolation isolation, std::vector<PartitionOffset> start) {
        return std::make_unique<feed::LogReader>(
            consumers_, isolation, std::move(start),
            [this, isolation, sink = noteLater(&Engine::onReader)](feed::LogReader::Event event) {
                sink(isolation, std::move(event));
            });
    };
    committedReader_ = reader(Isolation::readCommitted, std::move(fromBeginning));
    tailReader_ = reader(Isolation::readUncommitted, std::move(fromStable));
}

void RoleFeed::Engine::onReader(Isolation isolation, feed::LogReader::Event event) {
    auto& reader = isolation == Isolation::readCommitted ? committedReader_ : tailReader_;
    if (reader) {
        reader->digested();
    }
    changed_ = true;
    if (event.survived) {
        ++exceptions_;
    }
    if (event.failure) {
        readProblem_ = event.failure;
        return;
    }
    table_->take(isolation, event.batch, clock_->wall(), clock_->steady());
    if (!event.batch.troubles.empty()) {
        readProblem_ = event.batch.troubles.back();
    } else if (!event.batch.records.empty() || !event.batch.reachedEnd.empty()) {
        readProblem_.reset();
    }
    settleProbes();
}

void RoleFeed::Engine::askCluster() {
    authority_->describeCluster(options_.requestTimeout, noteLater(&Engine::onCluster));
}

/// A broker that died is soon missing from what the others tell. Whoever watches should still see that it is
/// gone.
void RoleFeed::Engine::rememberBrokers(ClusterInfo& info) {
    const auto now = clock_->steady();
    if (cluster_ && cluster_->clusterId != info.clusterId) {
        brokersSeen_.clear();
    }
    for (const auto& broker : info.brokers) {
        brokersSeen_.insert_or_assign(broker.nodeId, std::pair(broker, now));
    }
    std::erase_if(brokersSeen_,
                  [&](const auto& seen) { return now - seen.second.second > kRememberBrokers; });
    info.brokers.clear();
    for (const auto& [id, seen] : brokersSeen_) {
        info.brokers.push_back(seen.first);
        info.brokers.back().reachable = seen.first.reachable && seen.second == now;
    }
}

void RoleFeed::Engine::onCluster(Result<ClusterInfo> info) {
    changed_ = true;
    if (info) {
        rememberBrokers(*info);
        cluster_ = std::move(*info);
        clusterProblem_.reset();
    } else {
        clusterProblem_ = info.error();
        nextClusterQuestion_ = std::min(nextClusterQuestion_, clock_->steady() + options_.cadence);
        if (cluster_) {
            for (auto& broker : cluster_->brokers) {
                broker.reachable = false;
            }
        }
    }
}

} // namespace bellwether
