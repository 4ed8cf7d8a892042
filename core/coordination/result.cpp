// SPDX-License-Identifier: Apache-2.0
#include "coordination/result.h"

namespace bellwether {

std::string Error::text() const {
    std::string text = what;
    if (!where.empty()) {
        text += " (" + where + ")";
    }
    if (!hint.empty()) {
        text += ": " + hint;
    }
    return text;
}

std::string_view toString(ErrorCode code) noexcept {
    switch (code) {
    case ErrorCode::invalidArgument: return "invalid_argument";
    case ErrorCode::undecodable: return "undecodable";
    case ErrorCode::topicMissing: return "topic_missing";
    case ErrorCode::incompleteRead: return "incomplete_read";
    case ErrorCode::fenced: return "fenced";
    case ErrorCode::idExpired: return "id_expired";
    case ErrorCode::notMinted: return "not_minted";
    case ErrorCode::refused: return "refused";
    case ErrorCode::unreachable: return "unreachable";
    case ErrorCode::timeout: return "timeout";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::protocol: return "protocol";
    case ErrorCode::busy: return "busy";
    case ErrorCode::closed: return "closed";
    case ErrorCode::broker: return "broker";
    case ErrorCode::internal: return "internal";
    }
    return "internal";
}

} // namespace bellwether
