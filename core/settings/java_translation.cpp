// SPDX-License-Identifier: Apache-2.0
#include "settings/java_translation.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace bellwether::settings {

namespace {

/// ConfigDef.parseType trims every value, passwords too, as String.trim() does: all up to the blank.
std::string trimmed(const std::string& value) {
    const auto isCut = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
    const auto first = std::find_if_not(value.begin(), value.end(), isCut);
    const auto last = std::find_if_not(value.rbegin(), std::make_reverse_iterator(first), isCut).base();
    return {first, last};
}

} // namespace

JavaTranslation::JavaTranslation(const Properties& java) {
    for (const auto& each : java) {
        if (!last_.contains(each.name)) {
            order_.push_back(each.name);
        }
        auto& kept = last_[each.name];
        kept = each;
        kept.value = trimmed(each.value);
    }
}

const Property* JavaTranslation::find(const std::string& name) const {
    const auto found = last_.find(name);
    return found == last_.end() ? nullptr : &found->second;
}

std::string JavaTranslation::valueOf(const std::string& name) const {
    const auto* found = find(name);
    return found ? found->value : std::string{};
}

std::string JavaTranslation::wordOf(const std::string& name) const {
    return lower(valueOf(name));
}

void JavaTranslation::put(std::string_view name, std::string value, const Property& from) {
    out_.properties.push_back({std::string(name), std::move(value), from.where});
}

void JavaTranslation::note(const Property& property, std::string sentence, std::string hint) {
    Error note;
    note.code = ErrorCode::invalidArgument;
    note.what = std::move(sentence);
    note.where = property.where;
    note.hint = std::move(hint);
    out_.notes.push_back(std::move(note));
}

void JavaTranslation::ignore(const Property& property, std::string_view why, std::string hint) {
    note(property, fmt::format("{} is ignored: {}", property.name, why), std::move(hint));
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text;
}

tl::unexpected<Error> refused(const Property& property, std::string_view what, std::string hint) {
    return fail(ErrorCode::invalidArgument, fmt::format("{}: {}", property.name, what), property.where,
                std::move(hint));
}

} // namespace bellwether::settings
