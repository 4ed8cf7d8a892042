// SPDX-License-Identifier: Apache-2.0
#include "kafka/consumer_troubles.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

namespace bellwether::kafka {
namespace {

constexpr std::string_view kDoing = "reading the topic";
constexpr std::size_t kMost = 100; ///< a caller that does not poll for long is told the first of them
constexpr int kLogWarning = 4;

} // namespace

void ConsumerTroubles::problem(const Fault& fault) {
    // No group takes part here; what its coordinator thinks is no trouble of this consumer.
    if (fault.code == RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED ||
        fault.code == RD_KAFKA_RESP_ERR__WAIT_COORD) {
        return;
    }
    auto error = toError(fault, kDoing, place_);
    const auto trouble = classifyConnectionText(fault.code, fault.text);
    if (trouble != ConnectionTrouble::other) {
        error.code = isRefusal(trouble) ? ErrorCode::refused : ErrorCode::unreachable;
        error.retriable = !isMisconfiguration(trouble);
        error.what = fmt::format("{} is held up: {} [{}]", kDoing, connectionClause(trouble), fault.text);
        if (const auto hint = connectionHint(trouble); !hint.empty()) {
            error.hint = hint;
        }
    }
    add(std::move(error));
}

void ConsumerTroubles::log(int level, std::string_view facility, std::string_view text) {
    text = withoutThreadName(text);
    if ((facility == "FAIL" || facility == "SSLCERTVRFY") &&
        isMisconfiguration(classifyConnectionText(0, text))) {
        // Some of these come without an error event (a plain client on a TLS port).
        problem({RD_KAFKA_RESP_ERR__TRANSPORT, std::string(text)});
        return;
    }
    // The only notice of a start offset that the log no longer holds; reading goes on from the beginning.
    if (facility != "OFFSET" || level > kLogWarning) {
        return;
    }
    Error error;
    error.code = ErrorCode::broker;
    error.kafkaCode = RD_KAFKA_RESP_ERR_OFFSET_OUT_OF_RANGE;
    error.what = fmt::format(
        "the log does not hold the offset to read next, reading starts over from its beginning [{}]", text);
    error.where = place_.text();
    error.hint = "records were deleted, or the topic was created anew: distrust what was read before";
    add(std::move(error));
}

void ConsumerTroubles::partitionProblem(const Fault& fault, std::int32_t partition) {
    auto place = place_;
    place.partition = partition;
    add(toError(fault, kDoing, place));
}

void ConsumerTroubles::add(Error error) {
    const std::scoped_lock lock(mutex_);
    if (troubles_.size() < kMost && std::find(troubles_.begin(), troubles_.end(), error) == troubles_.end()) {
        troubles_.push_back(std::move(error));
    }
}

std::vector<Error> ConsumerTroubles::drain() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(troubles_, {});
}

} // namespace bellwether::kafka
