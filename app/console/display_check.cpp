// SPDX-License-Identifier: GPL-3.0-or-later
#include "display_check.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace bellwether::console {

namespace {

bool connects(const std::string& path, bool abstractName) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::size_t skip = abstractName ? 1 : 0;
    if (path.size() + skip >= sizeof(address.sun_path)) {
        return false;
    }
    std::memcpy(address.sun_path + skip, path.data(), path.size());
    const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) {
        return true; // not a reason to refuse
    }
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + skip + path.size());
    const bool ok =
        ::connect(fd, static_cast<const sockaddr*>(static_cast<const void*>(&address)), length) == 0;
    ::close(fd);
    return ok;
}

/// A local X server answers at ":N"; displays on other hosts are left to Qt.
bool xServerAnswers(const std::string& display) {
    const auto colon = display.rfind(':');
    if (colon == std::string::npos || (colon != 0 && display.substr(0, colon) != "unix")) {
        return colon != std::string::npos;
    }
    const std::string number = display.substr(colon + 1, display.find('.', colon) - colon - 1);
    const std::string path = "/tmp/.X11-unix/X" + number;
    return !number.empty() && (connects(path, true) || connects(path, false));
}

} // namespace

std::optional<std::string> displayProblem(const Environment& environment) {
    const std::string platform = environment("QT_QPA_PLATFORM");
    const std::string x = environment("DISPLAY");
    const std::string wayland = environment("WAYLAND_DISPLAY");
    const bool needsX = platform.rfind("xcb", 0) == 0;
    const bool needsWayland = platform.rfind("wayland", 0) == 0;
    if (!platform.empty() && !needsX && !needsWayland) {
        return std::nullopt;
    }
    if (needsX ? x.empty() : (needsWayland ? wayland.empty() : x.empty() && wayland.empty())) {
        return needsX         ? "there is no display: DISPLAY is not set"
               : needsWayland ? "there is no display: WAYLAND_DISPLAY is not set"
                              : "there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set";
    }
    if (!needsWayland && (needsX || wayland.empty()) && !xServerAnswers(x)) {
        return "no X server answers at DISPLAY=" + x;
    }
    return std::nullopt;
}

Environment processEnvironment() {
    return [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
}

} // namespace bellwether::console
