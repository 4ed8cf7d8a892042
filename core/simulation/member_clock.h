// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "ports/clock.h"

namespace bellwether::simulation {

/// A member's view of the cluster's clock: its wall clock is off by a constant.
class MemberClock final : public Clock {
public:
    MemberClock(std::shared_ptr<Clock> base, Millis offset)
        : base_(std::move(base))
        , offset_(offset) {}

    [[nodiscard]] WallTime wall() const override { return saturatingAdd(base_->wall(), offset_); }

    [[nodiscard]] SteadyTime steady() const override { return base_->steady(); }

    bool sleepFor(Millis duration, std::stop_token stop) override { return base_->sleepFor(duration, stop); }

private:
    std::shared_ptr<Clock> base_;
    Millis offset_;
};

} // namespace bellwether::simulation
