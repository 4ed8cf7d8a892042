// SPDX-License-Identifier: GPL-3.0-or-later
#include "session.h"

#include <future>
#include <thread>

#include "simulation/simulation.h"

namespace bellwether::console {

Result<std::unique_ptr<Session>> Session::open(const app::WorldOptions& options) {
    auto world = app::openWorld(options);
    if (!world) {
        return fail(world.error());
    }
    std::unique_ptr<Session> session(new Session);
    session->world_ = std::move(*world);
    FeedOptions feed;
    feed.endpoint = session->world_->endpoint;
    feed.topic = session->world_->topic;
    if (options.bootstrap == app::kSandboxBootstrap) {
        // The one place where what members agreed on is known and need not be assumed.
        feed.assumedTiming = simulation::defaultScenario().timing;
    }
    session->feed_ = std::make_shared<RoleFeed>(std::move(feed), session->world_->consumers,
                                                session->world_->authority, session->world_->clock);
    return session;
}

bool Session::end(std::unique_ptr<Session> session, std::chrono::milliseconds patience) {
    auto done = std::make_shared<std::promise<void>>();
    auto ended = done->get_future();
    std::thread([session = std::move(session), done]() mutable {
        session->feed_->stop();
        session.reset();
        done->set_value();
    }).detach();
    return ended.wait_for(patience) == std::future_status::ready;
}

} // namespace bellwether::console
