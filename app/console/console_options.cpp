// SPDX-License-Identifier: GPL-3.0-or-later
#include "console_options.h"

#include <sstream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "cluster_settings.h"

namespace bellwether::console {

namespace {

constexpr int kUsageError = 2;

struct RawOptions {
    app::TypedSettings settings;
    std::string topic{kDefaultTopic};
    std::string theme;
    bool utc = false;
    std::string screenshot;
    double after = 0.0;
    std::string size = "1280x760";
    int scale = 1;
    bool version = false;
};

void describe(CLI::App& app, RawOptions& raw) {
    app.add_option(
           "-b,--bootstrap", raw.settings.bootstrap,
           "HOST:PORT[,HOST:PORT...] of a cluster; without it the sandbox, a cluster inside the program")
        ->type_name("HOST:PORT");
    app.add_option("--topic", raw.topic, "the coordination topic")->capture_default_str()->type_name("NAME");
    app.add_option("-F", raw.settings.file,
                   "file of client properties: librdkafka's, or a Java client.properties")
        ->type_name("FILE");
    app.add_option("--file-form", raw.settings.form,
                   "how to read -F, where its names do not tell: librdkafka or java")
        ->type_name("FORM");
    app.add_option("-X", raw.settings.properties,
                   "one librdkafka property; may be repeated, goes before the file")
        ->type_name("NAME=VALUE")
        ->allow_extra_args(false);
    app.add_option("--theme", raw.theme, "light or dark; without it like the desktop")
        ->check(CLI::IsMember({"light", "dark"}))
        ->type_name("light|dark");
    app.add_flag("--utc", raw.utc, "show times in UTC");
    auto* shot =
        app.add_option("--screenshot", raw.screenshot,
                       "render the window into FILE (PNG) once roles are judged, and end; needs no display")
            ->type_name("FILE");
    app.add_option("--screenshot-after", raw.after, "go on watching for so long before the picture is taken")
        ->needs(shot)
        ->check(CLI::Range(0.0, 3'600.0))
        ->type_name("SECONDS");
    app.add_option("--size", raw.size, "size of the picture")
        ->needs(shot)
        ->capture_default_str()
        ->type_name("WxH");
    app.add_option("--scale", raw.scale, "pixels for each unit of the size")
        ->needs(shot)
        ->check(CLI::Range(1, 4))
        ->capture_default_str();
    app.add_flag("--version", raw.version, "versions of the console and of what it is built on");
}

Result<void> readSize(const std::string& size, ScreenshotOptions& shot) {
    char rest = 0;
    if (std::sscanf(size.c_str(), "%5dx%5d%c", &shot.width, &shot.height, &rest) != 2 || shot.width < 320 ||
        shot.height < 240 || shot.width > 16'000 || shot.height > 16'000) {
        return fail(ErrorCode::invalidArgument, fmt::format("\"{}\" is not a size", size), "--size",
                    "write it as 1280x760, at least 320x240");
    }
    return {};
}

ParsedOptions refused(const Error& error) {
    return {std::nullopt, kUsageError, "bellwether: " + error.text() + "\n"};
}

} // namespace

ParsedOptions parseOptions(int argc, const char* const* argv) {
    CLI::App app{"Bellwether: watches, explains and plots leadership that Kafka itself fences.",
                 "bellwether"};
    app.footer(
        "Without a display, use --screenshot FILE. Exit codes: 0 done, 1 the picture shows no judged role, 2 "
        "wrong usage or no display.");
    RawOptions raw;
    describe(app, raw);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& end) {
        std::ostringstream out;
        std::ostringstream err;
        const int code = app.exit(end, out, err);
        return code == 0 ? ParsedOptions{std::nullopt, 0, out.str()}
                         : ParsedOptions{std::nullopt, kUsageError, "bellwether: " + err.str()};
    }
    ConsoleOptions options;
    options.version = raw.version;
    options.world.topic = raw.topic;
    options.zone = raw.utc ? ui::ZoneChoice::utc : ui::ZoneChoice::local;
    if (!raw.theme.empty()) {
        options.theme = raw.theme == "dark" ? ui::ThemeChoice::dark : ui::ThemeChoice::light;
    }
    auto settings = app::readClusterSettings(raw.settings);
    if (!settings) {
        return refused(settings.error());
    }
    options.notes = std::move(settings->notes);
    options.world.properties = std::move(settings->properties);
    options.world.bootstrap =
        settings->bootstrap.empty() ? std::string(app::kSandboxBootstrap) : std::move(settings->bootstrap);
    if (!raw.screenshot.empty()) {
        ScreenshotOptions shot{raw.screenshot, raw.after, 0, 0, raw.scale};
        if (const auto read = readSize(raw.size, shot); !read) {
            return refused(read.error());
        }
        options.screenshot = shot;
    }
    return {std::move(options), 0, {}};
}

} // namespace bellwether::console
