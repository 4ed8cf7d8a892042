// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/member_colours.h"

#include <array>

namespace bellwether::ui {

QColor MemberColours::of(const MemberId& member, ThemeChoice theme) {
    static constexpr std::array<QRgb, kDistinct> light{0xff0067a5, 0xff00785a, 0xff7a4fb5, 0xff5a6b7b,
                                                       0xff24769e, 0xffa04a86, 0xff4b6a1f, 0xff3f51a3};
    static constexpr std::array<QRgb, kDistinct> dark{0xff1f78b8, 0xff0f7d60, 0xff7f5cc4, 0xff5d7084,
                                                      0xff25788f, 0xffa8508e, 0xff587a2a, 0xff4f63bd};
    const auto index = index_.try_emplace(member, index_.size()).first->second % kDistinct;
    return QColor::fromRgb(theme == ThemeChoice::light ? light.at(index) : dark.at(index));
}

} // namespace bellwether::ui
