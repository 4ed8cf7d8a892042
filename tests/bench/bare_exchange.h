// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "figures.h"
#include "kafka/wire/messages.h"

namespace bellwether::bench {

/// The floor: request bytes made beforehand are written to plain sockets, one a broker, and the answers are
/// read in full. Nothing is decoded.
class BareExchange {
public:
    struct Peer {
        std::string host;
        std::uint16_t port = 0;
        std::vector<kafka::wire::Bytes> requests;
    };

    /// Connects; throws std::runtime_error when a peer cannot be reached.
    explicit BareExchange(std::vector<Peer> peers);
    ~BareExchange();
    BareExchange(const BareExchange&) = delete;
    BareExchange& operator=(const BareExchange&) = delete;

    /// One round of all requests and answers.
    [[nodiscard]] Nanos exchange();

    [[nodiscard]] std::size_t requestBytes() const noexcept { return sent_; }

    [[nodiscard]] std::size_t responseBytes() const noexcept { return received_; }

private:
    struct Socket {
        int descriptor = -1;
        kafka::wire::Bytes out;
        std::size_t answers = 0;
    };

    void readAnswers(Socket& socket);

    std::vector<Socket> sockets_;
    kafka::wire::Bytes in_;
    std::size_t sent_ = 0;     ///< of the last round
    std::size_t received_ = 0; ///< of the last round
};

} // namespace bellwether::bench
