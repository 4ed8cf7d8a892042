// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "kafka/client_listener.h"

namespace bellwether::kafka {

/// Collects what a consumer handle complains of until the next poll() hands it on. Thread safe.
class ConsumerTroubles final : public ClientListener {
public:
    explicit ConsumerTroubles(Place place)
        : place_(std::move(place)) {}

    void problem(const Fault& fault) override;
    void log(int level, std::string_view facility, std::string_view text) override;
    /// A record that is an error of one partition.
    void partitionProblem(const Fault& fault, std::int32_t partition);

    /// Everything since the last call, each once.
    [[nodiscard]] std::vector<Error> drain();

private:
    void add(Error error);

    const Place place_;
    std::mutex mutex_;
    std::vector<Error> troubles_;
};

} // namespace bellwether::kafka
