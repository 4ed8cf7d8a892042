// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/roles_operation.h"

#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "kafka/wire/kafka_error.h"

namespace bellwether::kafka::wire {
namespace {

/// For a command that can be copied.
std::string shellWord(const std::string& name) {
    std::string word = "'";
    for (const char c : displayText(name)) {
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return word + "'";
}

WallTime wallNow() {
    return std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
}

CoordinatorAnswer answerOf(const DescribeTransactionsResponse::State& state, const std::string& where) {
    CoordinatorAnswer answer;
    if (state.errorCode == kTransactionalIdNotFound) {
        answer.kind = CoordinatorAnswer::Kind::unknownId;
        return answer;
    }
    if (state.errorCode != kNone) {
        answer.kind = CoordinatorAnswer::Kind::failed;
        answer.error = brokerError(state.errorCode, "the coordinator does not describe the role", where);
        if (const auto at = answer.error->hint.find("ROLE"); at != std::string::npos) {
            answer.error->hint.replace(at, 4, shellWord(state.transactionalId));
        }
        return answer;
    }
    answer.kind = CoordinatorAnswer::Kind::described;
    answer.token = FencingToken{state.producerId, state.producerEpoch};
    answer.state = transactionStateFromName(state.state);
    answer.transactionTimeout = Millis{state.timeoutMs};
    if (state.startTimeMs >= 0) {
        answer.transactionStart = wallTime(state.startTimeMs);
    }
    return answer;
}

/// Brokers answer in the order of the request; who does not is looked up by name.
class StateFinder {
public:
    using State = DescribeTransactionsResponse::State;

    explicit StateFinder(const std::vector<State>& states)
        : states_(states) {}

    [[nodiscard]] const State* find(std::size_t expectedAt, std::string_view id) const {
        if (expectedAt < states_.size() && states_[expectedAt].transactionalId == id) {
            return &states_[expectedAt];
        }
        if (byId_.empty()) {
            for (const auto& state : states_) {
                byId_[state.transactionalId] = &state;
            }
        }
        const auto found = byId_.find(id);
        return found == byId_.end() ? nullptr : found->second;
    }

private:
    const std::vector<State>& states_;
    mutable std::unordered_map<std::string_view, const State*> byId_;
};

} // namespace

RolesOperation::RolesOperation(std::shared_ptr<ClusterClient> client, std::vector<Role> roles, Millis timeout,
                               Authority::RolesHandler handler)
    : client_(std::move(client))
    , names_(roles.size())
    , timeout_(timeout)
    , deadline_(deadlineAfter(timeout))
    , handler_(std::move(handler))
    , retryTimer_(client_->io())
    , deadlineTimer_(client_->io()) {
    entries_.reserve(roles.size());
    for (auto& role : roles) {
        const auto next = entries_.size();
        if (names_.add(role.str(), next,
                       [&](std::size_t i) -> const std::string& { return entries_[i].role.str(); }) == next) {
            entries_.push_back({std::move(role), false});
        }
    }
    open_ = entries_.size();
}

std::size_t RolesOperation::indexOf(std::string_view role) const {
    return names_.placeOf(role, [&](std::size_t i) -> const std::string& { return entries_[i].role.str(); });
}

void RolesOperation::start() {
    if (open_ == 0) {
        deliver({});
        return;
    }
    deadlineTimer_.expires_at(deadline_);
    deadlineTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
        if (cancelled || self->done_) {
            return;
        }
        self->answerRest([&](std::size_t index) {
            const auto& entry = self->entries_[index];
            Error error;
            error.code = ErrorCode::timeout;
            error.retriable = true;
            error.what =
                fmt::format("no answer from the role's coordinator within {} ms", self->timeout_.count());
            const auto node = self->client_->coordinatorOf(entry.role.str());
            const auto broker = node ? self->client_->broker(*node) : nullptr;
            const auto failed = self->lastFailures_.find(index);
            const auto last = failed != self->lastFailures_.end() ? std::optional(failed->second)
                              : broker                            ? std::nullopt
                                                                  : self->client_->trouble();
            if (last) {
                error.what += "; last: " + last->what;
                error.where = last->where;
                error.hint = last->hint;
                error.kafkaCode = last->kafkaCode;
            } else {
                error.where = broker ? broker->where() : std::string{};
                error.hint = "the broker is slow, stopped or cut off";
            }
            // Whoever was silent may no longer be the coordinator: the next call looks it up.
            self->client_->forgetCoordinator(entry.role.str());
            return error;
        });
    });
    Indexes all(entries_.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = i;
    }
    proceed(all);
}

