// SPDX-License-Identifier: Apache-2.0
// The pinned log: what the rounds tell of transactions that stay open.
#include <algorithm>

#include "feed/engine.h"

namespace bellwether {

void RoleFeed::Engine::notePinned(Probe& probe) {
    if (probe.noted || !probe.bounded) {
        return;
    }
    probe.noted = true;
    for (const auto partition : probe.partitions) {
        const auto stable = probe.stable.find(partition);
        const auto high = probe.high.find(partition);
        if (stable == probe.stable.end() || high == probe.high.end()) {
            continue;
        }
        feed::PartitionRound round{partition, stable->second.end, high->second.end, std::nullopt};
        if (const auto producers = probe.producers.find(partition); producers != probe.producers.end()) {
            round.producers = producers->second;
        }
        pinned_.note(std::move(round), clock_->steady(), clock_->wall());
    }
}

std::optional<feed::KnownId> RoleFeed::Engine::knownId(std::int64_t producerId) const {
    for (const auto& [name, entry] : table_->roles()) {
        const bool described =
            entry.round && entry.round->coordinator.kind == CoordinatorAnswer::Kind::described;
        if (described && entry.round->coordinator.token.producerId == producerId) {
            return feed::KnownId{name, entry.round->coordinator};
        }
    }
    return std::nullopt;
}

/// Asks only while a transaction of a producer that no role has stays open.
void RoleFeed::Engine::askListing() {
    auto ids = pinned_.toBeListed(clock_->steady(), [this](std::int64_t id) { return knownId(id); });
    if (!ids.empty()) {
        authority_->listTransactions(std::move(ids), options_.requestTimeout, noteLater(&Engine::onListing));
    }
}

void RoleFeed::Engine::onListing(TransactionListing listing) {
    pinned_.listed(listing);
    changed_ = true;
}

std::vector<PinnedLog> RoleFeed::Engine::pinnedLogs(SteadyTime now) const {
    auto logs = pinned_.view(
        now, [this](std::int64_t id) { return knownId(id); }, *table_);
    for (auto& log : logs) {
        for (const auto& role : log.hidden) {
            const auto found = table_->roles().find(role.str());
            const auto* view = found == table_->roles().end() ? nullptr : found->second.view.get();
            if (view &&
                (view->verdict.kind == VerdictKind::inDoubt || view->verdict.kind == VerdictKind::unknown)) {
                log.undecided.push_back(role);
            }
        }
    }
    return logs;
}

} // namespace bellwether
