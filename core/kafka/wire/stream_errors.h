// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <asio/error_code.hpp>

#include "coordination/result.h"

namespace bellwether::kafka::wire {

/// The peer ended the connection, in good order or not.
[[nodiscard]] bool isClosedByPeer(const asio::error_code& code) noexcept;
[[nodiscard]] Error lostConnection(const asio::error_code& code);
[[nodiscard]] Error cannotConnect(const asio::error_code& code);

} // namespace bellwether::kafka::wire
