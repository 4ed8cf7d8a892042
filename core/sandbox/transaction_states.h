// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "coordination/evidence.h"

namespace bellwether::sandbox {

/// The one list of legal transitions of a transactional id (KIP-98, KIP-890). Everything that changes a state
/// goes through it.
[[nodiscard]] bool isLegalTransition(TransactionState from, TransactionState to) noexcept;

} // namespace bellwether::sandbox
