// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_error.h"

#include <fmt/format.h>
#include <librdkafka/rdkafka.h>

#include "coordination/display_text.h"

namespace bellwether::kafka {
namespace {

struct Meaning {
    ErrorCode code = ErrorCode::broker;
    bool retriable = false;
    std::string hint;
};

std::string accessHint(const Place& place, std::string_view kind) {
    // Read and Write each include Describe.
    if (kind == "TransactionalId") {
        return fmt::format(
            "grant the principal Write on the transactional id: kafka-acls.sh --add --operation "
            "Write --transactional-id '{}' --allow-principal User:NAME",
            displayText(place.role));
    }
    if (kind == "Topic") {
        return fmt::format(
            "grant the principal Read on the topic, and Write where it is a member: kafka-acls.sh "
            "--add --operation Read --topic {} --allow-principal User:NAME",
            place.topic);
    }
    return fmt::format("grant the principal the operation on the {} with kafka-acls.sh", kind);
}

Meaning meaningOf(int code, const Place& place) {
    switch (code) {
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH:
    case RD_KAFKA_RESP_ERR_PRODUCER_FENCED:
    case RD_KAFKA_RESP_ERR__FENCED:
        return {ErrorCode::fenced, false,
                "stop acting as leader; another member took the role, or the coordinator ended a transaction "
                "that "
                "lasted longer than transaction.timeout.ms; read the role before competing again"};
    case RD_KAFKA_RESP_ERR_INVALID_PRODUCER_ID_MAPPING:
        return {
            ErrorCode::idExpired, false,
            "the transactional id expired (transactional.id.expiration.ms), or whoever minted next got a new "
            "producerId; stop acting as leader and acquire again"};
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_ID:
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
        return {ErrorCode::topicMissing, false,
                fmt::format("create it: kafka-topics.sh --create --topic {} --partitions 16 --config "
                            "cleanup.policy=compact; or name another topic",
                            place.topic)};
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
        return {ErrorCode::refused, false, accessHint(place, "Topic")};
    case RD_KAFKA_RESP_ERR_TRANSACTIONAL_ID_AUTHORIZATION_FAILED:
        return {ErrorCode::refused, false, accessHint(place, "TransactionalId")};
    case RD_KAFKA_RESP_ERR_GROUP_AUTHORIZATION_FAILED:
        return {ErrorCode::refused, false, accessHint(place, "group")};
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
        return {ErrorCode::refused, false, accessHint(place, "cluster")};
    case RD_KAFKA_RESP_ERR_POLICY_VIOLATION:
        return {ErrorCode::refused, false, "a policy of the broker refuses it; see the broker's log"};
    case RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED:
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM:
    case RD_KAFKA_RESP_ERR_ILLEGAL_SASL_STATE:
    case RD_KAFKA_RESP_ERR__AUTHENTICATION:
        return {ErrorCode::refused, false, std::string(connectionHint(ConnectionTrouble::login))};
    case RD_KAFKA_RESP_ERR_COORDINATOR_LOAD_IN_PROGRESS:
    case RD_KAFKA_RESP_ERR_COORDINATOR_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_COORDINATOR:
    case RD_KAFKA_RESP_ERR_CONCURRENT_TRANSACTIONS: return {ErrorCode::busy, true, "ask again in a moment"};
    case RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION:
    case RD_KAFKA_RESP_ERR_REPLICA_NOT_AVAILABLE:
    case RD_KAFKA_RESP_ERR_FENCED_LEADER_EPOCH:
    case RD_KAFKA_RESP_ERR_UNKNOWN_LEADER_EPOCH:
        return {ErrorCode::broker, true, "the partition's leader is just changing; ask again"};
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
        return {ErrorCode::broker, true,
                "bring the missing brokers back: fewer replicas are in sync than min.insync.replicas"};
    case RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT:
    case RD_KAFKA_RESP_ERR__TIMED_OUT_QUEUE:
    case RD_KAFKA_RESP_ERR__MSG_TIMED_OUT:
        return {ErrorCode::timeout, true, "check that the brokers are up and answer, then try again"};
    case RD_KAFKA_RESP_ERR__TRANSPORT:
    case RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN:
    case RD_KAFKA_RESP_ERR__RESOLVE:
    case RD_KAFKA_RESP_ERR__SSL:
    case RD_KAFKA_RESP_ERR__WAIT_COORD:
    case RD_KAFKA_RESP_ERR__DESTROY_BROKER:
        return {ErrorCode::unreachable, true,
                "check that the brokers are up and that bootstrap.servers is right"};
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_VERSION:
    case RD_KAFKA_RESP_ERR_UNSUPPORTED_FOR_MESSAGE_FORMAT:
    case RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE:
        return {ErrorCode::unsupported, false, "the broker is too old for this; Kafka 2.5 is the least"};
    case RD_KAFKA_RESP_ERR__BAD_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
        return {ErrorCode::protocol, false, "check that the address is a Kafka broker's"};
    case RD_KAFKA_RESP_ERR__DESTROY:
    case RD_KAFKA_RESP_ERR__PURGE_QUEUE:
    case RD_KAFKA_RESP_ERR__PURGE_INFLIGHT: return {ErrorCode::closed, false, {}};
    case RD_KAFKA_RESP_ERR_INVALID_TRANSACTION_TIMEOUT:
        return {ErrorCode::invalidArgument, false,
                "lower transaction.timeout.ms to the broker's transaction.max.timeout.ms or less"};
    default: return {code > 0 ? ErrorCode::broker : ErrorCode::internal, false, {}};
    }
}

std::string codeName(int code) {
    const char* name = rd_kafka_err2name(static_cast<rd_kafka_resp_err_t>(code));
    std::string_view view = name == nullptr ? "" : name;
    while (!view.empty() && view.front() == '_') {
        view.remove_prefix(1);
    }
    return code > 0 ? fmt::format("{} {}", code, view) : std::string(view);
}

} // namespace

std::string Place::text() const {
    std::string out;
    const auto add = [&](const std::string& part) {
        if (!out.empty()) {
            out += ", ";
        }
        out += part;
    };
    if (!role.empty()) {
        add("role " + displayText(role));
    }
    if (!topic.empty()) {
        auto part = topic;
        if (partition) {
            part += fmt::format("[{}]", *partition);
        }
        if (offset) {
            part += fmt::format("@{}", *offset);
        }
        add(part);
    }
    if (!bootstrap.empty()) {
        add(bootstrap);
    }
    return out;
}

bool isFence(int code) noexcept {
    return code == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_EPOCH || code == RD_KAFKA_RESP_ERR_PRODUCER_FENCED ||
           code == RD_KAFKA_RESP_ERR__FENCED;
}

Error toError(const Fault& fault, std::string_view doing, const Place& place) {
    const auto meaning = meaningOf(fault.code, place);
    Error error;
    error.code = meaning.code;
    error.kafkaCode = fault.code;
    error.retriable = fault.retriable || meaning.retriable;
    error.fatal = fault.fatal;
    error.requiresAbort = fault.requiresAbort;
    error.fenced = isFence(fault.code);
    error.where = place.text();
    error.hint = meaning.hint;
    const auto text =
        fault.text.empty() ? rd_kafka_err2str(static_cast<rd_kafka_resp_err_t>(fault.code)) : fault.text;
    if (error.fenced) {
        error.retriable = false;
        error.what =
            fmt::format("token lost: {} was refused, a newer epoch exists ({})", doing, codeName(fault.code));
    } else {
        error.what = fmt::format("{} failed: {} ({})", doing, text, codeName(fault.code));
    }
    return error;
}

Error settingsError(std::string_view reason, std::string where) {
    const auto says = [&](std::string_view words) { return reason.find(words) != std::string_view::npos; };
    Error error;
    error.code = ErrorCode::invalidArgument;
    error.where = std::move(where);
    // The client library passes OpenSSL's words on; these are the ones for a passphrase that does not fit.
    if (says("PKCS#12") && says("mac verify failure")) {
        error.what = fmt::format("wrong passphrase for the file of ssl.keystore.location [{}]", reason);
        error.hint = "correct ssl.keystore.password";
    } else if ((says("ssl.key.location failed") || says("ssl.key.pem failed")) &&
               (says("PEM lib") || says("bad decrypt") || says("bad password read"))) {
        error.what =
            fmt::format("wrong passphrase for the client's key, or it is no key in PEM form [{}]", reason);
        error.hint = "correct ssl.key.password, or the file of ssl.key.location";
    } else {
        error.what = fmt::format("librdkafka refuses the settings: {}", reason);
        error.hint = "correct the named property";
    }
    return error;
}

Error explainConnection(Error error, const ConnectionDiary& diary) {
    if (error.code != ErrorCode::timeout && error.code != ErrorCode::unreachable) {
        return error;
    }
    const auto entry = diary.telling();
    if (!entry) {
        return error;
    }
    error.code = isRefusal(entry->trouble) ? ErrorCode::refused : ErrorCode::unreachable;
    error.retriable = !isMisconfiguration(entry->trouble);
    if (const auto clause = connectionClause(entry->trouble); !clause.empty()) {
        error.what += fmt::format(": {}", clause);
    }
    error.what += fmt::format(" [{}]", entry->text);
    if (const auto hint = connectionHint(entry->trouble); !hint.empty()) {
        error.hint = hint;
    }
    return error;
}

Error unreachableError(std::string_view doing, const Place& place, const ConnectionDiary& diary) {
    Error error;
    error.code = ErrorCode::unreachable;
    error.what = fmt::format("{} failed: no broker can be reached", doing);
    error.where = place.text();
    error.hint = "check that the brokers are up and that bootstrap.servers is right";
    error.retriable = true;
    return explainConnection(std::move(error), diary);
}

Error timeoutError(std::string_view doing, const Place& place, Millis waited) {
    Error error;
    error.code = ErrorCode::timeout;
    error.what = fmt::format("{} did not end within {} ms", doing, waited.count());
    error.where = place.text();
    error.hint = "check that the brokers are up and answer, then try again";
    error.retriable = true;
    error.kafkaCode = RD_KAFKA_RESP_ERR__TIMED_OUT;
    return error;
}

Error closedError(std::string_view doing, const Place& place) {
    Error error;
    error.code = ErrorCode::closed;
    error.what = fmt::format("{} failed: the connection to the cluster was closed by this side", doing);
    error.where = place.text();
    return error;
}

} // namespace bellwether::kafka
