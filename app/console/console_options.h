// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ui/format/clock_text.h"
#include "ui/theme/theme.h"
#include "world.h"

namespace bellwether::console {

struct ScreenshotOptions {
    std::string file;
    double after = 0.0; ///< seconds to go on watching once there is something to see
    int width = 1280;
    int height = 760;
    int scale = 1;
};

struct ConsoleOptions {
    app::WorldOptions world;
    std::vector<Error> notes;             ///< of the properties: what was left aside, to be shown
    std::optional<ui::ThemeChoice> theme; ///< nothing: like the desktop
    ui::ZoneChoice zone = ui::ZoneChoice::local;
    std::optional<ScreenshotOptions> screenshot;
    bool version = false;
};

/// What the command line says, or the program's end: help goes to standard output with code 0, a message that
/// names the faulty argument to standard error with code 2.
struct ParsedOptions {
    std::optional<ConsoleOptions> options;
    int exitCode = 0;
    std::string output;
};

[[nodiscard]] ParsedOptions parseOptions(int argc, const char* const* argv);

} // namespace bellwether::console
