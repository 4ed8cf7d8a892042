// SPDX-License-Identifier: Apache-2.0
#include "kafka/own_token.h"

#include "kafka/producer_identity.h"

namespace bellwether::kafka {

void OwnToken::statistics(std::string_view json) {
    const auto token = tokenFromStatistics(json);
    if (!token) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    if (token == token_) {
        otherOpinion_.reset();
    } else if (!fromLog_ || token == otherOpinion_) {
        token_ = token;
        otherOpinion_.reset();
        changed_.notify_all();
    } else {
        otherOpinion_ = token;
    }
}

void OwnToken::log(int level, std::string_view facility, std::string_view text) {
    static_cast<void>(level);
    if (const auto code = fenceCodeFromLogLine(facility, text)) {
        const std::scoped_lock lock(mutex_);
        fenceCode_ = code;
        return;
    }
    if (facility != "GETPID") {
        return;
    }
    if (const auto token = tokenFromLogLine(text)) {
        const std::scoped_lock lock(mutex_);
        token_ = token;
        fromLog_ = true;
        otherOpinion_.reset();
        changed_.notify_all();
    }
}

std::optional<int> OwnToken::fenceCode() const {
    const std::scoped_lock lock(mutex_);
    return fenceCode_;
}

std::optional<FencingToken> OwnToken::current() const {
    const std::scoped_lock lock(mutex_);
    return token_;
}

std::optional<FencingToken> OwnToken::waitForToken(Millis timeout) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, timeout, [&] { return token_.has_value(); });
    return token_;
}

} // namespace bellwether::kafka
