// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "client/coordination_client.h"
#include "ctl/member_event.h"

namespace bellwether::ctl {

struct MemberRunOptions {
    Role role;
    MemberId member;
    LeaseTiming timing;
    std::optional<Millis> holdFor; ///< leave after having led for so long (steady time)
    bool once = false;             ///< end when the role is lost instead of registering again
    bool deregister = true;        ///< leave the roster at the end
};

enum class MemberRunEnd {
    left,        ///< stopped, or held for as long as asked: resigned and deregistered
    leftUnclean, ///< the same, but the cluster took the resignation or the deregistration not
    lost,        ///< `once`, and the role was lost
    failed,      ///< an error that no retry cures, or a second process of the same member name
};

/// A member that keeps a role until stop is requested: registers, waits for its turn, leads, renews; after a
/// fence registers again (and so goes to the tail) and waits. Owns neither transport nor clock. Blocks; one
/// thread.
class MemberRun {
public:
    MemberRun(CoordinationTransport& transport, Clock& clock, MemberRunOptions options, MemberEventSink sink);

    [[nodiscard]] MemberRunEnd run(std::stop_token stop);

    /// What `failed` and `leftUnclean` came from.
    [[nodiscard]] const std::optional<Error>& error() const noexcept { return error_; }

private:
    enum class Step { goOn, leave, lost, failed };

    [[nodiscard]] Step compete(std::stop_token stop);
    [[nodiscard]] Step lead(std::stop_token stop);
    [[nodiscard]] Step lose(const Error& reason);
    [[nodiscard]] MemberRunEnd leave();
    [[nodiscard]] Step pause(Millis duration, std::stop_token stop);
    void reportWait(const CoordinationClient::Attempt& attempt);
    [[nodiscard]] Step reportTrouble(const Error& error);
    [[nodiscard]] std::optional<Lease> newerLease();
    [[nodiscard]] std::string whoFenced(const std::optional<Lease>& successor);
    void tell(MemberEventKind kind, std::string detail = {}, std::optional<WallTime> until = std::nullopt);

    CoordinationTransport& transport_;
    Clock& clock_;
    MemberRunOptions options_;
    MemberEventSink sink_;
    CoordinationClient client_;
    std::unique_ptr<Leadership> leadership_;
    std::optional<FencingToken> token_; ///< the last one minted
    std::string waitTold_;              ///< what the last waiting line was about
    std::string troubleTold_;           ///< the last trouble line; empty after a success
    std::optional<Error> error_;
    bool heard_ = true; ///< the sink still takes events
};

} // namespace bellwether::ctl
