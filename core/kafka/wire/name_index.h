// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace bellwether::kafka::wire {

/// Finds names in a list that only grows: open addressing over one block of memory, because a node for each
/// of ten thousand names, made and freed for every call, took a quarter of the call's time. The names stay
/// with the owner: `nameAt(i)` tells the name that was added as i-th. At most the number of names given at
/// first.
class NameIndex {
public:
    explicit NameIndex(std::size_t names) {
        std::size_t size = 16;
        while (size < names * 2) {
            size *= 2;
        }
        slots_.resize(size);
    }

    /// The place of `name`, or `next`, which it is from now on.
    template<typename NameAt>
    std::size_t add(std::string_view name, std::size_t next, NameAt nameAt) {
        auto& slot = slots_[find(name, nameAt)];
        if (slot.place == 0) {
            slot = {hashOf(name), static_cast<std::uint32_t>(next + 1)};
        }
        return slot.place - 1;
    }

    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    template<typename NameAt>
    [[nodiscard]] std::size_t placeOf(std::string_view name, NameAt nameAt) const {
        const auto place = slots_[find(name, nameAt)].place;
        return place == 0 ? kNone : place - 1;
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::uint32_t place = 0; ///< plus 1; 0: free
    };

    static std::uint32_t hashOf(std::string_view name) {
        const auto whole = std::hash<std::string_view>{}(name);
        return static_cast<std::uint32_t>(whole ^ (whole >> 32U));
    }

    template<typename NameAt>
    std::size_t find(std::string_view name, NameAt nameAt) const {
        const auto hash = hashOf(name);
        const auto mask = slots_.size() - 1;
        auto at = hash & mask;
        while (slots_[at].place != 0 &&
               (slots_[at].hash != hash || std::string_view(nameAt(slots_[at].place - 1)) != name)) {
            at = (at + 1) & mask;
        }
        return at;
    }

    std::vector<Slot> slots_;
};

} // namespace bellwether::kafka::wire
