// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "settings/java_client.h"

namespace bellwether::settings {

/// What the parts of the translation share: Java's settings by name, the last of each, and what has become
/// of them so far. Internal to this room.
class JavaTranslation {
public:
    explicit JavaTranslation(const Properties& java);

    /// Null when it is not set.
    [[nodiscard]] const Property* find(const std::string& name) const;
    [[nodiscard]] std::string valueOf(const std::string& name) const;
    /// Of `name`, lower case.
    [[nodiscard]] std::string wordOf(const std::string& name) const;

    void put(std::string_view name, std::string value, const Property& from);
    void note(const Property& property, std::string sentence, std::string hint = {});
    /// "NAME is ignored: why".
    void ignore(const Property& property, std::string_view why, std::string hint = {});

    [[nodiscard]] const std::vector<std::string>& order() const noexcept { return order_; }

    [[nodiscard]] ClientSettings take() && { return std::move(out_); }

private:
    std::vector<std::string> order_;
    std::map<std::string, Property> last_;
    ClientSettings out_;
};

[[nodiscard]] std::string lower(std::string text);
[[nodiscard]] tl::unexpected<Error> refused(const Property& property, std::string_view what,
                                            std::string hint);

/// sasl.jaas.config and what belongs to it.
[[nodiscard]] Result<void> translateLogin(JavaTranslation& java);
/// ssl.truststore.*, ssl.keystore.*.
[[nodiscard]] Result<void> translateStores(JavaTranslation& java);

} // namespace bellwether::settings
