// SPDX-License-Identifier: Apache-2.0
#include "ctl/duration.h"

#include <array>
#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace bellwether::ctl {

Result<Millis> parseDuration(std::string_view text) {
    const auto illegal = [text](std::string_view why) {
        return fail(ErrorCode::invalidArgument, fmt::format("\"{}\" is not a duration: {}", text, why), {},
                    "write a number with ms, s, m or h, such as 500ms or 30s");
    };
    std::string_view rest = text;
    const bool negative = rest.starts_with('-');
    if (negative || rest.starts_with('+')) {
        rest.remove_prefix(1);
    }
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (error == std::errc::result_out_of_range) {
        return illegal("too large");
    }
    if (error != std::errc{} || number < 0) {
        return illegal("no whole number");
    }
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits{
        {{"ms", 1}, {"s", 1'000}, {"m", 60'000}, {"h", 3'600'000}}};
    for (const auto& [unit, factor] : kUnits) {
        if (rest != unit) {
            continue;
        }
        if (number > std::numeric_limits<std::int64_t>::max() / factor) {
            return illegal("too large");
        }
        return Millis{(negative ? -1 : 1) * number * factor};
    }
    if (rest.empty() && number == 0) {
        return Millis{0};
    }
    return illegal(rest.empty() ? "the unit is missing" : "unknown unit");
}

} // namespace bellwether::ctl
