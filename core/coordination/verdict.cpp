// SPDX-License-Identifier: Apache-2.0
#include "coordination/verdict.h"

#include <algorithm>
#include <array>

#include "coordination/judgement.h"

namespace bellwether {

std::string_view toString(VerdictKind kind) noexcept {
    switch (kind) {
    case VerdictKind::unknown: return "unknown";
    case VerdictKind::vacant: return "vacant";
    case VerdictKind::claimed: return "claimed";
    case VerdictKind::claiming: return "claiming";
    case VerdictKind::authoritative: return "authoritative";
    case VerdictKind::overdue: return "overdue";
    case VerdictKind::contradictory: return "contradictory";
    case VerdictKind::inDoubt: return "in doubt";
    }
    return "unknown";
}

std::string_view toString(VerdictRow row) noexcept {
    static constexpr std::array<std::string_view, 15> kNames{"1", "2", "3",  "4",   "4b", "5",  "6", "7",
                                                             "8", "9", "10", "10b", "11", "12", "13"};
    const auto index = static_cast<std::size_t>(row);
    return index < kNames.size() ? kNames[index] : std::string_view("?");
}

Verdict judge(const Evidence& evidence) {
    return Judgement(evidence).run();
}

std::optional<PriorAuthority> remember(const Verdict& verdict, const Evidence& evidence) {
    const bool holds = verdict.kind == VerdictKind::authoritative || verdict.kind == VerdictKind::overdue;
    const bool described = evidence.coordinator.kind == CoordinatorAnswer::Kind::described;
    if (holds && described && verdict.holder && verdict.token) {
        return PriorAuthority{evidence.coordinator.token, *verdict.holder, *verdict.token,
                              verdict.lease ? verdict.lease->position.offset : -1};
    }
    const bool moved = described && evidence.prior && evidence.prior->described != evidence.coordinator.token;
    return moved || evidence.coordinator.kind == CoordinatorAnswer::Kind::unknownId ? std::nullopt
                                                                                    : evidence.prior;
}

CoordinatorMemory remember(CoordinatorMemory memory, const CoordinatorAnswer& answer) {
    constexpr std::size_t kMost = 16; // two of them take four days of renewals
    if (answer.kind != CoordinatorAnswer::Kind::described || answer.token.isNone()) {
        return memory;
    }
    auto& left = memory.left;
    if (answer.token.producerId == memory.newest.producerId) {
        memory.newest = std::max(memory.newest, answer.token);
    } else if (std::find(left.begin(), left.end(), answer.token.producerId) == left.end()) {
        if (!memory.newest.isNone()) {
            left.push_back(memory.newest.producerId);
        }
        if (left.size() > kMost) {
            left.erase(left.begin());
        }
        memory.newest = answer.token;
    }
    return memory;
}

} // namespace bellwether
