// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace bellwether::settings {

/// PEM blocks as OpenSSL wants them, in lines of 64 (RFC 7468): Java reads them on one line too, with blanks
/// or nothing where the line ends were. Text between blocks is dropped; blocks with headers of their own
/// (RFC 1421, "Proc-Type: ...") stay as they are; so does text without any block. A backslash with n or r in
/// a block is a line end too.
[[nodiscard]] std::string withLineEnds(std::string_view pem);

/// A block's first line goes on behind BEGIN ...-----, which OpenSSL does not read.
[[nodiscard]] bool lacksLineEnds(std::string_view pem);

} // namespace bellwether::settings
