// SPDX-License-Identifier: Apache-2.0
#include "bare_exchange.h"

#include <stdexcept>
#include <thread>

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

namespace bellwether::bench {

namespace {

int connected(const BareExchange::Peer& peer) {
    const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(peer.port);
    if (::inet_pton(AF_INET, peer.host.c_str(), &address.sin_addr) != 1 ||
        ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        ::close(descriptor);
        throw std::runtime_error("cannot connect to " + peer.host + ":" + std::to_string(peer.port));
    }
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return descriptor;
}

void readAll(int descriptor, std::uint8_t* into, std::size_t size) {
    while (size > 0) {
        const auto got = ::recv(descriptor, into, size, 0);
        if (got <= 0) {
            throw std::runtime_error("the broker closed the bare connection");
        }
        into += got;
        size -= static_cast<std::size_t>(got);
    }
}

void writeAll(int descriptor, const kafka::wire::Bytes& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const auto took = ::send(descriptor, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
        if (took <= 0) {
            throw std::runtime_error("the broker takes no bytes on the bare connection");
        }
        done += static_cast<std::size_t>(took);
    }
}

} // namespace

BareExchange::BareExchange(std::vector<Peer> peers) {
    for (const auto& peer : peers) {
        Socket socket;
        socket.descriptor = connected(peer);
        socket.answers = peer.requests.size();
        for (const auto& request : peer.requests) {
            socket.out.insert(socket.out.end(), request.begin(), request.end());
        }
        sockets_.push_back(std::move(socket));
    }
}

BareExchange::~BareExchange() {
    for (const auto& socket : sockets_) {
        ::close(socket.descriptor);
    }
}

Nanos BareExchange::exchange() {
    sent_ = received_ = 0;
    const auto begun = std::chrono::steady_clock::now();
    // Requests of a thousand ids fit into no socket buffer; whoever only writes would wait for the broker,
    // which waits for its answers to be read.
    std::thread writer([this] {
        for (const auto& socket : sockets_) {
            writeAll(socket.descriptor, socket.out);
        }
    });
    try {
        for (auto& socket : sockets_) {
            readAnswers(socket);
        }
    } catch (...) {
        writer.join();
        throw;
    }
    writer.join();
    const auto took = std::chrono::steady_clock::now() - begun;
    for (const auto& socket : sockets_) {
        sent_ += socket.out.size();
    }
    return std::chrono::duration_cast<Nanos>(took);
}

void BareExchange::readAnswers(Socket& socket) {
    for (std::size_t i = 0; i < socket.answers; ++i) {
        std::uint8_t head[4];
        readAll(socket.descriptor, head, sizeof head);
        const auto size = (std::uint32_t{head[0]} << 24U) | (std::uint32_t{head[1]} << 16U) |
                          (std::uint32_t{head[2]} << 8U) | head[3];
        in_.resize(size);
        readAll(socket.descriptor, in_.data(), size);
        received_ += size + sizeof head;
    }
}

} // namespace bellwether::bench
