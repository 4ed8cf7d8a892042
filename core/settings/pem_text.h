// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace bellwether::settings {

/// PEM blocks as OpenSSL wants them, in lines of 64 (RFC 7468): Java reads them on one line too, with blanks
/// or nothing where the line ends were. Text between blocks is dropped; blocks with headers of their own
/// (RFC 1421, "Proc-Type: ...") stay as they are; so does text without any block.
[[nodiscard]] std::string withLineEnds(std::string_view pem);

} // namespace bellwether::settings
