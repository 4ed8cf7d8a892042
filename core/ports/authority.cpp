// SPDX-License-Identifier: Apache-2.0
#include "ports/authority.h"

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace bellwether {
namespace {

/// An implementation answers by its timeout; one that does not must not hang a command line for ever.
constexpr Millis kGrace{10'000};
constexpr Millis kLongest{24LL * 60 * 60 * 1000};

Error noAnswer() {
    Error error;
    error.code = ErrorCode::internal;
    error.what = "the authority gave no answer, not even a timeout";
    return error;
}

/// Where a handler leaves its answers; shared, as the handler may outlive the wait.
template<typename Value>
class Mailbox {
public:
    template<typename Store>
    void put(bool last, Store store) {
        const std::lock_guard lock(mutex_);
        store(value_);
        complete_ = complete_ || last;
        if (complete_) {
            arrived_.notify_all();
        }
    }

    /// What has come when everything has, or at the end of the wait.
    [[nodiscard]] Value take(Millis timeout) {
        std::unique_lock lock(mutex_);
        arrived_.wait_for(lock, std::clamp(timeout, Millis{0}, kLongest) + kGrace,
                          [this] { return complete_; });
        return std::move(value_);
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    bool complete_ = false;
    Value value_{};
};

} // namespace

std::vector<RoleAnswer> describeRolesAndWait(Authority& authority, std::vector<Role> roles, Millis timeout) {
    const auto mailbox = std::make_shared<Mailbox<std::unordered_map<Role, CoordinatorAnswer>>>();
    authority.describeRoles(roles, timeout, [mailbox](std::vector<RoleAnswer> answers, bool last) {
        mailbox->put(last, [&](auto& all) {
            for (auto& each : answers) {
                all.insert_or_assign(each.role, std::move(each.answer));
            }
        });
    });
    const auto all = mailbox->take(timeout);
    std::vector<RoleAnswer> ordered;
    ordered.reserve(roles.size());
    for (auto& role : roles) {
        CoordinatorAnswer answer;
        if (const auto found = all.find(role); found != all.end()) {
            answer = found->second;
        } else {
            answer.kind = CoordinatorAnswer::Kind::failed;
            answer.error = noAnswer();
        }
        ordered.push_back({std::move(role), std::move(answer)});
    }
    return ordered;
}

std::vector<ProducersAnswer> describeProducersAndWait(Authority& authority, std::string topic,
                                                      std::vector<std::int32_t> partitions, Millis timeout) {
    const auto mailbox = std::make_shared<Mailbox<std::vector<ProducersAnswer>>>();
    authority.describeProducers(std::move(topic), partitions, timeout,
                                [mailbox](std::vector<ProducersAnswer> answers) {
                                    mailbox->put(true, [&](auto& all) { all = std::move(answers); });
                                });
    const auto all = mailbox->take(timeout);
    std::vector<ProducersAnswer> ordered;
    ordered.reserve(partitions.size());
    for (const auto partition : partitions) {
        const auto found = std::find_if(all.begin(), all.end(),
                                        [&](const auto& each) { return each.partition == partition; });
        ordered.push_back(found != all.end() ? *found : ProducersAnswer{partition, fail(noAnswer())});
    }
    return ordered;
}

TransactionListing listTransactionsAndWait(Authority& authority, std::vector<std::int64_t> producerIds,
                                           Millis timeout) {
    const auto mailbox = std::make_shared<Mailbox<std::optional<TransactionListing>>>();
    authority.listTransactions(std::move(producerIds), timeout, [mailbox](TransactionListing listing) {
        mailbox->put(true, [&](auto& slot) { slot = std::move(listing); });
    });
    auto listing = mailbox->take(timeout);
    return listing ? std::move(*listing) : TransactionListing{{}, {noAnswer()}};
}

Result<ClusterInfo> describeClusterAndWait(Authority& authority, Millis timeout) {
    const auto mailbox = std::make_shared<Mailbox<std::optional<Result<ClusterInfo>>>>();
    authority.describeCluster(timeout, [mailbox](Result<ClusterInfo> info) {
        mailbox->put(true, [&](auto& slot) { slot = std::move(info); });
    });
    auto info = mailbox->take(timeout);
    if (!info) {
        return fail(noAnswer());
    }
    return std::move(*info);
}

} // namespace bellwether
