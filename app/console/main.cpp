// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdlib>
#include <iostream>

#include <QApplication>
#include <QTimer>

#include "console_options.h"
#include "display_check.h"
#include "kafka/kafka_config.h"
#include "quit_signals.h"
#include "screenshot.h"
#include "session.h"
#include "trouble_log.h"
#include "ui/theme/app_icon.h"
#include "ui/window/main_window.h"

namespace {

using namespace bellwether;
using namespace bellwether::console;

constexpr int kNoDisplay = 2;
constexpr std::chrono::milliseconds kClosePatience{900};

ui::Versions versions() {
    return {QStringLiteral(BELLWETHER_VERSION), QString::fromStdString(kafka::librdkafkaVersion())};
}

int printVersions() {
    for (const QString& line : ui::versionLines(versions())) {
        std::cout << line.toStdString() << '\n';
    }
    return 0;
}

/// Light or dark like the desktop, as far as its palette tells.
ui::ThemeChoice desktopTheme() {
    return QApplication::palette().color(QPalette::Window).lightness() < 128 ? ui::ThemeChoice::dark
                                                                             : ui::ThemeChoice::light;
}

int runWindow(QApplication& application, const ConsoleOptions& options, Session& session) {
    ui::WindowOptions windowOptions;
    windowOptions.theme = options.theme.value_or(desktopTheme());
    windowOptions.zone = options.zone;
    windowOptions.versions = versions();
    windowOptions.clock = session.clock();
    ui::MainWindow window(session.feed(), std::move(windowOptions));

    TroubleLog log([](const std::string& line) { std::cerr << line << std::endl; });
    QObject::connect(&window, &ui::MainWindow::presented, &window,
                     [&log](const std::shared_ptr<const Snapshot>& snapshot) { log.note(*snapshot); });
    std::unique_ptr<Screenshot> screenshot;
    if (options.screenshot) {
        window.resize(options.screenshot->width, options.screenshot->height);
        screenshot = std::make_unique<Screenshot>(&window, *options.screenshot, session.rolesToCome());
        QObject::connect(
            &window, &ui::MainWindow::presented, screenshot.get(),
            [&screenshot](const std::shared_ptr<const Snapshot>& snapshot) { screenshot->note(*snapshot); });
    }
    QuitSignals quit;
    QObject::connect(&quit, &QuitSignals::quitWanted, &application, [] { QCoreApplication::quit(); });
    window.show();
    // The window is painted before anything is read.
    QTimer::singleShot(0, &window, [&session] { session.start(); });
    return QApplication::exec();
}

} // namespace

int main(int argc, char** argv) {
    const ParsedOptions parsed = parseOptions(argc, argv);
    if (!parsed.options) {
        (parsed.exitCode == 0 ? std::cout : std::cerr) << parsed.output;
        return parsed.exitCode;
    }
    const ConsoleOptions& options = *parsed.options;
    if (options.version) {
        return printVersions();
    }
    if (options.screenshot) {
        ::setenv("QT_QPA_PLATFORM", "offscreen", 1);
        ::setenv("QT_SCALE_FACTOR", std::to_string(options.screenshot->scale).c_str(), 1);
    } else if (const auto problem = displayProblem(processEnvironment())) {
        std::cerr << "bellwether: " << *problem
                  << ", so no window can open\n  what to do: start it inside a graphical session or over ssh "
                     "-X, or "
                     "render the window into a file: bellwether --screenshot FILE\n";
        return kNoDisplay;
    }
    for (const Error& note : options.notes) {
        std::cerr << "bellwether: warning: " << note.text() << '\n';
    }
    auto session = Session::open(options.world);
    if (!session) {
        std::cerr << "bellwether: " << session.error().text() << '\n';
        return kNoDisplay;
    }
    int code = 0;
    bool ended = true;
    {
        int qtArgc = 1;
        QApplication application(qtArgc, argv);
        QApplication::setApplicationName(QStringLiteral("bellwether"));
        QApplication::setApplicationDisplayName(QStringLiteral("Bellwether"));
        QApplication::setApplicationVersion(QStringLiteral(BELLWETHER_VERSION));
        QApplication::setDesktopFileName(QStringLiteral("bellwether"));
        QApplication::setWindowIcon(ui::appIcon());
        code = runWindow(application, options, **session);
        ended = Session::end(std::move(*session), kClosePatience);
    }
    if (!ended) {
        // Something does not answer. Nothing here writes to the cluster, so nothing is lost by leaving.
        std::cerr.flush();
        std::_Exit(code);
    }
    return code;
}
