// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_transport.h"

#include <atomic>
#include <map>
#include <mutex>

#include <fmt/format.h>

#include "kafka/log_consumer_handle.h"
#include "kafka/minting_producer.h"
#include "kafka/registrar.h"
#include "kafka/role_reader.h"

namespace bellwether::kafka {
namespace {

class KafkaTransport final : public CoordinationTransport {
public:
    KafkaTransport(KafkaConfig config, std::shared_ptr<Authority> authority)
        : config_(std::move(config))
        , authority_(std::move(authority)) {}

    ~KafkaTransport() override { shut(); }

    Result<FencingToken> acquireEpoch(const Role& role) override;
    Result<std::vector<CoordinationEntry>> readRoleRecords(const Role& role) override;
    Result<void> registerMember(const Role& role, const Registration& registration) override;
    Result<void> deregisterMember(const Role& role, const MemberId& member) override;
    Result<void> writeLease(const Role& role, FencingToken token, const Lease& lease) override;
    Result<void> clearLease(const Role& role, FencingToken token) override;
    Result<std::optional<FencingToken>> describe(const Role& role) override;

    void close() override { shut(); }

private:
    void shut();
    [[nodiscard]] Error closed(std::string_view doing, const Role& role) const;
    [[nodiscard]] Result<void> append(const Role& role, const std::string& key,
                                      const std::optional<std::string>& value, std::string_view doing);
    [[nodiscard]] Result<void> transact(const Role& role, FencingToken token,
                                        const std::optional<std::string>& value, std::string_view doing);

