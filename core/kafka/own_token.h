// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>

#include "coordination/fencing_token.h"
#include "kafka/delivery_watch.h"

namespace bellwether::kafka {

/// Follows a transactional producer's own pair besides the fate of its records. Thread safe.
/// The pair comes from the producer's log at the moment of a change; the statistics, each second, give it
/// where the log does not, and correct it when two of them in a row say otherwise (one alone can be older
/// than the log line).
class OwnToken final : public DeliveryWatch {
public:
    void statistics(std::string_view json) override;
    void log(int level, std::string_view facility, std::string_view text) override;

    /// The broker's own code of the refusal that fenced the producer, 47 or 90, which the library folds into
    /// one of its own; nothing as long as there is none.
    [[nodiscard]] std::optional<int> fenceCode() const;
    /// The newest pair the producer was given.
    [[nodiscard]] std::optional<FencingToken> current() const;
    /// Waits until there is one, at most `timeout`.
    [[nodiscard]] std::optional<FencingToken> waitForToken(Millis timeout);

private:
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::optional<FencingToken> token_;
    std::optional<FencingToken> otherOpinion_; ///< of the last statistics, when it differs from token_
    bool fromLog_ = false;
    std::optional<int> fenceCode_;
};

} // namespace bellwether::kafka
