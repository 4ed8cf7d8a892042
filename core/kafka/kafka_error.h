// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "coordination/result.h"
#include "kafka/connection_diary.h"

namespace bellwether::kafka {

/// What librdkafka said of a failure, in std types: a broker's code (positive) or librdkafka's own
/// (negative).
struct Fault {
    int code = 0;
    std::string text;
    bool retriable = false;
    bool fatal = false;
    bool requiresAbort = false;
};

/// Where a call was at work; empty parts are left out of the text.
struct Place {
    std::string bootstrap;
    std::string topic;
    std::optional<std::int32_t> partition;
    std::optional<std::int64_t> offset;
    std::string role;

    /// "role lead, __coordination_state[3]@17, 127.0.0.1:9092"
    [[nodiscard]] std::string text() const;
};

/// The one translation of the client library's failures. `doing` names the action ("writing the lease").
/// Broker codes 47 and 90 and librdkafka's _FENCED are ErrorCode::fenced, whatever the flags; nothing else
/// is. Broker code 49 is idExpired.
[[nodiscard]] Error toError(const Fault& fault, std::string_view doing, const Place& place);

/// True for 47, 90 and _FENCED.
[[nodiscard]] bool isFence(int code) noexcept;

/// The error of a client that the library does not make, in `reason`'s words; a passphrase that does not fit
/// is named as such. `where`: the bootstrap list.
[[nodiscard]] Error settingsError(std::string_view reason, std::string where);

/// Says why there is no connection when `error` is a timeout or a lack of one and the diary knows a reason;
/// else returns it unchanged.
[[nodiscard]] Error explainConnection(Error error, const ConnectionDiary& diary);

/// The error of a call that gives up because no broker can be reached at all.
[[nodiscard]] Error unreachableError(std::string_view doing, const Place& place,
                                     const ConnectionDiary& diary);
[[nodiscard]] Error timeoutError(std::string_view doing, const Place& place, Millis waited);
[[nodiscard]] Error closedError(std::string_view doing, const Place& place);

} // namespace bellwether::kafka
