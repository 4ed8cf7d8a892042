// SPDX-License-Identifier: Apache-2.0
#include "kafka/minting_producer.h"

#include <algorithm>

#include <fmt/format.h>

#include "coordination/role_partition.h"
#include "kafka/cluster_query.h"
#include "kafka/record_sender.h"

namespace bellwether::kafka {
namespace {

/// Each call of init_transactions resumes the last one, and asks the coordinator anew: a short slice gets
/// past the library's fixed timer of 500 ms when the coordinator is still ending the former holder's
/// transaction.
constexpr Millis kInitSlice{20};
/// No transactional call blocks longer: close() waits for it.
constexpr Millis kSlice{100};
constexpr Millis kTokenWait{3'000};

} // namespace

MintingProducer::MintingProducer(const KafkaConfig& config, const Role& role)
    : config_(config)
    , role_(role)
    , own_(std::make_shared<OwnToken>()) {}

Result<std::unique_ptr<MintingProducer>> MintingProducer::mint(const KafkaConfig& config, const Role& role,
                                                               const CallLimit& limit) {
    if (role.str().find('\0') != std::string::npos) {
        return fail(ErrorCode::unsupported, "the role's name holds a NUL, which librdkafka cannot carry",
                    Place{config.bootstrap, {}, {}, {}, role.str()}.text(),
                    "use a member of another client for it");
    }
    std::unique_ptr<MintingProducer> producer(new MintingProducer(config, role));
    auto conf = makeConf(config, ClientPurpose::minting, {{"transactional.id", role.str()}});
    if (!conf) {
        return fail(std::move(conf.error()));
    }
    auto client = Client::make(RD_KAFKA_PRODUCER, std::move(*conf), config, producer->own_);
    if (!client) {
        return fail(std::move(client.error()));
    }
    producer->client_ = std::move(*client);
    if (auto done = producer->initialize(limit); !done) {
        return fail(std::move(done.error()));
    }
    return producer;
}

void MintingProducer::beginClose() {
    if (client_) {
        client_->beginDestruction();
    }
}

Result<void> MintingProducer::initialize(const CallLimit& limit) {
    constexpr std::string_view kDoing = "minting an epoch";
    const Place place{config_.bootstrap, {}, {}, {}, role_.str()};
    Fault last;
    MetadataNudge nudge(*client_);
    while (const ErrorHandle error{rd_kafka_init_transactions(client_->get(), limit.slice(kInitSlice))}) {
        last = faultOf(*error);
        if (last.fatal || !last.retriable) {
            return fail(translate(last, kDoing, place));
        }
        if (auto ended = limit.ended(*client_, kDoing, place)) {
            // What the coordinator answered says more than that the time is over.
            return fail(ended->code == ErrorCode::timeout && last.code > 0 ? translate(last, kDoing, place)
                                                                           : std::move(*ended));
        }
        nudge.pulse(limit);
    }
    client_->diary().noteReached();
    auto token = own_->waitForToken(std::min(kTokenWait, std::max(kSlice, limit.remaining())));
    if (!token) {
        return fail(ErrorCode::internal, "librdkafka does not tell the epoch that it was given", place.text(),
                    "use librdkafka 2.14 as built by packaging/setup/librdkafka");
    }
    minted_ = *token;
    atRest_ = *token;
    return {};
}

Result<void> MintingProducer::write(const std::string& key, const std::optional<std::string>& value,
                                    std::string_view doing, const CallLimit& limit) {
    if (lost_) {
        return fail(*lost_);
    }
    Place place{config_.bootstrap, config_.topic, {}, {}, role_.str()};
    if (unusable_) {
        return fail(ErrorCode::notMinted, "the role's producer was given up after an earlier error",
                    place.text(), "acquire again");
    }
    if (const auto fatal = client_->fatalError(); fatal.code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return fail(giveUp(translate(fatal, doing, place)));
    }
    if (auto done = finishOldAbort(doing, place, limit); !done) {
        return done;
    }
    if (own_->current() != atRest_) {
        return fail(giveUp(tokenLost(doing, place)));
    }
    const auto count = askPartitionCount(*client_, config_.topic, limit);
    if (!count) {
        return fail(count.error());
    }
    const auto partition = rolePartition(role_, *count);
    place.partition = partition;
    if (const ErrorHandle error{rd_kafka_begin_transaction(client_->get())}) {
        return fail(giveUp(translate(faultOf(*error), doing, place)));
    }
    if (auto done = deliver(partition, key, value, doing, place, limit); !done) {
        return fail(abandon(std::move(done.error()), doing, place, limit));
    }
    return commit(doing, place, limit);
}

Result<void> MintingProducer::finishOldAbort(std::string_view doing, const Place& place,
                                             const CallLimit& limit) {
    if (!abortPending_) {
        return {};
    }
    Error cause = timeoutError(doing, place, limit.timeout());
    cause.what = fmt::format("{} was not tried: an earlier transaction is not aborted yet", doing);
    cause = abandon(std::move(cause), doing, place, limit);
    if (abortPending_ || unusable_) {
        return fail(std::move(cause));
    }
    return {};
}

Result<void> MintingProducer::deliver(std::int32_t partition, const std::string& key,
                                      const std::optional<std::string>& value, std::string_view doing,
                                      const Place& place, const CallLimit& limit) {
    const auto ticket = own_->newTicket();
    if (auto sent = sendRecord(*client_, config_.topic, partition, key, value, ticket, doing, place, limit);
        !sent) {
        return sent;
    }
    std::optional<Fault> report;
    MetadataNudge nudge(*client_);
    while (!(report = own_->waitForDelivery(ticket, Millis{limit.slice(kSlice)}))) {
        if (auto ended = limit.ended(*client_, doing, place)) {
            return fail(std::move(*ended));
        }
        nudge.pulse(limit);
    }
    if (report->code == RD_KAFKA_RESP_ERR_NO_ERROR) {
        return {};
    }
    if (const auto fatal = client_->fatalError(); fatal.code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return fail(translate(fatal, doing, place));
    }
    if (report->code == RD_KAFKA_RESP_ERR__PURGE_QUEUE || report->code == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT) {
        // The record fell with its transaction, and a commit of that tells why without sending anything.
        const ErrorHandle error{rd_kafka_commit_transaction(client_->get(), limit.slice(kSlice))};
        if (error && rd_kafka_error_txn_requires_abort(error.get()) != 0) {
            return fail(translate(faultOf(*error), doing, place));
        }
    }
    return fail(translate(*report, doing, place));
}

Result<void> MintingProducer::commit(std::string_view doing, const Place& place, const CallLimit& limit) {
    const auto unknownOutcome = [&](Error error) {
        error.what += "; its commit was sent, and whether it counts is not known";
        return giveUp(std::move(error));
    };
    MetadataNudge nudge(*client_);
    while (true) {
        const ErrorHandle error{rd_kafka_commit_transaction(client_->get(), limit.slice(kSlice))};
        if (!error) {
            client_->diary().noteReached();
            atRest_ = own_->current().value_or(atRest_);
            return {};
        }
        const auto fault = faultOf(*error);
        if (isFence(fault.code) || fault.code == RD_KAFKA_RESP_ERR_INVALID_PRODUCER_ID_MAPPING) {
            return fail(giveUp(translate(fault, doing, place)));
        }
        if (const auto fatal = client_->fatalError(); fatal.code != RD_KAFKA_RESP_ERR_NO_ERROR) {
            auto cause = translate(fatal, doing, place);
            return fail(cause.fenced ? giveUp(std::move(cause)) : unknownOutcome(std::move(cause)));
        }
        // A broker's refusal is certain; a timeout, the broker's too, is not.
        if (fault.requiresAbort && fault.code > 0 && fault.code != RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT) {
            return fail(abandon(translate(fault, doing, place), doing, place, limit));
        }
        if (fault.requiresAbort || !fault.retriable) {
            return fail(unknownOutcome(translate(fault, doing, place)));
        }
        if (auto ended = limit.ended(*client_, doing, place)) {
            return fail(unknownOutcome(std::move(*ended)));
        }
        nudge.pulse(limit);
    }
}

Error MintingProducer::abandon(Error cause, std::string_view doing, const Place& place,
                               const CallLimit& limit) {
    // An abort after these would ask the coordinator for a new epoch behind the caller's back.
    if (cause.fenced || cause.fatal || cause.code == ErrorCode::idExpired ||
        cause.code == ErrorCode::closed) {
        return giveUp(std::move(cause));
    }
    if (!abortPending_) {
        abortPending_ = true;
        abortBegan_ = steadyNow();
    }
    MetadataNudge nudge(*client_);
    while (true) {
        const ErrorHandle error{rd_kafka_abort_transaction(client_->get(), limit.slice(kSlice))};
        if (!error) {
            abortPending_ = false;
            cause.requiresAbort = false;
            if (own_->current() != atRest_) {
                return giveUp(tokenLost(doing, place));
            }
            return cause;
        }
        auto fault = faultOf(*error);
        if (const auto fatal = client_->fatalError(); fatal.code != RD_KAFKA_RESP_ERR_NO_ERROR) {
            fault = fatal;
        }
        if (fault.fatal || isFence(fault.code)) {
            return giveUp(translate(fault, doing, place));
        }
        if (auto ended = limit.ended(*client_, doing, place)) {
            if (ended->code == ErrorCode::closed) {
                return giveUp(std::move(cause));
            }
            cause.requiresAbort = false; // the next write sees to it
            // By now the coordinator has ended the transaction itself, and with it the token, if it knows of
            // it at all.
            return steadyNow() - abortBegan_ > config_.transactionTimeout ? giveUp(std::move(cause)) : cause;
        }
        if (!fault.retriable && !fault.requiresAbort) {
            return giveUp(translate(fault, doing, place));
        }
        nudge.pulse(limit);
    }
}

Error MintingProducer::giveUp(Error cause) {
    unusable_ = true;
    abortPending_ = false;
    client_.reset();
    if (cause.code == ErrorCode::closed) {
        return cause;
    }
    cause.fatal = true; // nothing can be written under the token any more
    cause.retriable = false;
    cause.requiresAbort = false;
    if (cause.fenced) {
        lost_ = cause;
    } else if (cause.code != ErrorCode::idExpired) {
        cause.hint = "the role's producer had to be given up: read the role, then acquire again";
    }
    return cause;
}

Error MintingProducer::translate(const Fault& fault, std::string_view doing, const Place& place) const {
    auto precise = fault;
    if (fault.code == RD_KAFKA_RESP_ERR__FENCED) {
        precise.code = own_->fenceCode().value_or(fault.code);
    }
    return explainConnection(toError(precise, doing, place), client_->diary());
}

Error MintingProducer::tokenLost(std::string_view doing, const Place& place) const {
    const auto now = own_->current();
    Error error;
    error.code = ErrorCode::fenced;
    error.fenced = true;
    error.what =
        fmt::format("token lost: {} does not count, the producer's epoch moved from {} to {} when a failed "
                    "transaction was undone",
                    doing, atRest_.text(), now ? now->text() : "none");
    error.where = place.text();
    error.hint = "stop acting as leader; read the role before competing again";
    return error;
}

} // namespace bellwether::kafka
