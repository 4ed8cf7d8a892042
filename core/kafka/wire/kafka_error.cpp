// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/kafka_error.h"

#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

struct CodeFacts {
    std::int16_t kafka;
    std::string_view name;
    ErrorCode ours;
    bool retriable;
    std::string_view hint;
};

constexpr CodeFacts kCodes[] = {
    {kUnknownTopicOrPartition, "UNKNOWN_TOPIC_OR_PARTITION", ErrorCode::topicMissing, true,
     "check the topic's name, or create it"},
    {kLeaderNotAvailable, "LEADER_NOT_AVAILABLE", ErrorCode::busy, true,
     "ask again once a leader is elected"},
    {kNotLeaderOrFollower, "NOT_LEADER_OR_FOLLOWER", ErrorCode::busy, true, "ask again; the leader moves"},
    {kRequestTimedOut, "REQUEST_TIMED_OUT", ErrorCode::timeout, true, "ask again"},
    {kReplicaNotAvailable, "REPLICA_NOT_AVAILABLE", ErrorCode::busy, true, "ask again; the leader moves"},
    {kCoordinatorLoadInProgress, "COORDINATOR_LOAD_IN_PROGRESS", ErrorCode::busy, true,
     "ask again once the coordinator has loaded its log"},
    {kCoordinatorNotAvailable, "COORDINATOR_NOT_AVAILABLE", ErrorCode::busy, true,
     "ask again; if it stays, check that __transaction_state has leaders"},
    {kNotCoordinator, "NOT_COORDINATOR", ErrorCode::busy, true, "ask again; the coordinator moves"},
    {kTopicAuthorizationFailed, "TOPIC_AUTHORIZATION_FAILED", ErrorCode::refused, false,
     "grant the principal Read on the topic: kafka-acls.sh --add --operation Read --topic TOPIC "
     "--allow-principal User:NAME"},
    {kClusterAuthorizationFailed, "CLUSTER_AUTHORIZATION_FAILED", ErrorCode::refused, false,
     "grant the principal Describe on the cluster: kafka-acls.sh --add --operation Describe --cluster "
     "--allow-principal User:NAME"},
    {kUnsupportedSaslMechanism, "UNSUPPORTED_SASL_MECHANISM", ErrorCode::refused, false,
     "choose a mechanism the broker enables"},
    {kIllegalSaslState, "ILLEGAL_SASL_STATE", ErrorCode::refused, false,
     "check security.protocol and sasl.mechanism"},
    {kUnsupportedVersion, "UNSUPPORTED_VERSION", ErrorCode::unsupported, false,
     "the broker does not know this version of the request"},
    {kSaslAuthenticationFailed, "SASL_AUTHENTICATION_FAILED", ErrorCode::refused, false,
     "check the user name and the password"},
    {kConcurrentTransactions, "CONCURRENT_TRANSACTIONS", ErrorCode::busy, true, "ask again"},
    {kTransactionalIdAuthorizationFailed, "TRANSACTIONAL_ID_AUTHORIZATION_FAILED", ErrorCode::refused, false,
     "grant the principal Describe on the transactional id, which is the role's name: kafka-acls.sh --add "
     "--operation Describe --transactional-id ROLE --allow-principal User:NAME"},
    {kTransactionalIdNotFound, "TRANSACTIONAL_ID_NOT_FOUND", ErrorCode::broker, false, ""},
};

const CodeFacts* factsOf(std::int16_t code) noexcept {
    for (const auto& facts : kCodes) {
        if (facts.kafka == code) {
            return &facts;
        }
    }
    return nullptr;
}

} // namespace

std::string nameOf(std::int16_t code) {
    const auto* facts = factsOf(code);
    return facts ? std::string(facts->name) : fmt::format("error {}", code);
}

Error brokerError(std::int16_t code, std::string what, std::string where) {
    const auto* facts = factsOf(code);
    Error error;
    error.code = facts ? facts->ours : ErrorCode::broker;
    error.what =
        facts ? fmt::format("{}: {} ({})", what, facts->name, code) : fmt::format("{}: error {}", what, code);
    error.where = std::move(where);
    error.hint = facts ? std::string(facts->hint) : "look the code up in Kafka's protocol guide";
    error.retriable = facts && facts->retriable;
    error.kafkaCode = code;
    return error;
}

bool coordinatorMoved(std::int16_t code) noexcept {
    return code == kCoordinatorLoadInProgress || code == kCoordinatorNotAvailable || code == kNotCoordinator;
}

bool leaderMoved(std::int16_t code) noexcept {
    return code == kUnknownTopicOrPartition || code == kLeaderNotAvailable || code == kNotLeaderOrFollower ||
           code == kReplicaNotAvailable;
}

} // namespace bellwether::kafka::wire
