// SPDX-License-Identifier: Apache-2.0
#include "feed/snapshot.h"

namespace bellwether {

std::string_view toString(ConnectionPhase phase) noexcept {
    switch (phase) {
    case ConnectionPhase::connecting: return "connecting";
    case ConnectionPhase::reading: return "reading";
    case ConnectionPhase::live: return "live";
    case ConnectionPhase::degraded: return "degraded";
    case ConnectionPhase::lost: return "lost";
    }
    return "lost";
}

} // namespace bellwether
