// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "settings/property.h"

namespace bellwether::settings {

/// What java.util.Properties.load(InputStream) makes of the bytes: ISO-8859-1, `#` and `!` begin comment
/// lines, a backslash at a line's end continues it, `=`, `:` or blanks end a name, \t \n \f \r and \uXXXX are
/// escapes, any other backslash is dropped. Other than in Java a byte order mark of UTF-8 is no part of the
/// first name. Values come out in UTF-8. `file` is for messages. Fails with
/// `invalidArgument` on a \u without four hexadecimal digits, as Java does.
[[nodiscard]] Result<Properties> parseJavaProperties(std::string_view bytes, std::string_view file);

/// librdkafka's own form: name=value a line, blanks around both are cut, lines that begin with # are
/// comments; no escapes, the bytes are UTF-8. Fails with `invalidArgument` on a line without =.
[[nodiscard]] Result<Properties> parsePlainProperties(std::string_view bytes, std::string_view file);

} // namespace bellwether::settings
