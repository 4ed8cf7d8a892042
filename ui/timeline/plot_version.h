// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace bellwether::ui {

/// Version of QCustomPlot this program was built with.
[[nodiscard]] QString plotLibraryVersion();

} // namespace bellwether::ui
