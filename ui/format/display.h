// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <QString>

#include "coordination/fencing_token.h"
#include "coordination/ids.h"
#include "coordination/time.h"

namespace bellwether::ui {

/// Text of core, which is UTF-8 and already safe to show.
[[nodiscard]] QString fromCore(std::string_view utf8);

/// A sentence that core composed: names in it are escaped already and stay as they are; anything else that
/// could be obeyed (a broker's message, a library's text) is escaped here.
[[nodiscard]] QString sentence(std::string_view text);

/// A name from the cluster, escaped so that it is shown and never obeyed.
[[nodiscard]] QString shown(std::string_view bytes);

[[nodiscard]] inline QString shown(const Role& role) {
    return shown(std::string_view(role.str()));
}

[[nodiscard]] inline QString shown(const MemberId& member) {
    return shown(std::string_view(member.str()));
}

/// Empty text for nothing.
[[nodiscard]] QString shown(const std::optional<MemberId>& member);

/// "4242:7"; an em dash for nothing and for "nobody has taken the role".
[[nodiscard]] QString tokenText(const std::optional<FencingToken>& token);

/// All digits, without group separators: offsets and ids are compared with what other tools print.
[[nodiscard]] QString exactText(std::int64_t number);
/// Digits in groups of three ("10,000"): for counts that only people read.
[[nodiscard]] QString countText(std::int64_t number);

/// A duration in words, "21 s".
[[nodiscard]] QString words(Millis duration);
/// "0.4 s ago", or "just now" below a tenth of a second.
[[nodiscard]] QString agoText(Millis age);

} // namespace bellwether::ui