    const KafkaConfig config_;
    const std::shared_ptr<Authority> authority_;
    std::atomic<bool> closing_{false};
    std::mutex mutex_; ///< one call at a time; close() raises closing_ first, which ends the call in progress
    std::map<Role, std::unique_ptr<MintingProducer>> producers_;
    std::unique_ptr<Registrar> registrar_;
    std::unique_ptr<LogConsumer> reader_;
};

Error KafkaTransport::closed(std::string_view doing, const Role& role) const {
    return closedError(doing, Place{config_.bootstrap, config_.topic, {}, {}, role.str()});
}

Result<FencingToken> KafkaTransport::acquireEpoch(const Role& role) {
    const std::scoped_lock lock(mutex_);
    if (closing_) {
        return fail(closed("minting an epoch", role));
    }
    const CallLimit limit(config_.timeout, closing_);
    // The former token is dead from here on, also if the new one does not come about: its producer must not
    // be able to write once the coordinator may have moved on.
    producers_.erase(role);
    auto producer = MintingProducer::mint(config_, role, limit);
    if (!producer) {
        return fail(std::move(producer.error()));
    }
    const auto token = (*producer)->token();
    producers_[role] = std::move(*producer);
    return token;
}

Result<std::vector<CoordinationEntry>> KafkaTransport::readRoleRecords(const Role& role) {
    const std::scoped_lock lock(mutex_);
    if (closing_) {
        return fail(closed("reading the role", role));
    }
    const CallLimit limit(config_.timeout, closing_);
    if (!reader_) {
        auto opened = openLogConsumer(config_, ClientPurpose::readingRole, Isolation::readCommitted, nullptr,
                                      &closing_);
        if (!opened) {
            return fail(std::move(opened.error()));
        }
        reader_ = std::move(*opened);
    }
    auto entries = readRole(*reader_, role, config_.bootstrap, config_.topic,
                            [&] { return closing_ ? Millis{0} : limit.remaining(); });
    if (!entries && closing_) {
        return fail(closed("reading the role", role));
    }
    return entries;
}

Result<void> KafkaTransport::append(const Role& role, const std::string& key,
                                    const std::optional<std::string>& value, std::string_view doing) {
    const std::scoped_lock lock(mutex_);
    if (closing_) {
        return fail(closed(doing, role));
    }
    const CallLimit limit(config_.timeout, closing_);
    if (!registrar_) {
        auto opened = Registrar::open(config_);
        if (!opened) {
            return fail(std::move(opened.error()));
        }
        registrar_ = std::move(*opened);
    }
    return registrar_->append(role, key, value, doing, limit);
}

Result<void> KafkaTransport::registerMember(const Role& role, const Registration& registration) {
    return append(role, encodeRegistrationKey(role, registration.member),
                  encodeRegistrationValue(registration), "registering the member");
}

Result<void> KafkaTransport::deregisterMember(const Role& role, const MemberId& member) {
    return append(role, encodeRegistrationKey(role, member), std::nullopt, "deregistering the member");
}

Result<void> KafkaTransport::transact(const Role& role, FencingToken token,
                                      const std::optional<std::string>& value, std::string_view doing) {
    const std::scoped_lock lock(mutex_);
    if (closing_) {
        return fail(closed(doing, role));
    }
    const CallLimit limit(config_.timeout, closing_);
    const auto found = producers_.find(role);
    if (found == producers_.end() || found->second->token() != token) {
        return fail(
            ErrorCode::notMinted,
            found == producers_.end()
                ? fmt::format("this member has minted no token for the role, {} is not its own", token.text())
                : fmt::format("this member's token is {}, not {}", found->second->token().text(),
                              token.text()),
            Place{config_.bootstrap, config_.topic, {}, {}, role.str()}.text(), "acquire first");
    }
    return found->second->write(encodeLeaseKey(role), value, doing, limit);
}

Result<void> KafkaTransport::writeLease(const Role& role, FencingToken token, const Lease& lease) {
    if (lease.token != token) {
        return fail(ErrorCode::invalidArgument, fmt::format("the lease names token {}, the call token {}",
                                                            lease.token.text(), token.text()));
    }
    if (token.producerId < 0 || token.producerEpoch < 0) {
        return fail(ErrorCode::notMinted, fmt::format("{} is no minted token", token.text()), {},
                    "acquire first");
    }
    return transact(role, token, encodeLeaseValue(lease), "writing the lease");
}

Result<void> KafkaTransport::clearLease(const Role& role, FencingToken token) {
    return transact(role, token, std::nullopt, "clearing the lease");
}

Result<std::optional<FencingToken>> KafkaTransport::describe(const Role& role) {
    constexpr std::string_view kDoing = "asking the coordinator";
    if (closing_) {
        return fail(closed(kDoing, role));
    }
    const auto answers = describeRolesAndWait(*authority_, {role}, config_.timeout);
    if (answers.size() != 1) {
        return fail(ErrorCode::internal, "the coordinator's answer is missing", role.str());
    }
    const auto& answer = answers.front().answer;
    switch (answer.kind) {
    case CoordinatorAnswer::Kind::described: return std::optional(answer.token);
    case CoordinatorAnswer::Kind::unknownId: return std::optional<FencingToken>();
    default: break;
    }
    return fail(answer.error ? *answer.error
                             : timeoutError(kDoing, Place{config_.bootstrap, {}, {}, {}, role.str()},
                                            config_.timeout));
}

void KafkaTransport::shut() {
    closing_ = true;
    const std::scoped_lock lock(mutex_);
    for (auto& [role, producer] : producers_) {
        producer->beginClose();
    }
    producers_.clear();
    registrar_.reset();
    reader_.reset();
}

} // namespace

Result<std::unique_ptr<CoordinationTransport>> makeKafkaTransport(KafkaConfig config,
                                                                  std::shared_ptr<Authority> authority) {
    if (auto checked = checkConfig(config); !checked) {
        return fail(std::move(checked.error()));
    }
    if (!authority) {
        return fail(ErrorCode::invalidArgument, "a transport needs an authority to ask");
    }
    return std::make_unique<KafkaTransport>(std::move(config), std::move(authority));
}

} // namespace bellwether::kafka
