// SPDX-License-Identifier: Apache-2.0
#include "members.h"

#include <chrono>

#include <nlohmann/json.hpp>

namespace bellwether::brokertest {

namespace {

std::int64_t wallNow() {
    return std::chrono::duration_cast<Millis>(std::chrono::system_clock::now().time_since_epoch()).count();
}

std::vector<std::string> command(const TestCluster& cluster, const Role& role, const MemberId& id,
                                 int timeout) {
    return {std::string(BELLWETHER_SOURCE_DIR) + "/tests/support/kafka-java",
            "4.4.0",
            "CommandedMember",
            cluster.bootstrap(),
            std::string(role.str()),
            std::string(id.str()),
            std::to_string(timeout)};
}

} // namespace

namespace {

/// A coordinator that moves takes longer than members usually wait; losing patience is another test's matter.
kafka::KafkaConfig patient(kafka::KafkaConfig config) {
    config.timeout = Millis{45'000};
    config.transactionTimeout = Millis{60'000};
    return config;
}

} // namespace

LibraryMember::LibraryMember(const TestCluster& cluster, Role role, MemberId name)
    : Member(std::move(name))
    , role_(std::move(role))
    , transport_(openTransport(patient(cluster.config()))) {}

bool LibraryMember::enlist() {
    return static_cast<bool>(transport_->registerMember(role_, {id, wallTime(wallNow())}));
}

bool LibraryMember::mint() {
    const auto minted = transport_->acquireEpoch(role_);
    if (!minted) {
        return refuse(minted.error().text(), minted.error().kafkaCode);
    }
    token_ = *minted;
    return true;
}

bool LibraryMember::renew() {
    const auto written = transport_->writeLease(role_, token_, leaseOf(id, token_, wallNow()));
    return written ? true : refuse(written.error().text(), written.error().kafkaCode);
}

JavaMember::JavaMember(const TestCluster& cluster, const Role& role, MemberId name, int transactionTimeoutMs)
    : Member(std::move(name))
    , process_(command(cluster, role, id, transactionTimeoutMs)) {}

bool JavaMember::enlist() {
    return step("register");
}

bool JavaMember::mint() {
    return step("mint");
}

bool JavaMember::renew() {
    return step("renew 1");
}

bool JavaMember::step(const std::string& command) {
    process_.say(command);
    const auto line = process_.line(std::chrono::seconds{90});
    if (!line) {
        return refuse("no answer", -1);
    }
    const auto told = nlohmann::json::parse(*line);
    if (told.contains("error")) {
        return refuse(*line, told.at("error").get<int>());
    }
    if (told.contains("token")) {
        token_ = FencingToken::parse(told.at("token").get<std::string>()).value();
        own_ = FencingToken::parse(told.at("own").get<std::string>()).value();
    }
    return true;
}

} // namespace bellwether::brokertest
