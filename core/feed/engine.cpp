// SPDX-License-Identifier: Apache-2.0
#include "feed/engine.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "feed/role_view.h"

namespace bellwether {

namespace {

constexpr Millis kFrame{50}; ///< at most one snapshot in this time
constexpr Millis kClusterCadence{5'000};
constexpr Millis kFirstBoundsRetry{500};
constexpr int kMostRetries = 3; ///< questions asked again at once before a doubt is shown

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
    // The prober outlives generations of the table: its notes carry none.
    auto post = [inbox = inbox_](auto note) { inbox->post(std::move(note)); };
    prober_ = std::make_unique<feed::LogProber>(
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
    while (!inbox_->closed()) {
        try {
            for (auto& note : inbox_->take(kFrame)) {
                note();
            }
            tick();
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
    committedReader_.reset();
    tailReader_.reset();
    prober_.reset();
}

void RoleFeed::Engine::tick() {
    const auto now = clock_->steady();
    watch_.note(clock_->wall(), now);
    if (now >= nextClusterQuestion_) {
        nextClusterQuestion_ = now + kClusterCadence;
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
        if (everyRole && table_->roles().empty() && committedReader_ && probes_.empty()) {
            askBoundsOnly();
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
        return;
    }
    topicProblem_.reset();
    if (!table_ || table_->partitions() != *count) {
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
    firstBoundsTicket_.reset();
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

void RoleFeed::Engine::onCluster(Result<ClusterInfo> info) {
    changed_ = true;
    if (info) {
        cluster_ = std::move(*info);
        clusterProblem_.reset();
    } else {
        clusterProblem_ = info.error();
        if (cluster_) {
            for (auto& broker : cluster_->brokers) {
                broker.reachable = false;
            }
        }
    }
}

void RoleFeed::Engine::askRoles(bool all) {
    if (!committedReader_) {
        return;
    }
    std::vector<Role> roles;
    for (auto& [name, entry] : table_->roles()) {
        if (!entry.asked && (all || entry.dirty)) {
            entry.asked = true;
            entry.dirty = false;
            roles.push_back(entry.role());
        }
    }
    if (!roles.empty()) {
        authority_->describeRoles(std::move(roles), options_.requestTimeout,
                                  [sink = noteLater(&Engine::onAnswers)](std::vector<RoleAnswer> answers,
                                                                         bool) { sink(std::move(answers)); });
    }
}

void RoleFeed::Engine::onAnswers(std::vector<RoleAnswer> answers) {
    changed_ = true;
    Probe probe;
    for (auto& answer : answers) {
        auto found = table_->roles().find(answer.role.str());
        if (found == table_->roles().end()) {
            continue;
        }
        auto& entry = found->second;
        if (answer.answer.kind != CoordinatorAnswer::Kind::failed) {
            lastAnswer_ = answer.answer.answeredAt;
            entry.refusal.reset();
            entry.lastFailure.reset();
            authorityProblem_.reset();
            probe.partitions.insert(entry.partition());
            probe.waiting.push_back(std::move(answer));
            continue;
        }
        entry.asked = false;
        const auto error = answer.answer.error.value_or(Error{});
        entry.lastFailure = error;
        authorityProblem_ = error;
        // What passes keeps the last answer and its age; a lasting refusal takes its place.
        const bool passing = error.code == ErrorCode::timeout || error.code == ErrorCode::unreachable ||
                             error.code == ErrorCode::busy || error.code == ErrorCode::closed;
        if (!passing || !entry.round) {
            entry.refusal = error;
        }
        renderRole(entry);
    }
    if (probe.waiting.empty()) {
        return;
    }
    const auto ticket = nextTicket_++;
    const std::vector<std::int32_t> partitions(probe.partitions.begin(), probe.partitions.end());
    authority_->describeProducers(options_.topic, partitions, options_.requestTimeout,
                                  [sink = noteLater(&Engine::onProducers), ticket](
                                      std::vector<ProducersAnswer> rows) { sink(ticket, std::move(rows)); });
    askBounds(ticket, probes_.emplace(ticket, std::move(probe)).first->second);
}

void RoleFeed::Engine::askBounds(std::uint64_t ticket, Probe& probe) {
    for (const auto partition : probe.partitions) {
        probe.readBefore[partition] = table_->next(Isolation::readCommitted, partition);
    }
    probe.deadline = clock_->steady() + options_.requestTimeout + options_.requestTimeout;
    prober_->ask(ticket, {probe.partitions.begin(), probe.partitions.end()});
}

/// With no role to ask about, the topic's end is still looked for: that is what "read to the end" means.
void RoleFeed::Engine::askBoundsOnly() {
    Probe probe;
    for (std::int32_t partition = 0; partition < table_->partitions(); ++partition) {
        probe.partitions.insert(partition);
    }
    probe.listed = true;
    const auto ticket = nextTicket_++;
    askBounds(ticket, probes_.emplace(ticket, std::move(probe)).first->second);
}

void RoleFeed::Engine::onProducers(std::uint64_t ticket, std::vector<ProducersAnswer> answers) {
    const auto found = probes_.find(ticket);
    if (found == probes_.end()) {
        return;
    }
    found->second.listed = true;
    for (auto& answer : answers) {
        if (answer.producers) {
            found->second.producers[answer.partition] = std::move(*answer.producers);
        } else {
            authorityProblem_ = answer.producers.error();
        }
    }
    settleProbes();
}

void RoleFeed::Engine::onBounds(feed::ProbedBounds bounds) {
    changed_ = true;
    boundsProblem_ = bounds.error;
    if (!bounds.error) {
        lastBounds_ = bounds.askedAt;
    }
    if (firstBoundsTicket_ == bounds.ticket) {
        firstBoundsTicket_.reset();
        if (!bounds.error && table_ && !committedReader_) {
            beginReading(bounds);
        }
        return;
    }
    const auto found = probes_.find(bounds.ticket);
    if (found == probes_.end()) {
        return;
    }
    auto& probe = found->second;
    probe.bounded = true;
    probe.boundsAskedAt = bounds.askedAt;
    for (const auto& bound : bounds.committed) {
        probe.stable[bound.partition] = bound;
        if (bound.end < probe.readBefore[bound.partition]) {
            // The log is shorter than what was read: the topic was made again, or another cluster answers
            // here.
            beginWatching(table_->partitions());
            return;
        }
    }
    for (const auto& bound : bounds.uncommitted) {
        probe.high[bound.partition] = bound;
    }
    for (const auto partition : probe.partitions) {
        if (probe.stable.contains(partition)) {
            silentPartitions_.erase(partition);
        } else {
            silentPartitions_.insert(partition);
        }
    }
    settleProbes();
}

bool RoleFeed::Engine::readPast(const Probe& probe, std::int32_t partition, bool tailToo) const {
    const auto stable = probe.stable.find(partition);
    if (stable == probe.stable.end() ||
        table_->next(Isolation::readCommitted, partition) < stable->second.end) {
        return false;
    }
    if (!tailToo) {
        return true;
    }
    const auto high = probe.high.find(partition);
    return high != probe.high.end() &&
           table_->next(Isolation::readUncommitted, partition) >= high->second.end;
}

void RoleFeed::Engine::settleProbes() {
    const auto now = clock_->steady();
    for (auto it = probes_.begin(); it != probes_.end();) {
        auto& probe = it->second;
        const bool late = now >= probe.deadline;
        if ((!probe.bounded || !probe.listed) && !late) {
            ++it;
            continue;
        }
        const bool all = probe.bounded && std::all_of(probe.partitions.begin(), probe.partitions.end(),
                                                      [&](auto p) { return readPast(probe, p, true); });
        if (all) {
            readProblem_.reset(); // everything asked for was read
            lastGoodRead_ = clock_->wall();
        } else if (probe.waiting.empty() && !late) {
            ++it;
            continue;
        }
        std::vector<RoleAnswer> still;
        for (auto& answer : probe.waiting) {
            auto found = table_->roles().find(answer.role.str());
            if (found == table_->roles().end()) {
                continue;
            }
            auto& entry = found->second;
            if (probe.bounded && readPast(probe, entry.partition(), true)) {
                judgeRole(entry, probe, answer.answer, true);
            } else if (!late) {
                still.push_back(std::move(answer));
                continue;
            } else if (probe.bounded && readPast(probe, entry.partition(), false)) {
                judgeRole(entry, probe, answer.answer, false);
            }
            entry.asked = false;
        }
        probe.waiting = std::move(still);
        it = probe.waiting.empty() ? probes_.erase(it) : std::next(it);
    }
}

void RoleFeed::Engine::judgeRole(feed::RoleEntry& entry, const Probe& probe, const CoordinatorAnswer& answer,
                                 bool tailRead) {
    const auto partition = entry.partition();
    const auto now = clock_->steady();
    const auto wall = clock_->wall();
    feed::JudgedRound round{.state = std::make_shared<const RoleState>(entry.fold()),
                            .coordinator = answer,
                            .askedAfterNewestRecord = answer.askedAt > entry.newestLeaseSeen(),
                            .tail = entry.tail(table_->next(Isolation::readCommitted, partition)),
                            .tailRead = tailRead,
                            .producers = std::nullopt,
                            .pinnedBy = {},
                            .topicAsOf = probe.boundsAskedAt,
                            .verdict = {}};
    if (const auto producers = probe.producers.find(partition); producers != probe.producers.end()) {
        round.producers = producers->second;
        round.pinnedBy = pinnedBy(producers->second, entry.role());
    }
    auto previous = std::exchange(entry.round, std::move(round));
    const auto evidence = agedEvidence(entry, now, wall);
    auto verdict = judge(evidence);
    if (verdict.askAgain && entry.retries < kMostRetries) {
        // What would settle it is asked for at once; until then the last verdict stands with its own age.
        ++entry.retries;
        entry.dirty = true;
        entry.round = std::move(previous);
        return;
    }
    entry.retries = 0;
    entry.prior = remember(verdict, evidence);
    entry.round->verdict = std::move(verdict);
    renderRole(entry);
}

Evidence RoleFeed::Engine::agedEvidence(const feed::RoleEntry& entry, SteadyTime now, WallTime wall) const {
    Evidence evidence;
    evidence.state = &entry.fold();
    evidence.now = wall;
    evidence.stalenessBound = options_.stalenessBound;
    evidence.prior = entry.prior;
    if (entry.round) {
        const auto& round = *entry.round;
        evidence.state = round.state.get();
        evidence.coordinator = round.coordinator;
        evidence.askedAfterNewestRecord = round.askedAfterNewestRecord;
        evidence.tail = round.tail;
        evidence.tailRead = round.tailRead;
        evidence.producers = round.producers;
        evidence.pinnedBy = round.pinnedBy;
        evidence.coordinatorAge = now - round.coordinator.answeredAt;
        evidence.topicAge = now - round.topicAsOf;
    } else {
        evidence.topicReadToEnd = false;
    }
    if (entry.refusal) {
        evidence.coordinator = {};
        evidence.coordinator.kind = CoordinatorAnswer::Kind::failed;
        evidence.coordinator.error = entry.refusal;
    }
    return evidence;
}

/// The view of a role as of now: the verdict of the last finished round, aged; roster and lease as read so
/// far.
void RoleFeed::Engine::renderRole(feed::RoleEntry& entry) {
    const auto now = clock_->steady();
    const auto wall = clock_->wall();
    auto evidence = agedEvidence(entry, now, wall);
    auto verdict = judge(evidence);
    if (verdict.kind == VerdictKind::unknown && entry.lastFailure && !entry.refusal && entry.round) {
        verdict.reason += "; last failure: " + entry.lastFailure->text();
    }
    const auto old = entry.view;
    const bool same = old && old->verdict.kind == verdict.kind && old->verdict.holder == verdict.holder;
    if (!same || !entry.verdictSince) {
        entry.verdictSince = wall;
    }
    entry.lane.note(verdict, wall);
    evidence.state = &entry.fold();
    auto view = makeRoleView(evidence, verdict, entry.partition(), options_.assumedTiming);
    view.verdictSince = entry.verdictSince;
    view.topicAsOfSteady = entry.round ? entry.round->topicAsOf : SteadyTime{};
    for (auto& row : view.roster) {
        row.skew = entry.skewOf(row.entry.member);
    }
    view.revision = ++revision_;
    entry.view = std::make_shared<const RoleView>(std::move(view));
    changed_ = true;
}

std::string RoleFeed::Engine::pinnedBy(const std::vector<PartitionProducer>& producers,
                                       const Role& except) const {
    const PartitionProducer* oldest = nullptr;
    for (const auto& row : producers) {
        if (row.openSince && (!oldest || *row.openSince < *oldest->openSince)) {
            oldest = &row;
        }
    }
    if (!oldest) {
        return {};
    }
    auto text = oldest->producer.text();
    for (const auto& [name, entry] : table_->roles()) {
        const bool described =
            entry.round && entry.round->coordinator.kind == CoordinatorAnswer::Kind::described;
        if (described && entry.round->coordinator.token.producerId == oldest->producer.producerId) {
            if (entry.role() == except) {
                return {};
            }
            text += " (role " + displayText(name) + ")";
            break;
        }
    }
    return text + ", open since offset " + std::to_string(*oldest->openSince) + ",";
}

ConnectionView RoleFeed::Engine::connection(SteadyTime now) const {
    ConnectionView view;
    view.endpoint = options_.endpoint;
    view.topic = options_.topic;
    view.cluster = cluster_;
    view.lastGoodRead = lastGoodRead_;
    view.exceptions = exceptions_;
    view.partitions = table_ ? table_->partitions() : 0;
    for (const auto& [partition, end] : firstEnds_) {
        view.recordsKnown += end - beginnings_.at(partition);
    }
    if (table_) {
        view.recordsRead = std::min(view.recordsKnown, table_->readSince(beginnings_));
    }
    for (const auto* problem :
         {&topicProblem_, &boundsProblem_, &authorityProblem_, &clusterProblem_, &readProblem_}) {
        if (*problem && !view.problem) {
            view.problem = *problem;
        }
    }
    const bool boundsFresh = lastBounds_ && now - *lastBounds_ <= options_.stalenessBound;
    const bool answersFresh = lastAnswer_ && now - *lastAnswer_ <= options_.stalenessBound;
    const bool everRead = committedReader_ != nullptr;
    if (!everRead) {
        view.phase = ConnectionPhase::connecting;
    } else if (!boundsFresh && !answersFresh && (topicProblem_ || boundsProblem_ || clusterProblem_)) {
        view.phase = ConnectionPhase::lost;
    } else if (view.recordsRead < view.recordsKnown && !readToEndOnce_) {
        view.phase = ConnectionPhase::reading;
    } else if (view.problem || !silentPartitions_.empty()) {
        view.phase = ConnectionPhase::degraded;
    } else {
        view.phase = ConnectionPhase::live;
    }
    return view;
}

void RoleFeed::Engine::publish() {
    const auto now = clock_->steady();
    auto snapshot = std::make_shared<Snapshot>();
    snapshot->sequence = ++sequence_;
    snapshot->takenAt = clock_->wall();
    snapshot->takenAtSteady = now;
    snapshot->assumedTiming = options_.assumedTiming;
    snapshot->stalenessBound = options_.stalenessBound;
    snapshot->connection = connection(now);
    snapshot->watchingSince = latest()->watchingSince;
    snapshot->clockStepped = watch_.stepped(now);
    readToEndOnce_ = readToEndOnce_ || snapshot->connection.phase == ConnectionPhase::live;
    if (table_) {
        for (auto& [name, entry] : table_->roles()) {
            if (!entry.view) {
                renderRole(entry);
            }
            snapshot->roles.push_back(entry.view);
            snapshot->timeline.push_back(entry.lane.lane());
        }
        snapshot->findings.assign(table_->findings().begin(), table_->findings().end());
        snapshot->findingsTotal = table_->findingsTotal();
    }
    {
        const std::lock_guard lock(latestMutex_);
        latest_ = std::move(snapshot);
    }
    const std::lock_guard lock(listenerMutex_);
    if (listener_) {
        listener_();
    }
}

} // namespace bellwether
