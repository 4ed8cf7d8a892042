// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unordered_map>

#include <QColor>

#include "coordination/ids.h"
#include "ui/theme/theme.h"

namespace bellwether::ui {

/// Gives each member a colour in the order in which members are first seen and keeps it for the life of the
/// window. Colours repeat after eight; the name stands in the bar. None is close to red or amber, which mean
/// trouble. GUI thread.
class MemberColours {
public:
    [[nodiscard]] QColor of(const MemberId& member, ThemeChoice theme);
    static constexpr std::size_t kDistinct = 8;

private:
    std::unordered_map<MemberId, std::size_t> index_;
};

} // namespace bellwether::ui
