// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "coordination/ids.h"
#include "kafka/client_conf.h"
#include "kafka/own_token.h"

namespace bellwether::kafka {

/// The transactional producer of one role: transactional.id is the role's name, and the epoch it is given is
/// the leadership. One thread at a time.
class MintingProducer {
public:
    /// A new producer with a new epoch: InitProducerId, which fences whoever held the role.
    [[nodiscard]] static Result<std::unique_ptr<MintingProducer>>
    mint(const KafkaConfig& config, const Role& role, const CallLimit& limit);

    [[nodiscard]] FencingToken token() const noexcept { return minted_; }

    /// Writes one record (nullopt is a tombstone) into the role's partition in a transaction of its own.
    [[nodiscard]] Result<void> write(const std::string& key, const std::optional<std::string>& value,
                                     std::string_view doing, const CallLimit& limit);

    /// False after an error that leaves the producer without use; a fence stays the answer of every later
    /// write.
    [[nodiscard]] bool usable() const noexcept { return !unusable_; }

    /// Starts the end without waiting for it; nothing else is called then but the destructor.
    void beginClose();

private:
    MintingProducer(const KafkaConfig& config, const Role& role);
    [[nodiscard]] Result<void> initialize(const CallLimit& limit);
    [[nodiscard]] Result<void> finishOldAbort(std::string_view doing, const Place& place,
                                              const CallLimit& limit);
    [[nodiscard]] Result<void> deliver(std::int32_t partition, const std::string& key,
                                       const std::optional<std::string>& value, std::string_view doing,
                                       const Place& place, const CallLimit& limit);
    [[nodiscard]] Result<void> commit(std::string_view doing, const Place& place, const CallLimit& limit);
    /// Ends the transaction after `cause`, and says what the caller is to hear.
    [[nodiscard]] Error abandon(Error cause, std::string_view doing, const Place& place,
                                const CallLimit& limit);
    /// Closes the producer: nothing is written under the token any more, and the error says so by `fatal`.
    [[nodiscard]] Error giveUp(Error cause);
    [[nodiscard]] Error translate(const Fault& fault, std::string_view doing, const Place& place) const;
    [[nodiscard]] Error tokenLost(std::string_view doing, const Place& place) const;

    KafkaConfig config_;
    Role role_;
    std::shared_ptr<OwnToken> own_;
    std::unique_ptr<Client> client_;
    FencingToken minted_;
    FencingToken atRest_; ///< the producer's pair after its last transaction
    std::optional<Error> lost_;
    bool abortPending_ = false;
    SteadyTime abortBegan_{};
    bool unusable_ = false;
};

} // namespace bellwether::kafka
