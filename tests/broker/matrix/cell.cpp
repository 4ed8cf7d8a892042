// SPDX-License-Identifier: Apache-2.0
#include "cell.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace bellwether::brokertest {

namespace {

TestCluster::Options optionsOf(const std::string& world) {
    TestCluster::Options options;
    options.configs = {"transaction.abort.timed.out.transaction.cleanup.interval.ms=500"};
    if (world.ends_with("expiry")) {
        options.configs.emplace_back("transactional.id.expiration.ms=8000");
        options.configs.emplace_back("transaction.remove.expired.transaction.cleanup.interval.ms=500");
    }
    if (world.starts_with("moving")) {
        options.nodes = 3;
    }
    return options;
}

} // namespace

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

TestCluster& cluster() {
    return TestCluster::get(optionsOf(variable("BELLWETHER_MATRIX_WORLD")));
}

int transactionVersion() {
    const auto text = variable("BELLWETHER_TRANSACTION_VERSION");
    return text.empty() ? 0 : std::stoi(text);
}

std::string toString(const Pairing& pairing) {
    const auto letter = [](Kind kind) { return kind == Kind::library ? "L" : "J"; };
    return fmt::format("{}{}", letter(pairing.holder), letter(pairing.challenger));
}

std::unique_ptr<JavaMember> makeJava(const Role& role, const std::string& name, int transactionTimeoutMs) {
    return std::make_unique<JavaMember>(cluster(), role, member(name), transactionTimeoutMs);
}

std::unique_ptr<Member> make(Kind kind, const Role& role, const std::string& name) {
    if (kind == Kind::library) {
        return std::make_unique<LibraryMember>(cluster(), role, member(name));
    }
    return makeJava(role, name);
}

bool commitsMoveTheEpoch(Kind kind) {
    return kind == Kind::java && transactionVersion() >= 2;
}

Cell::Cell(const std::string& situation, Pairing pairing, const Role& of)
    : role(of)
    , members(pairing)
    , holder(make(pairing.holder, role, "holder"))
    , oracle(cluster().bootstrap(), role)
    , situation_(situation.substr(0, situation.find('/'))) {}

void Cell::lead() {
    ASSERT_TRUE(holder->enlist()) << holder->refusal();
    ASSERT_TRUE(holder->mint()) << holder->refusal();
    ASSERT_TRUE(oracle.step({holder->id, true}, [this] { return holder->renew(); })) << holder->refusal();
    ASSERT_TRUE(seen(VerdictKind::authoritative, holder->id));
}

bool Cell::seen(VerdictKind kind, const std::optional<MemberId>& who) {
    const auto verdict =
        oracle.await([&](const Verdict& each) { return each.kind == kind && (!who || each.holder == who); });
    if (verdict) {
        reason_ = verdict->reason;
    }
    return verdict.has_value();
}

void Cell::takeOver(Member& member) {
    ASSERT_TRUE(oracle.step({}, [&] { return member.mint(); })) << member.refusal();
    ASSERT_TRUE(oracle.step({member.id, true}, [&] { return member.renew(); })) << member.refusal();
    EXPECT_TRUE(seen(VerdictKind::authoritative, member.id));
}

void Cell::expectDeposed(Member& member, std::initializer_list<int> codes) {
    EXPECT_FALSE(member.renew()) << "the oracle is wrong: " << member.id.str() << " could write";
    if (!deposed_.insert(&member).second) {
        return; // its producer has given up: what it says of a second attempt is its own
    }
    const auto code = member.refusedWith();
    EXPECT_NE(std::find(codes.begin(), codes.end(), code), codes.end())
        << "refused with " << code << ": " << member.refusal();
    const auto text = std::to_string(code);
    if (refusals_.find(text) == std::string::npos) {
        refusals_ += (refusals_.empty() ? "" : ", ") + text;
    }
}

void Cell::finish() {
    const auto wrong = oracle.wrong();
    for (const auto& each : wrong) {
        ADD_FAILURE() << situation_ << " " << toString(members) << ": " << each;
    }
    const auto count = oracle.count();
    EXPECT_GT(count.views, 1U);
    const auto table = variable("BELLWETHER_MATRIX_TABLE");
    if (!table.empty()) {
        const auto feature = variable("BELLWETHER_TRANSACTION_VERSION");
        const bool failed = !wrong.empty() || testing::Test::HasFailure();
        std::ofstream(table, std::ios::app)
            << fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", TestCluster::version(),
                           feature.empty() ? "none" : feature, situation_, toString(members),
                           failed ? "WRONG" : "ok", count.views, count.inDoubt, count.unknown,
                           refusals_.empty() ? "-" : refusals_, wrong.empty() ? reason_ : wrong.front());
    }
}

std::vector<Minted> mintUpTo(int epoch, const std::vector<Role>& roles) {
    std::vector<std::string> arguments{std::to_string(epoch)};
    for (const auto& each : roles) {
        arguments.emplace_back(each.str());
    }
    Process program(cluster().java("FencedRoles", arguments));
    std::vector<Minted> minted;
    while (const auto line = program.line(std::chrono::seconds{400})) {
        const auto told = nlohmann::json::parse(*line);
        minted.push_back(
            {FencingToken::parse(told.at("pair").get<std::string>()).value(), told.at("node").get<int>()});
        if (minted.size() == roles.size()) {
            break;
        }
    }
    if (minted.size() != roles.size()) {
        throw std::runtime_error("FencedRoles did not mint all roles");
    }
    return minted;
}

} // namespace bellwether::brokertest
