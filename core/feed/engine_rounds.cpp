// SPDX-License-Identifier: Apache-2.0
// Rounds: the coordinators answer, then producers and bounds are asked, then the readers go past the bounds,
// then the verdicts are made.
#include <algorithm>
#include <utility>

#include "feed/engine.h"
#include "feed/pinned_log.h"

namespace bellwether {

namespace {

constexpr int kIdRefused = 53; ///< TRANSACTIONAL_ID_AUTHORIZATION_FAILED: one role's, not the connection's
constexpr Millis kDoubtPatience{300}; ///< how long the verdict before stands while a doubt is asked about
constexpr Millis kAskAgain{20};
constexpr Millis kAskAgainLater{250}; ///< once the doubt is shown

} // namespace

void RoleFeed::Engine::askRoles(bool all) {
    if (!committedReader_) {
        return;
    }
    const auto now = clock_->steady();
    std::vector<Role> roles;
    for (auto& [name, entry] : table_->roles()) {
        const bool again = entry.askAgainAt && now >= *entry.askAgainAt;
        if (!entry.asked && (all || entry.dirty || again)) {
            entry.asked = true;
            entry.dirty = false;
            entry.askAgainAt.reset();
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
            if (silentPartitions_.contains(entry.partition())) {
                entry.asked =
                    false; // the log cannot be read now: the last verdict ages, and nobody else waits
                continue;
            }
            probe.partitions.insert(entry.partition());
            probe.waiting.push_back(std::move(answer));
            continue;
        }
        entry.asked = false;
        const auto error = answer.answer.error.value_or(Error{});
        entry.lastFailure = error;
        if (error.kafkaCode != kIdRefused) {
            authorityProblem_ = error;
        }
        // What passes keeps the last answer and its age; a lasting refusal takes its place.
        const bool passing = error.code == ErrorCode::timeout || error.code == ErrorCode::unreachable ||
                             error.code == ErrorCode::busy || error.code == ErrorCode::closed;
        if (!passing || !entry.round) {
            entry.refusal = std::move(answer.answer);
            entry.refusal->error = error;
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

/// Partitions whose leader was silent are asked about one question at a time, on handles of their own.
void RoleFeed::Engine::askSilent() {
    if (!silentTicket_ && !silentPartitions_.empty()) {
        silentTicket_ = nextTicket_++;
        patientProber_->ask(*silentTicket_, {silentPartitions_.begin(), silentPartitions_.end()});
    }
}

/// With no role to ask about, or no answer, the topic's end is still looked for: that is what "read to the
/// end" means.
void RoleFeed::Engine::askBoundsOnly() {
    Probe probe;
    for (std::int32_t partition = 0; partition < table_->partitions(); ++partition) {
        probe.partitions.insert(partition);
    }
    probe.listed = true;
    const auto ticket = nextTicket_++;
    boundsOnly_ = ticket;
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
    if (!bounds.error) {
        lastBounds_ = bounds.askedAt;
    }
    if (bounds.ticket == silentTicket_) {
        silentTicket_.reset();
    } else {
        boundsProblem_ = bounds.error;
    }
    if (firstBoundsTicket_ == bounds.ticket) {
        firstBoundsTicket_.reset();
        if (!bounds.error && table_ && !committedReader_) {
            beginReading(bounds);
        }
    }
    for (const auto partition : bounds.partitions) {
        const bool answered = std::any_of(bounds.committed.begin(), bounds.committed.end(),
                                          [&](const PartitionBounds& b) { return b.partition == partition; });
        if (answered) {
            silentPartitions_.erase(partition);
        } else {
            silentPartitions_.insert(partition);
        }
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
        notePinned(probe);
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
                            .untrusted = entry.untrusted(),
                            .producers = std::nullopt,
                            .pinnedBy = {},
                            .memory = entry.memory,
                            .topicAsOf = probe.boundsAskedAt,
                            .verdict = {}};
    if (const auto producers = probe.producers.find(partition); producers != probe.producers.end()) {
        round.producers = producers->second;
        round.pinnedBy =
            pinnedBy(producers->second, entry.role(), [this](std::int64_t id) { return roleOf(id); });
    }
    auto previous = std::exchange(entry.round, std::move(round));
    const auto evidence = agedEvidence(entry, now, wall);
    auto verdict = judge(evidence);
    entry.memory = remember(std::move(entry.memory), answer);
    if (!verdict.askAgain) {
        entry.doubtSince.reset();
    } else {
        entry.doubtSince = entry.doubtSince.value_or(now);
        const bool patient = now - *entry.doubtSince < kDoubtPatience;
        entry.askAgainAt = now + (patient ? kAskAgain : kAskAgainLater);
        if (patient) {
            entry.round = std::move(previous); // with its own age
            return;
        }
    }
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
        evidence.untrusted = round.untrusted;
        evidence.producers = round.producers;
        evidence.pinnedBy = round.pinnedBy;
        evidence.memory = round.memory;
        evidence.coordinatorAge = now - round.coordinator.askedAt; // it is known to be true from then on
        evidence.topicAge = now - round.topicAsOf;
    } else {
        evidence.topicReadToEnd = false;
    }
    if (entry.round && entry.newestLeaseSeen() >= entry.round->coordinator.askedAt &&
        entry.knowsNewerThan(entry.round->coordinator)) {
        // What was read since refutes the round, or soon will: open until the coordinator answers again.
        evidence.state = &entry.fold();
        evidence.askedAfterNewestRecord = false;
    }
    if (entry.refusal) {
        evidence.coordinator = *entry.refusal;
    }
    return evidence;
}

} // namespace bellwether
