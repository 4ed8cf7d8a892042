// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "coordination/result.h"

namespace bellwether::kafka::wire {

/// Where certificates or keys come from, for messages.
struct TlsSource {
    std::string property;
    std::string path; ///< empty: the property holds the PEM text itself

    /// `what` follows the property's name. `invalidArgument`, where = the path.
    [[nodiscard]] Error wrong(std::string_view what, std::string hint) const;
    /// For a command in a hint: the path, quoted for a shell.
    [[nodiscard]] std::string quoted() const;
};

/// All of a file. Fails for one that is missing, unreadable, no file, or larger than any certificate bundle.
[[nodiscard]] Result<std::string> readTlsFile(const TlsSource& source);

/// What a file is that holds no PEM, as far as its first bytes tell.
enum class ForeignFormat { none, javaKeystore, der };
[[nodiscard]] ForeignFormat foreignFormatOf(std::string_view bytes) noexcept;

} // namespace bellwether::kafka::wire
