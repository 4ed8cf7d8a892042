// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "feed/snapshot.h"

namespace bellwether {

/// The machine form of what is known of roles: the one JSON shape of `explain`, `describe`, `roles` and the
/// window's export (docs/answer-format.md). Instants are int64 milliseconds, tokens
/// "producerId:producerEpoch" text, absent is null, 64-bit integers exact. Names that are JSON strings keep
/// every code point.
[[nodiscard]] std::string answerJson(const std::vector<const RoleView*>& roles,
                                     const std::vector<Finding>& findings,
                                     const std::vector<PinnedLog>& pinned = {}, int indent = 1);

/// The same for people: per role the verdict, holder, token, reason, lease, coordinator's pair and the
/// roster. Names are escaped (display_text.h). `now` is the console's clock for countdowns.
[[nodiscard]] std::string answerText(const std::vector<const RoleView*>& roles,
                                     const std::vector<Finding>& findings, WallTime now);

} // namespace bellwether
