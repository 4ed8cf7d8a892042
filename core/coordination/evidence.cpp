// SPDX-License-Identifier: Apache-2.0
#include "coordination/evidence.h"

#include <array>
#include <utility>

namespace bellwether {

namespace {

constexpr std::array<std::pair<TransactionState, std::string_view>, 9> kStateNames{{
    {TransactionState::unknown, "Unknown"},
    {TransactionState::empty, "Empty"},
    {TransactionState::ongoing, "Ongoing"},
    {TransactionState::prepareCommit, "PrepareCommit"},
    {TransactionState::prepareAbort, "PrepareAbort"},
    {TransactionState::completeCommit, "CompleteCommit"},
    {TransactionState::completeAbort, "CompleteAbort"},
    {TransactionState::dead, "Dead"},
    {TransactionState::prepareEpochFence, "PrepareEpochFence"},
}};

} // namespace

std::string_view toString(TransactionState state) noexcept {
    for (const auto& [value, name] : kStateNames) {
        if (value == state) {
            return name;
        }
    }
    return "Unknown";
}

TransactionState transactionStateFromName(std::string_view name) noexcept {
    for (const auto& [value, text] : kStateNames) {
        if (text == name) {
            return value;
        }
    }
    return TransactionState::unknown;
}

bool isInFlight(TransactionState state) noexcept {
    return state == TransactionState::ongoing || state == TransactionState::prepareCommit ||
           state == TransactionState::prepareAbort || state == TransactionState::prepareEpochFence;
}

} // namespace bellwether
