// SPDX-License-Identifier: Apache-2.0
// Any bytes at all: the decoder answers, and what it accepts has exactly one encoding. The first byte says
// how the rest is cut into key and value; see record_codec_fuzz.h.
#include "record_codec_fuzz.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "coordination/display_text.h"
#include "coordination/record_codec.h"

namespace {

void check(bool holds) {
    if (!holds) {
        std::abort();
    }
}

void checkProblem(const bellwether::DecodeProblem& problem) {
    check(problem.part == "key" || problem.part == "registration value" || problem.part == "lease value");
    check(!problem.what.empty());
    check(bellwether::isUtf8(problem.what));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace bellwether;
    if (size == 0) {
        return 0;
    }
    // A view over chars that std::uint8_t data may be read as.
    const std::string_view all(static_cast<const char*>(static_cast<const void*>(data)), size);
    const auto rest = all.substr(1);
    const std::size_t cut = data[0] == kNullKey ? 0 : std::min<std::size_t>(data[0], rest.size());
    const auto key = data[0] == kNullKey ? std::nullopt : std::optional(rest.substr(0, cut));
    const auto value = data[0] == kNullKey ? rest : rest.substr(cut);

    check(fromDisplayText(displayText(rest)) == rest);
    const auto decoded = decodeRecord(key, value);
    const auto identity = decodeKey(key);
    if (!decoded) {
        checkProblem(decoded.error());
        check(identity.has_value() == (decoded.error().part != "key"));
        return 0;
    }
    check(identity.has_value() && *identity == decoded->key);
    const bool ofLease = decoded->key.kind == RecordKind::lease;
    check(decoded->key.member.has_value() != ofLease);
    check((ofLease ? encodeLeaseKey(decoded->key.role)
                   : encodeRegistrationKey(decoded->key.role, *decoded->key.member)) == *key);
    check(decoded->isTombstone() == value.empty());
    if (const auto* lease = std::get_if<Lease>(&decoded->value)) {
        check(ofLease && encodeLeaseValue(*lease) == value);
    } else if (const auto* registration = std::get_if<Registration>(&decoded->value)) {
        check(!ofLease && registration->member == *decoded->key.member);
        check((encodeRegistrationValue(*registration) == value) == decoded->remarks.empty());
    }
    return 0;
}
