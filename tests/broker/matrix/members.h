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
    /// Kafka's code of the last refusal as far as the member tells it; for the table.
    [[nodiscard]] virtual std::string refusal() const = 0;

    const MemberId id;
};

/// On this repository's own transport.
class LibraryMember final : public Member {
public:
    LibraryMember(const TestCluster& cluster, Role role, MemberId name);
    bool enlist() override;
    bool mint() override;
    bool renew() override;

    [[nodiscard]] std::string refusal() const override { return refusal_; }

private:
    Role role_;
    std::unique_ptr<CoordinationTransport> transport_;
    FencingToken token_ = FencingToken::none();
    std::string refusal_;
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

    [[nodiscard]] std::string refusal() const override { return refusal_; }

private:
    Process process_;
    std::string refusal_;
};

} // namespace bellwether::brokertest
