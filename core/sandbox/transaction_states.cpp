// SPDX-License-Identifier: Apache-2.0
#include "sandbox/transaction_states.h"

namespace bellwether::sandbox {

bool isLegalTransition(TransactionState from, TransactionState to) noexcept {
    using enum TransactionState;
    const bool atRest = from == empty || from == completeCommit || from == completeAbort;
    switch (to) {
    case empty:
    case dead: return atRest;
    case ongoing: return atRest || from == ongoing;
    case prepareCommit:
    case prepareEpochFence: return from == ongoing;
    case prepareAbort: return from == ongoing || from == prepareEpochFence;
    case completeCommit: return from == prepareCommit;
    case completeAbort: return from == prepareAbort;
    case unknown: return false;
    }
    return false;
}

} // namespace bellwether::sandbox
