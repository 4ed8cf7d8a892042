// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bellwether::bench {

using Nanos = std::chrono::nanoseconds;

/// Repeated measurements of one thing.
class Series {
public:
    void add(Nanos time) { times_.push_back(time); }

    [[nodiscard]] Nanos median() const;
    [[nodiscard]] Nanos least() const;
    [[nodiscard]] Nanos most() const;

    [[nodiscard]] std::size_t size() const noexcept { return times_.size(); }

private:
    std::vector<Nanos> times_;
};

/// What was told of all ids together: equal sums mean equal answers.
struct Sums {
    std::int64_t ids = 0;
    std::int64_t producerIds = 0;
    std::int64_t epochs = 0;
    bool operator==(const Sums&) const = default;
};

[[nodiscard]] std::string inMillis(Nanos time);
[[nodiscard]] double ratio(Nanos of, Nanos to);

} // namespace bellwether::bench
