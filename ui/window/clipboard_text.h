// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QString>

#include "feed/snapshot.h"

namespace bellwether::ui {

/// The role as people read it, for Ctrl+C. Names are escaped, 64-bit numbers exact.
[[nodiscard]] QString roleAsText(const std::shared_ptr<const RoleView>& view, WallTime now);
/// The role in the one JSON answer form, for Ctrl+Shift+C.
[[nodiscard]] QString roleAsJson(const std::shared_ptr<const RoleView>& view);

} // namespace bellwether::ui
