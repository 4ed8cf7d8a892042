// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "process.h"
#include "test_cluster.h"

namespace bellwether::brokertest {

/// A member that takes one step at a time and says whether the cluster accepted it.
class Member {
public:
    explicit Member(MemberId name)
        : id(std::move(name)) {}

    virtual ~Member() = default;
    Member(const Member&) = delete;
    Member& operator=(const Member&) = delete;

    virtual bool enlist() = 0;
    virtual bool mint() = 0;
    /// One lease record, begun, written and committed.
    virtual bool renew() = 0;

    /// What was said at the last refusal.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

    /// Kafka's code of the last refusal; -1 when it had none.
    [[nodiscard]] int refusedWith() const { return code_; }

    /// Of the last mint.
    [[nodiscard]] FencingToken token() const { return token_; }

    const MemberId id;

protected:
    bool refuse(std::string text, int code) {
        refusal_ = std::move(text);
        code_ = code;
        return false;
    }

    FencingToken token_ = FencingToken::none();

private:
    std::string refusal_;
    int code_ = -1;
};

/// On this repository's own transport.
class LibraryMember final : public Member {
public:
    LibraryMember(const TestCluster& cluster, Role role, MemberId name);
    bool enlist() override;
    bool mint() override;
    bool renew() override;

private:
    Role role_;
    std::unique_ptr<CoordinationTransport> transport_;
};

/// On Java's kafka-clients 4.4, whatever release the cluster is.
class JavaMember final : public Member {
public:
    JavaMember(const TestCluster& cluster, const Role& role, MemberId name,
               int transactionTimeoutMs = 60'000);
    bool enlist() override;
    bool mint() override;
    bool renew() override;

    /// One line of CommandedMember.java; false when it was refused or did not answer.
    bool step(const std::string& command);

    /// The producer's own pair, as it stands after the last step.
    [[nodiscard]] FencingToken own() const { return own_; }

private:
    Process process_;
    FencingToken own_ = FencingToken::none();
};

} // namespace bellwether::brokertest
