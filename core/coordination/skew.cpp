// SPDX-License-Identifier: Apache-2.0
#include "coordination/skew.h"

#include <algorithm>

namespace bellwether {

std::string_view toString(SkewReference reference) noexcept {
    switch (reference) {
    case SkewReference::console: return "console";
    case SkewReference::broker: return "broker";
    }
    return "console";
}

SkewEstimator::SkewEstimator(SkewReference reference, Millis window)
    : reference_(reference)
    , window_(std::max(window, Millis{1})) {}

void SkewEstimator::add(WallTime memberTime, WallTime referenceTime, std::optional<Millis> maxDelay) {
    Sample sample{referenceTime, saturatingSubtract(referenceTime, memberTime), std::nullopt};
    if (maxDelay && *maxDelay >= Millis{0}) {
        sample.lower = saturatingAdd(sample.difference, -*maxDelay);
    }
    // No constant skew fits both bounds: a clock was set in between, and only what came after it says
    // anything.
    const auto contradicts = [&sample](const Sample& old) {
        return (old.lower && *old.lower > sample.difference) ||
               (sample.lower && *sample.lower > old.difference);
    };
    // A reference that is further back than the window is a reference clock that was set back.
    const auto setBack = [&sample, this](const Sample& old) {
        return saturatingSubtract(old.reference, sample.reference) > window_;
    };
    if (std::any_of(samples_.begin(), samples_.end(),
                    [&](const Sample& old) { return contradicts(old) || setBack(old); })) {
        samples_.clear();
    }
    samples_.push_back(sample);

    const auto newest =
        std::max_element(samples_.begin(), samples_.end(), [](const Sample& a, const Sample& b) {
            return a.reference < b.reference;
        })->reference;
    std::erase_if(samples_,
                  [&](const Sample& old) { return saturatingSubtract(newest, old.reference) > window_; });
}

std::optional<SkewBound> SkewEstimator::bound() const {
    if (samples_.empty()) {
        return std::nullopt;
    }
    SkewBound bound{reference_, samples_.front().difference, std::nullopt, samples_.size()};
    for (const auto& sample : samples_) {
        bound.upperBound = std::min(bound.upperBound, sample.difference);
        if (sample.lower && (!bound.lowerBound || *sample.lower > *bound.lowerBound)) {
            bound.lowerBound = sample.lower;
        }
    }
    return bound;
}

} // namespace bellwether
