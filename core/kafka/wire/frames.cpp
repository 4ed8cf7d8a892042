// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/frame_assembler.h"
#include "kafka/wire/message_codec.h"

#include <algorithm>

#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kLengthBytes = 4;

std::uint32_t lengthAt(ByteView bytes) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i) {
        value = (value << 8) | bytes[i];
    }
    return value;
}

Error notKafka(std::string what, std::string hint) {
    Error error;
    error.code = ErrorCode::protocol;
    error.what = "the peer does not speak Kafka in plain text here; " + std::move(what);
    error.hint = std::move(hint);
    return error;
}

// TLS records start with a content type (20 to 23) and major version 3; a broker's TLS listener answers a
// plain request with an alert (21).
bool looksLikeTls(ByteView b) {
    return b[0] >= 20 && b[0] <= 23 && b[1] == 3 && b[2] <= 4;
}

bool looksLikeHttp(ByteView b) {
    static constexpr std::string_view kHttp = "HTTP";
    return std::equal(kHttp.begin(), kHttp.end(), b.begin());
}

} // namespace

Bytes requestFrame(ApiKey api, std::int16_t version, std::int32_t correlationId, const std::string& clientId,
                   ByteView body) {
    const auto key = static_cast<std::int16_t>(api);
    Writer header("request header", isFlexible(api, version) ? 2 : 1, isFlexible(api, version));
    header.i16("RequestApiKey", key);
    header.i16("RequestApiVersion", version);
    header.i32("CorrelationId", correlationId);
    header.oldNullableString("ClientId", clientId);
    header.tagged();
    const auto head = std::move(header).finish().value_or(Bytes{});
    Writer length("frame", 0, false);
    length.i32("Length", static_cast<std::int32_t>(head.size() + body.size()));
    auto frame = std::move(length).finish().value_or(Bytes{});
    frame.insert(frame.end(), head.begin(), head.end());
    frame.insert(frame.end(), body.begin(), body.end());
    return frame;
}

Result<std::int32_t> correlationIdOf(ByteView frame) {
    Reader reader(frame, "response header", 0, false);
    std::int32_t id = 0;
    reader.i32("CorrelationId", id);
    if (!reader.ok()) {
        return fail(*reader.error());
    }
    return id;
}

Result<std::size_t> responseBodyOffset(ApiKey api, std::int16_t version, ByteView frame) {
    const bool flexible = hasFlexibleResponseHeader(api, version);
    Reader reader(frame, "response header", flexible ? 1 : 0, flexible);
    std::int32_t id = 0;
    reader.i32("CorrelationId", id);
    reader.tagged();
    if (!reader.ok()) {
        return fail(*reader.error());
    }
    return reader.position();
}

FrameAssembler::FrameAssembler(std::size_t maxFrame)
    : maxFrame_(maxFrame) {}

Result<std::vector<Bytes>> FrameAssembler::feed(ByteView bytes) {
    std::vector<Bytes> frames;
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    std::size_t start = 0;
    while (buffer_.size() - start >= kLengthBytes) {
        const auto head = ByteView(buffer_).subspan(start, kLengthBytes);
        const auto length = lengthAt(head);
        if (length > maxFrame_) {
            if (looksLikeTls(head)) {
                return fail(
                    notKafka("it answers in TLS",
                             "this is a TLS port: set security.protocol=SSL, or SASL_SSL where it was "
                             "SASL_PLAINTEXT"));
            }
            if (looksLikeHttp(head)) {
                return fail(notKafka("it answers in HTTP",
                                     "is this the port of a web server, or of a proxy that "
                                     "wants TLS (security.protocol=SSL)? check the address"));
            }
            return fail(
                ErrorCode::protocol,
                fmt::format("the peer announces a frame of {} bytes, the limit is {}", length, maxFrame_), {},
                "is this the port of a Kafka broker? check the address and security.protocol");
        }
        if (buffer_.size() - start - kLengthBytes < length) {
            break;
        }
        const auto body = buffer_.begin() + static_cast<std::ptrdiff_t>(start + kLengthBytes);
        frames.emplace_back(body, body + static_cast<std::ptrdiff_t>(length));
        start += kLengthBytes + length;
    }
    buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(start));
    return frames;
}

} // namespace bellwether::kafka::wire
