// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>

namespace bellwether::ui {

/// The bell of resources/icons/bellwether.svg, painted, so that no image plugin is needed to show it.
[[nodiscard]] QIcon appIcon();

} // namespace bellwether::ui
