// SPDX-License-Identifier: Apache-2.0
#include "oracle.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

namespace bellwether::brokertest {

namespace {

bool saysLeader(const Verdict& verdict) {
    return verdict.kind == VerdictKind::authoritative || verdict.kind == VerdictKind::overdue;
}

/// Nothing when the verdict is compatible with the truth.
std::optional<std::string> fault(const Verdict& verdict, const Truth& truth) {
    if (saysLeader(verdict) && verdict.holder != truth.leader) {
        return "calls somebody the leader who is not";
    }
    if (!truth.healthy) {
        return std::nullopt;
    }
    if (std::find(verdict.fenced.begin(), verdict.fenced.end(), *truth.leader) != verdict.fenced.end()) {
        return "calls the healthy leader fenced";
    }
    // The coordinator answers EndTxn at PrepareCommit: for a moment the leader's first lease is still a
    // claim, of its own or of nobody named yet.
    if (verdict.kind == VerdictKind::claiming && (!verdict.claimant || verdict.claimant == truth.leader)) {
        return std::nullopt;
    }
    // Not knowing and doubting are allowed, anything else that is not the leader's name is not.
    if (!saysLeader(verdict) && verdict.kind != VerdictKind::inDoubt &&
        verdict.kind != VerdictKind::unknown) {
        return "does not see the healthy leader";
    }
    return std::nullopt;
}

} // namespace

Oracle::Oracle(const std::string& bootstrap, Role role)
    : role_(std::move(role)) {
    app::WorldOptions options;
    options.bootstrap = bootstrap;
    auto world = app::openWorld(options);
    if (!world) {
        throw std::runtime_error(world.error().text());
    }
    world_ = std::move(*world);
    truths_.push_back({{}, SteadyTime::min(), SteadyTime::max()});
    FeedOptions feed;
    feed.cadence = Millis{200};
    feed_ = std::make_unique<RoleFeed>(feed, world_->consumers, world_->authority, world_->clock);
    feed_->onSnapshot([this] { collect(); });
    feed_->start();
}

Oracle::~Oracle() {
    feed_->onSnapshot({});
    feed_->stop();
}

void Oracle::collect() {
    const auto snapshot = feed_->latest();
    for (const auto& view : snapshot->roles) {
        if (view->role == role_) {
            const std::scoped_lock lock(mutex_);
            if (views_.empty() || views_.back() != view) {
                views_.push_back(view);
            }
        }
    }
}

bool Oracle::step(const Truth& after, const std::function<bool()>& action) {
    {
        const std::scoped_lock lock(mutex_);
        truths_.push_back({after, world_->clock->steady(), SteadyTime::max()});
    }
    const bool done = action();
    const std::scoped_lock lock(mutex_);
    truths_[truths_.size() - 2].to = world_->clock->steady();
    return done;
}

std::optional<Verdict> Oracle::await(const std::function<bool(const Verdict&)>& enough) {
    const auto since = world_->clock->steady();
    const auto deadline = since + Millis{40'000};
    while (world_->clock->steady() < deadline) {
        {
            const std::scoped_lock lock(mutex_);
            if (!views_.empty() && views_.back()->coordinator.askedAt >= since &&
                enough(views_.back()->verdict)) {
                return views_.back()->verdict;
            }
        }
        feed_->refresh();
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return std::nullopt;
}

std::vector<std::string> Oracle::wrong() const {
    const std::scoped_lock lock(mutex_);
    std::vector<std::string> all;
    for (const auto& view : views_) {
        const auto& answer = view->coordinator;
        std::optional<std::string> first;
        bool compatible = false;
        for (const auto& each : truths_) {
            if (each.from <= answer.answeredAt && answer.askedAt <= each.to) {
                const auto found = fault(view->verdict, each.truth);
                compatible = compatible || !found;
                first = first ? first : found;
            }
        }
        if (!compatible) {
            all.push_back(fmt::format("{}: {} (row {}): {}", first.value_or("no truth holds then"),
                                      toString(view->verdict.kind), toString(view->verdict.row),
                                      view->verdict.reason));
        }
    }
    return all;
}

Oracle::Count Oracle::count() const {
    const std::scoped_lock lock(mutex_);
    Count count;
    count.views = views_.size();
    for (const auto& view : views_) {
        count.inDoubt += view->verdict.kind == VerdictKind::inDoubt ? 1U : 0U;
        count.unknown += view->verdict.kind == VerdictKind::unknown ? 1U : 0U;
    }
    return count;
}

std::shared_ptr<const RoleView> Oracle::newest() const {
    const std::scoped_lock lock(mutex_);
    return views_.empty() ? nullptr : views_.back();
}

} // namespace bellwether::brokertest
