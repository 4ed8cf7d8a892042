// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace bellwether {

/// The kinds of failure a caller can tell apart. Anything finer is in Error::kafkaCode and the text.
enum class ErrorCode {
    invalidArgument, ///< the caller's input is not legal (a name, a timing, an option)
    undecodable,     ///< bytes do not follow the record format
    topicMissing,    ///< the coordination topic does not exist, or its partitions cannot be listed
    incompleteRead,  ///< a read ended before the offset it set out for
    fenced,          ///< broker code 47 or 90: a newer epoch of the role exists; the leadership is over
    idExpired,       ///< broker code 49: the coordinator no longer knows the transactional id
    notMinted,       ///< the token is not the one this transport minted for the role
    refused,         ///< the broker denies a right (29, 31, 53) or a policy refuses
    unreachable,     ///< no connection: DNS, TCP, TLS, a wrong port, a broker that went away
    timeout,         ///< no answer within the time given
    unsupported,     ///< the peer does not advertise the request or feature
    protocol,        ///< the peer's bytes make no sense: not Kafka, another protocol, a bug
    busy,            ///< a passing state of the coordinator (14, 15, 16, 51): ask again
    closed,          ///< the object was closed or the call was cancelled
    broker,          ///< any other broker error, see kafkaCode
    internal,        ///< a programming error on this side
};

/// A failure as a value. A copy equals its original. The text has three parts so that every message says
/// what failed, where (topic, partition, offset, host:port, role) and what to do next.
/// The four flags are independent of each other and of the code.
struct Error {
    ErrorCode code = ErrorCode::internal;
    std::string what;  ///< what failed, one clause, no trailing stop
    std::string where; ///< host:port, topic[partition]@offset, role; may be empty
    std::string hint;  ///< what to do next; may be empty
    bool retriable = false;
    bool fatal = false;
    bool fenced = false;
    bool requiresAbort = false;
    int kafkaCode =
        0; ///< Kafka protocol error code (positive) or librdkafka's local code (negative); 0: none

    /// One line: "what (where): hint".
    [[nodiscard]] std::string text() const;
    bool operator==(const Error&) const = default;
};

/// A stable lower-case name of the code for logs and machine output, e.g. "topic_missing".
[[nodiscard]] std::string_view toString(ErrorCode code) noexcept;

template<typename T>
using Result = tl::expected<T, Error>;

/// Shorthand for the failing branch of a Result.
[[nodiscard]] inline tl::unexpected<Error> fail(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string what, std::string where = {},
                                                std::string hint = {}) {
    Error error;
    error.code = code;
    error.what = std::move(what);
    error.where = std::move(where);
    error.hint = std::move(hint);
    return tl::unexpected<Error>(std::move(error));
}

} // namespace bellwether
