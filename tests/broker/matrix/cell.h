// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "members.h"
#include "oracle.h"

namespace bellwether::brokertest {

/// The cluster of this program. BELLWETHER_MATRIX_WORLD names its kind: nothing (one node), `expiry` (ids
/// expire after seconds), `moving` (three nodes; coordinators can move).
[[nodiscard]] TestCluster& cluster();
[[nodiscard]] std::string variable(const char* name);

/// The cluster's finalized transaction.version as the test was told; 0 where the broker has none.
[[nodiscard]] int transactionVersion();

enum class Kind { library, java };

struct Pairing {
    Kind holder;
    Kind challenger;
};

/// L for this library, J for Java; the holder first.
[[nodiscard]] std::string toString(const Pairing& pairing);

[[nodiscard]] inline std::string nameOf(const testing::TestParamInfo<Pairing>& info) {
    return toString(info.param);
}

[[nodiscard]] std::unique_ptr<Member> make(Kind kind, const Role& role, const std::string& name);
[[nodiscard]] std::unique_ptr<JavaMember> makeJava(const Role& role, const std::string& name,
                                                   int transactionTimeoutMs = 60'000);

/// The holder's own commits move its epoch (KIP-890, EndTxn v5): transaction.version 2 and a Java client.
[[nodiscard]] bool commitsMoveTheEpoch(Kind kind);

/// One role in one situation: its holder, the live feed that judges it, and the line of the table.
class Cell {
public:
    Cell(const std::string& situation, Pairing members, const Role& role);

    /// The holder leads, and the feed says so.
    void lead();
    /// Awaits a verdict; of `authoritative` also its holder.
    [[nodiscard]] bool seen(VerdictKind kind, const std::optional<MemberId>& who = {});
    /// `member` takes over by minting and writing; then leads.
    void takeOver(Member& member);
    /// A write of a deposed member: refused; its first attempt with one of these codes of Kafka.
    void expectDeposed(Member& member, std::initializer_list<int> codes);
    /// Nothing wrong was said at any time; one line for the table. Once, at the end.
    void finish();

    const Role role;
    const Pairing members;
    std::unique_ptr<Member> holder;
    Oracle oracle;

private:
    std::set<const Member*> deposed_;
    std::string situation_;
    std::string refusals_;
    std::string reason_;
};

/// INVALID_PRODUCER_EPOCH and PRODUCER_FENCED: the two faces of a fence.
inline constexpr std::initializer_list<int> kFence{47, 90};

struct Minted {
    FencingToken token = FencingToken::none();
    int node = 0; ///< the coordinator's
};

/// Mints each role's epoch up to `epoch`, once at least, by FencedRoles.java; in the order of the roles.
[[nodiscard]] std::vector<Minted> mintUpTo(int epoch, const std::vector<Role>& roles);

/// The last epoch of a producerId that can be minted.
inline constexpr int kLastEpoch = 32'766;

} // namespace bellwether::brokertest
