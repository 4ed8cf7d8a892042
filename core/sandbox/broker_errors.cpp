// SPDX-License-Identifier: Apache-2.0
#include "sandbox/broker_errors.h"

#include <utility>

namespace bellwether::sandbox {
namespace {

Error make(ErrorCode code, std::string what, std::string where, std::string hint) {
    Error error;
    error.code = code;
    error.what = std::move(what);
    error.where = std::move(where);
    error.hint = std::move(hint);
    return error;
}

Error fencedError(std::string what, std::string where) {
    Error error = make(ErrorCode::fenced, std::move(what), std::move(where),
                       "the leadership is over: stop acting for the role, then wait for the next turn");
    error.fenced = true;
    error.fatal = true;
    return error;
}

Error withCode(Error error, BrokerCode code) {
    error.kafkaCode = static_cast<int>(code);
    return error;
}

} // namespace

Error brokerError(BrokerCode code, std::string where) {
    switch (code) {
    case BrokerCode::unknownTopicOrPartition:
        return withCode(make(ErrorCode::topicMissing, "the topic or partition does not exist",
                             std::move(where), "check the name of the coordination topic"),
                        code);
    case BrokerCode::invalidProducerEpoch:
        return withCode(fencedError("the partition refused an old producer epoch", std::move(where)), code);
    case BrokerCode::producerFenced:
        return withCode(fencedError("the coordinator refused an old producer epoch", std::move(where)), code);
    case BrokerCode::invalidProducerIdMapping: {
        Error error = make(ErrorCode::idExpired, "the coordinator does not know this producer of the id",
                           std::move(where), "mint a new epoch");
        error.fatal = true;
        return withCode(std::move(error), code);
    }
    case BrokerCode::concurrentTransactions: {
        Error error = make(ErrorCode::busy, "the coordinator is still ending the transaction before",
                           std::move(where), "ask again");
        error.retriable = true;
        return withCode(std::move(error), code);
    }
    case BrokerCode::invalidTxnState: {
        Error error = make(ErrorCode::broker, "the transaction is in no state for this request",
                           std::move(where), "abort the transaction and begin another");
        error.requiresAbort = true;
        return withCode(std::move(error), code);
    }
    }
    return make(ErrorCode::internal, "a broker code without a meaning", std::move(where), {});
}

Error unreachableError(std::string where) {
    Error error = make(ErrorCode::unreachable, "no broker of the sandbox answers", std::move(where),
                       "its brokers are switched off; switch them on again");
    error.retriable = true;
    return error;
}

Error timeoutError(std::string what, std::string where) {
    Error error = make(ErrorCode::timeout, std::move(what), std::move(where), "try again");
    error.retriable = true;
    return error;
}

Error closedError(std::string what) {
    return make(ErrorCode::closed, std::move(what), "sandbox", "open another one");
}

} // namespace bellwether::sandbox
