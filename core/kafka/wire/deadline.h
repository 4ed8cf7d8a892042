// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kafka/wire/request_queue.h"

/// Conversions between the precise instants of this client and the library's milliseconds.
namespace bellwether::kafka::wire {

inline constexpr Millis kLongestTimeout{24LL * 60 * 60 * 1000};

/// Now + timeout, for any timeout.
[[nodiscard]] inline Instant deadlineAfter(Millis timeout) {
    return std::chrono::steady_clock::now() + std::clamp(timeout, Millis{0}, kLongestTimeout);
}

/// Rounded so that order is never claimed where there was none: a request down, an answer up.
[[nodiscard]] inline SteadyTime atTheLatest(Instant sent) {
    return SteadyTime{std::chrono::floor<Millis>(sent.time_since_epoch())};
}

[[nodiscard]] inline SteadyTime atTheEarliest(Instant received) {
    return SteadyTime{std::chrono::ceil<Millis>(received.time_since_epoch())};
}

/// Failures that asking again within the same call cannot cure.
[[nodiscard]] inline bool isPermanent(const Error& error) noexcept {
    switch (error.code) {
    case ErrorCode::protocol:
    case ErrorCode::unsupported:
    case ErrorCode::refused:
    case ErrorCode::invalidArgument:
    case ErrorCode::closed:
    case ErrorCode::internal: return true;
    case ErrorCode::unreachable:
        return !error.retriable; // a certificate that does not pass, a port without TLS
    default: return false;
    }
}

/// Pauses between attempts of one call: 50, 100, 200, 400, 500, 500 ... ms.
class RetryPause {
public:
    [[nodiscard]] Millis next() noexcept {
        const auto pause = next_;
        next_ = std::min(next_ * 2, Millis{500});
        return pause;
    }

private:
    Millis next_{50};
};

} // namespace bellwether::kafka::wire
