// SPDX-License-Identifier: Apache-2.0
#include "report/kafka_error.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace bellwether::report {

namespace {

struct Known {
    int code;
    std::string_view name;
    ErrorCode kind;
    bool retriable;
};

constexpr std::array kKnown{
    Known{-1, "UNKNOWN_SERVER_ERROR", ErrorCode::broker, false},
    Known{3, "UNKNOWN_TOPIC_OR_PARTITION", ErrorCode::topicMissing, true},
    Known{5, "LEADER_NOT_AVAILABLE", ErrorCode::busy, true},
    Known{6, "NOT_LEADER_OR_FOLLOWER", ErrorCode::busy, true},
    Known{7, "REQUEST_TIMED_OUT", ErrorCode::timeout, true},
    Known{14, "COORDINATOR_LOAD_IN_PROGRESS", ErrorCode::busy, true},
    Known{15, "COORDINATOR_NOT_AVAILABLE", ErrorCode::busy, true},
    Known{16, "NOT_COORDINATOR", ErrorCode::busy, true},
    Known{29, "TOPIC_AUTHORIZATION_FAILED", ErrorCode::refused, false},
    Known{31, "CLUSTER_AUTHORIZATION_FAILED", ErrorCode::refused, false},
    Known{35, "UNSUPPORTED_VERSION", ErrorCode::unsupported, false},
    Known{42, "INVALID_REQUEST", ErrorCode::broker, false},
    Known{47, "INVALID_PRODUCER_EPOCH", ErrorCode::fenced, false},
    Known{48, "INVALID_TXN_STATE", ErrorCode::broker, false},
    Known{49, "INVALID_PRODUCER_ID_MAPPING", ErrorCode::idExpired, false},
    Known{51, "CONCURRENT_TRANSACTIONS", ErrorCode::busy, true},
    Known{53, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED", ErrorCode::refused, false},
    Known{58, "SASL_AUTHENTICATION_FAILED", ErrorCode::refused, false},
    Known{90, "PRODUCER_FENCED", ErrorCode::fenced, false},
    Known{105, "TRANSACTIONAL_ID_NOT_FOUND", ErrorCode::broker, false},
};

} // namespace

Error refusalOf(int kafkaCode, std::string where) {
    const auto* known = std::find_if(kKnown.begin(), kKnown.end(), [kafkaCode](const Known& candidate) {
        return candidate.code == kafkaCode;
    });
    const bool named = known != kKnown.end();
    Error error;
    error.code = named ? known->kind : ErrorCode::broker;
    error.what = named ? fmt::format("the coordinator answered with error {} {}", kafkaCode, known->name)
                       : fmt::format("the coordinator answered with error {}", kafkaCode);
    error.where = std::move(where);
    error.retriable = named && known->retriable;
    error.fenced = error.code == ErrorCode::fenced;
    error.kafkaCode = kafkaCode;
    if (error.code == ErrorCode::refused) {
        error.hint = "grant the console's principal Describe on the transactional id";
    } else if (error.retriable) {
        error.hint = "ask again, the state passes";
    }
    return error;
}

} // namespace bellwether::report
