// SPDX-License-Identifier: Apache-2.0
// Views: what the engine's thread shows the others.
#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "feed/engine.h"
#include "feed/role_view.h"

namespace bellwether {

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

std::optional<std::string> RoleFeed::Engine::roleOf(std::int64_t producerId) const {
    const auto known = knownId(producerId);
    return known ? std::optional(known->transactionalId) : std::nullopt;
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
    if (!view.problem && !silentPartitions_.empty()) {
        view.problem = Error{
            .code = ErrorCode::unreachable,
            .what = fmt::format("{} of {} partitions have no leader that answers, the first is {}",
                                silentPartitions_.size(), view.partitions, *silentPartitions_.begin()),
            .where = options_.topic,
            .hint = "look at the brokers that are not up; roles of those partitions are shown as unknown",
            .retriable = true};
    }
    const bool boundsFresh = lastBounds_ && now - *lastBounds_ <= options_.stalenessBound;
    const bool answersFresh = lastAnswer_ && now - *lastAnswer_ <= options_.stalenessBound;
    const bool everRead = committedReader_ != nullptr;
    if (!everRead) {
        view.phase = ConnectionPhase::connecting;
    } else if (!boundsFresh && !answersFresh) {
        view.phase = ConnectionPhase::lost;
    } else if (!lastGoodRead_ || (view.recordsRead < view.recordsKnown && !readToEndOnce_)) {
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
        snapshot->pinned = pinnedLogs(now);
        snapshot->pinnedLately = pinned_.lately(now);
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
