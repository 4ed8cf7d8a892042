// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "simulation/simulation.h"

namespace bellwether::simulation {

/// The faults of a scenario in the order of time, over and over when it has a period.
class FaultScript {
public:
    FaultScript(std::vector<Fault> faults, Millis period);

    /// When the next fault strikes, after the start; nothing when the script is over.
    [[nodiscard]] std::optional<Millis> due() const;
    /// That fault, and goes on to the one after. Precondition: due() has a value.
    [[nodiscard]] const Fault& take();

private:
    std::vector<Fault> faults_;
    Millis period_;
    Millis round_{0}; ///< when the current round began
    std::size_t next_ = 0;
};

} // namespace bellwether::simulation
