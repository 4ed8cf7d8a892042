// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kafka/wire/reader.h"

namespace bellwether::kafka::wire {

/// Cuts a byte stream into frames: a big-endian 32-bit length and that many bytes. Memory grows with the
/// bytes that arrived, never with the length announced. One per connection; pure, no I/O.
class FrameAssembler {
public:
    explicit FrameAssembler(std::size_t maxFrame);

    /// The frames that `bytes` complete, without their length, in order. Fails with `protocol` on a length
    /// beyond the limit (the text tells TLS and HTTP apart); the stream is of no use after that.
    [[nodiscard]] Result<std::vector<Bytes>> feed(ByteView bytes);

    /// From the next bytes on.
    void setLimit(std::size_t maxFrame) noexcept { maxFrame_ = maxFrame; }

    /// A frame has begun and is not complete.
    [[nodiscard]] bool midFrame() const noexcept { return !buffer_.empty(); }

private:
    std::size_t maxFrame_;
    Bytes buffer_;
};

} // namespace bellwether::kafka::wire