void RolesOperation::cancel(const Error& error) {
    if (!done_) {
        answerRest([&](std::size_t) { return error; });
    }
}

void RolesOperation::proceed(const Indexes& indexes) {
    // The brokers are learned once, so that a lookup has more than the bootstrap address to turn to.
    if (!client_->knowsBrokers()) {
        client_->fetchMetadata(
            std::nullopt, deadline_,
            [self = shared_from_this(), indexes](const Result<MetadataResponse>& metadata) {
                if (self->done_) {
                    return;
                }
                if (metadata) {
                    self->proceed(indexes);
                } else if (isPermanent(metadata.error())) {
                    self->answerRest([&](std::size_t) { return metadata.error(); });
                } else {
                    for (const auto index : indexes) {
                        self->retryLater(index, metadata.error());
                    }
                }
            });
        return;
    }
    std::map<std::int32_t, Indexes> byCoordinator;
    std::vector<std::string> unknown;
    for (const auto index : indexes) {
        const auto& role = entries_[index].role.str();
        if (const auto node = client_->coordinatorOf(role)) {
            auto& some = byCoordinator[*node];
            some.push_back(index);
            if (some.size() == kRolesPerRequest) { // the broker works on these while the next are gathered
                askCoordinator(*node, some);
                some.clear();
            }
        } else if (!entries_[index].answered) {
            unknown.push_back(role);
        }
    }
    for (const auto& [node, some] : byCoordinator) {
        askCoordinator(node, some);
    }
    if (!unknown.empty()) {
        client_->findCoordinators(
            std::move(unknown), retrying_, deadline_,
            [self = shared_from_this()](const std::vector<ClusterClient::Lookup>& lookups) {
                self->onCoordinators(lookups);
            });
    }
}

void RolesOperation::onCoordinators(const std::vector<ClusterClient::Lookup>& lookups) {
    if (done_) {
        return;
    }
    std::map<std::int32_t, Indexes> byCoordinator;
    std::vector<RoleAnswer> batch;
    for (const auto& lookup : lookups) {
        const auto index = indexOf(lookup.id);
        if (lookup.coordinator) {
            byCoordinator[*lookup.coordinator].push_back(index);
        } else if (isPermanent(lookup.coordinator.error())) {
            giveFailure(batch, index, lookup.coordinator.error());
        } else {
            retryLater(index, lookup.coordinator.error());
        }
    }
    for (const auto& [node, some] : byCoordinator) {
        askCoordinator(node, some);
    }
    deliver(std::move(batch));
}

void RolesOperation::askCoordinator(std::int32_t nodeId, const Indexes& indexes) {
    const auto coordinator = client_->broker(nodeId);
    if (!coordinator) {
        Error error;
        error.code = ErrorCode::unreachable;
        error.retriable = true;
        error.what = fmt::format("the coordinator, broker {}, has no known address", nodeId);
        for (const auto index : indexes) {
            retryLater(index, error);
        }
        return;
    }
    for (std::size_t begin = 0; begin < indexes.size(); begin += kRolesPerRequest) {
        const auto end = std::min(begin + kRolesPerRequest, indexes.size());
        askBatch(coordinator, Indexes(indexes.begin() + static_cast<std::ptrdiff_t>(begin),
                                      indexes.begin() + static_cast<std::ptrdiff_t>(end)));
    }
}

void RolesOperation::askBatch(const ConnectionPtr& coordinator, Indexes indexes) {
    DescribeTransactionsRequest request;
    for (const auto index : indexes) {
        request.transactionalIds.push_back(entries_[index].role.str());
    }
    ask<DescribeTransactionsResponse>(coordinator, std::move(request), deadline_,
                                      [self = shared_from_this(), indexes = std::move(indexes)](
                                          const Result<Answer<DescribeTransactionsResponse>>& answer) {
                                          self->onDescribed(indexes, answer);
                                      });
}

