// SPDX-License-Identifier: Apache-2.0
#include "coordination/fencing_token.h"

#include <charconv>

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether {

namespace {

template<typename Integer>
bool parseWhole(std::string_view text, Integer& number) noexcept {
    const auto* end = text.data() + text.size();
    const auto [parsedTo, error] = std::from_chars(text.data(), end, number);
    return error == std::errc{} && parsedTo == end;
}

} // namespace

std::string FencingToken::text() const {
    return fmt::format("{}:{}", producerId, producerEpoch);
}

Result<FencingToken> FencingToken::parse(std::string_view text) {
    FencingToken token;
    const auto colon = text.find(':');
    const bool numbers = colon != std::string_view::npos &&
                         parseWhole(text.substr(0, colon), token.producerId) &&
                         parseWhole(text.substr(colon + 1), token.producerEpoch);
    const bool minted = token.producerId >= 0 && token.producerEpoch >= 0;
    if (!numbers || (!minted && !token.isNone()) || token.text() != text) {
        return fail(ErrorCode::invalidArgument, "fencing token \"" + displayText(text) + "\" is not legal",
                    {},
                    "write producerId:producerEpoch, two decimal numbers such as 4242:7, or -1:-1 for none");
    }
    return token;
}

} // namespace bellwether
