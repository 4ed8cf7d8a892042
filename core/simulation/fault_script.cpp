// SPDX-License-Identifier: Apache-2.0
#include "simulation/fault_script.h"

#include <algorithm>
#include <utility>

namespace bellwether::simulation {

FaultScript::FaultScript(std::vector<Fault> faults, Millis period)
    : faults_(std::move(faults))
    , period_(period) {
    std::stable_sort(faults_.begin(), faults_.end(),
                     [](const Fault& a, const Fault& b) { return a.at < b.at; });
}

std::optional<Millis> FaultScript::due() const {
    return next_ < faults_.size() ? std::optional(round_ + faults_[next_].at) : std::nullopt;
}

const Fault& FaultScript::take() {
    const Fault& fault = faults_.at(next_++);
    if (next_ == faults_.size() && period_ > Millis{0}) {
        next_ = 0;
        // A script longer than its period begins again when it is over.
        round_ += std::max(period_, faults_.back().at);
    }
    return fault;
}

} // namespace bellwether::simulation
