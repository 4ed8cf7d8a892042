// SPDX-License-Identifier: Apache-2.0
#include "figures.h"

#include <algorithm>

#include <fmt/format.h>

namespace bellwether::bench {

Nanos Series::median() const {
    auto sorted = times_;
    std::sort(sorted.begin(), sorted.end());
    return sorted.empty() ? Nanos{0} : sorted[sorted.size() / 2];
}

Nanos Series::least() const {
    return times_.empty() ? Nanos{0} : *std::min_element(times_.begin(), times_.end());
}

Nanos Series::most() const {
    return times_.empty() ? Nanos{0} : *std::max_element(times_.begin(), times_.end());
}

std::string inMillis(Nanos time) {
    return fmt::format("{:.2f}", static_cast<double>(time.count()) / 1e6);
}

double ratio(Nanos of, Nanos to) {
    return to.count() == 0 ? 0.0 : static_cast<double>(of.count()) / static_cast<double>(to.count());
}

} // namespace bellwether::bench
