// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <string_view>

#include "coordination/result.h"

namespace bellwether {

/// Longest legal role or member name, in bytes of UTF-8.
inline constexpr std::size_t kMaxNameBytes = 249;

/// Well-formed UTF-8 (no overlong forms, no surrogates, at most U+10FFFF), RFC 3629.
[[nodiscard]] bool isUtf8(std::string_view bytes) noexcept;

/// Why a name is not legal, or an empty view: "empty", "longer than 249 bytes", "not UTF-8".
[[nodiscard]] std::string_view nameProblem(std::string_view bytes) noexcept;

namespace detail {

/// A validated name of 1..249 bytes of UTF-8. Any other byte sequence is data and kept as it is: control
/// characters, right-to-left marks and formulas are the display's business (see display_text.h).
/// Order and equality are by bytes.
template<typename Tag>
class Name {
public:
    /// Fails with invalidArgument, naming the kind of name and the reason.
    [[nodiscard]] static Result<Name> of(std::string_view bytes) {
        if (const auto problem = nameProblem(bytes); !problem.empty()) {
            return fail(ErrorCode::invalidArgument,
                        std::string(Tag::kWhat) + " name is " + std::string(problem), {},
                        "use 1 to 249 bytes of UTF-8");
        }
        return Name(std::string(bytes));
    }

    [[nodiscard]] const std::string& str() const noexcept { return bytes_; }

    auto operator<=>(const Name&) const = default;
    bool operator==(const Name&) const = default;

private:
    explicit Name(std::string bytes)
        : bytes_(std::move(bytes)) {}

    std::string bytes_;
};

struct RoleTag {
    static constexpr std::string_view kWhat = "role";
};

struct MemberTag {
    static constexpr std::string_view kWhat = "member";
};

} // namespace detail

/// What members compete for; also the transactional.id.
using Role = detail::Name<detail::RoleTag>;
/// One competitor of a role.
using MemberId = detail::Name<detail::MemberTag>;

} // namespace bellwether

template<typename Tag>
struct std::hash<bellwether::detail::Name<Tag>> {
    std::size_t operator()(const bellwether::detail::Name<Tag>& name) const noexcept {
        return std::hash<std::string>{}(name.str());
    }
};