void RolesOperation::onDescribed(const Indexes& indexes,
                                 const Result<Answer<DescribeTransactionsResponse>>& answer) {
    if (done_) {
        return;
    }
    std::vector<RoleAnswer> batch;
    if (!answer) {
        for (const auto index : indexes) {
            if (answer.error().code == ErrorCode::unsupported) {
                giveFailure(batch, index, unsupported(answer.error()));
            } else if (isPermanent(answer.error())) {
                giveFailure(batch, index, answer.error());
            } else {
                retryLater(index, answer.error());
            }
        }
        deliver(std::move(batch));
        return;
    }
    batch.reserve(indexes.size());
    const StateFinder states(answer->message.states);
    for (std::size_t i = 0; i < indexes.size(); ++i) {
        const auto index = indexes[i];
        const auto* state = states.find(i, entries_[index].role.str());
        if (state == nullptr) {
            auto error =
                fail(ErrorCode::protocol, "DescribeTransactions was answered without this role",
                     answer->where, "ask again; if it stays, the broker or a proxy before it is at fault");
            giveFailure(batch, index, std::move(error).value());
            continue;
        }
        if (coordinatorMoved(state->errorCode)) {
            retryLater(index, brokerError(state->errorCode, "the coordinator does not describe the role",
                                          answer->where));
            continue;
        }
        auto described = answerOf(*state, answer->where);
        described.asOf = answer->receivedWall;
        described.askedAt = atTheLatest(answer->sentAt);
        described.answeredAt = atTheEarliest(answer->receivedAt);
        give(batch, index, std::move(described));
    }
    deliver(std::move(batch));
}

void RolesOperation::retryLater(std::size_t index, const Error& failure) {
    const auto& entry = entries_[index];
    if (entry.answered) {
        return;
    }
    lastFailures_.insert_or_assign(index, failure);
    client_->forgetCoordinator(entry.role.str());
    brokersDoubtful_ =
        brokersDoubtful_ || failure.code == ErrorCode::unreachable || failure.code == ErrorCode::timeout;
    retry_.push_back(index);
    retrying_ = true;
    armRetry();
}

void RolesOperation::armRetry() {
    if (retryArmed_) {
        return;
    }
    retryArmed_ = true;
    retryTimer_.expires_after(pause_.next());
    retryTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
        self->retryArmed_ = false;
        if (!cancelled && !self->done_) {
            const auto indexes = std::move(self->retry_);
            self->retry_.clear();
            if (std::exchange(self->brokersDoubtful_, false) && self->client_->knowsBrokers()) {
                // Beside the lookup, not before it: whoever moved is known for the next attempt.
                self->client_->fetchMetadata(std::nullopt, self->deadline_,
                                             [](const Result<MetadataResponse>&) {});
            }
            self->proceed(indexes);
        }
    });
}

Error RolesOperation::unsupported(const Error& byThatBroker) const {
    auto error = byThatBroker;
    if (!client_->anyAdvertises(ApiKey::describeTransactions)) {
        error.what = "this cluster cannot be asked: no broker advertises DescribeTransactions";
        error.hint = "Kafka 3.0 or later is needed";
    }
    return error;
}

void RolesOperation::answerRest(const std::function<Error(std::size_t index)>& errorOf) {
    std::vector<RoleAnswer> batch;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (!entries_[i].answered) {
            giveFailure(batch, i, errorOf(i));
        }
    }
    deliver(std::move(batch));
}

void RolesOperation::give(std::vector<RoleAnswer>& batch, std::size_t index, CoordinatorAnswer answer) {
    auto& entry = entries_[index];
    if (!entry.answered) {
        entry.answered = true;
        --open_;
        batch.push_back({entry.role, std::move(answer)});
    }
}

void RolesOperation::giveFailure(std::vector<RoleAnswer>& batch, std::size_t index, Error error) {
    CoordinatorAnswer answer;
    answer.kind = CoordinatorAnswer::Kind::failed;
    answer.error = std::move(error);
    answer.asOf = wallNow();
    answer.askedAt = answer.answeredAt = atTheLatest(std::chrono::steady_clock::now());
    give(batch, index, std::move(answer));
}

void RolesOperation::deliver(std::vector<RoleAnswer> batch) {
    const bool last = open_ == 0;
    if (done_ || (batch.empty() && !last)) {
        return;
    }
    done_ = last;
    if (!last) {
        handler_(std::move(batch), false);
        return;
    }
    retryTimer_.cancel();
    deadlineTimer_.cancel();
    const auto keep = shared_from_this();
    client_->release(keep);
    const auto handler = std::move(handler_);
    handler(std::move(batch), true);
}

} // namespace bellwether::kafka::wire
