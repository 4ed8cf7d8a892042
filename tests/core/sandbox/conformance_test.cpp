// SPDX-License-Identifier: Apache-2.0
#include "conformance.h"

#include <string>

#include "manual_clock.h"
#include "sandbox/sandbox_cluster.h"

namespace bellwether::conformance {
namespace {

using sandbox::ClientKind;
using sandbox::SandboxCluster;
using sandbox::SandboxOptions;

class SandboxTransaction final : public OpenTransaction {
public:
    SandboxTransaction(SandboxCluster& cluster, std::int64_t handle)
        : cluster_(cluster)
        , handle_(handle) {}

    Role transactionalId() const override { return *Role::of("foreign-" + std::to_string(handle_)); }

    void end(bool commit) override { cluster_.endForeignTransaction(handle_, commit); }

private:
    SandboxCluster& cluster_;
    std::int64_t handle_;
};

class SandboxWorld final : public World {
public:
    SandboxWorld(ClientKind kind, std::int16_t transactionVersion)
        : kind_(kind)
        , options_(optionsOf(transactionVersion))
        , cluster_(std::make_shared<testing_support::ManualClock>(), options_) {}

    std::unique_ptr<CoordinationTransport> transport() override { return cluster_.makeTransport(kind_); }

    Result<std::unique_ptr<LogConsumer>> consumer(Isolation isolation) override {
        return cluster_.logConsumers()(isolation);
    }

    std::shared_ptr<Authority> authority() override { return cluster_.authority(); }

    std::string topic() const override { return options_.topic; }

    Role freshRole() override { return *Role::of("role-" + std::to_string(++roles_)); }

    bool commitsMoveEpoch() const override {
        return kind_ == ClientKind::endTxnV5 && options_.transactionVersion == 2;
    }

    std::unique_ptr<OpenTransaction> openTransaction(const Role& role, std::string key,
                                                     std::string value) override {
        const auto handle = cluster_.openForeignTransaction(role, std::move(key), std::move(value));
        return std::make_unique<SandboxTransaction>(cluster_, handle);
    }

    bool expireId(const Role& role) override {
        cluster_.expireId(role);
        return true;
    }

private:
    static SandboxOptions optionsOf(std::int16_t transactionVersion) {
        SandboxOptions options;
        options.partitions = 4;
        options.transactionVersion = transactionVersion;
        return options;
    }

    ClientKind kind_;
    SandboxOptions options_;
    SandboxCluster cluster_;
    int roles_ = 0;
};

WorldKind kind(std::string name, ClientKind client, std::int16_t transactionVersion) {
    return {std::move(name), [=] { return std::make_unique<SandboxWorld>(client, transactionVersion); }};
}

const auto kWorlds =
    testing::Values(kind("V5OnTv2", ClientKind::endTxnV5, 2), kind("OlderOnTv2", ClientKind::older, 2),
                    kind("V5OnTv1", ClientKind::endTxnV5, 1), kind("OlderOnTv0", ClientKind::older, 0));

INSTANTIATE_TEST_SUITE_P(Sandbox, TransportConformance, kWorlds, nameOf);
INSTANTIATE_TEST_SUITE_P(Sandbox, ConsumerConformance, kWorlds, nameOf);
INSTANTIATE_TEST_SUITE_P(Sandbox, AuthorityConformance, kWorlds, nameOf);

} // namespace
} // namespace bellwether::conformance
