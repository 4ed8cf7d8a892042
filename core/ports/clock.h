// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "coordination/time.h"

namespace bellwether {

/// Time for engines. Pure code takes instants instead. Implementations are thread safe.
class Clock {
public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual WallTime wall() const = 0;
    [[nodiscard]] virtual SteadyTime steady() const = 0;
    /// Waits for `duration` of this clock's steady time or until stop is requested; false when stopped.
    virtual bool sleepFor(Millis duration, std::stop_token stop) = 0;
};

/// The machine's clocks, with the wall clock shifted by `offset` (0 for the console; members use it to
/// rehearse skew).
class SystemClock final : public Clock {
public:
    explicit SystemClock(Millis offset = Millis{0}) noexcept
        : offset_(offset) {}

    [[nodiscard]] WallTime wall() const override;
    [[nodiscard]] SteadyTime steady() const override;
    bool sleepFor(Millis duration, std::stop_token stop) override;

private:
    Millis offset_;
};

} // namespace bellwether
