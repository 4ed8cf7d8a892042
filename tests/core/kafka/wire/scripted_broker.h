// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>

#include "kafka/kafka_config.h"
#include "kafka/wire/messages.h"

namespace bellwether::kafka::wire {

struct SeenRequest {
    ApiKey api{};
    std::int16_t version = 0;
    std::int32_t correlationId = 0;
    Bytes body;

    template<typename Message>
    [[nodiscard]] Message as() const {
        return decode<Message>(body, version).value();
    }
};

/// What a scripted broker does upon a request.
struct Reaction {
    Bytes bytes;         ///< sent as they are
    bool hangUp = false; ///< then the connection is closed
    bool reset = false;  ///< closed with a reset instead of an orderly end

    static Reaction silence() { return {}; }

    static Reaction raw(Bytes bytes) { return {std::move(bytes), false, false}; }

    static Reaction close() { return {{}, true, false}; }

    /// A whole frame around an encoded body, under the request's correlation id plus `shift`.
    static Reaction frame(const SeenRequest& request, ByteView body, std::int32_t shift = 0);

    template<typename Message>
    static Reaction answer(const SeenRequest& request, const Message& message, std::int32_t shift = 0) {
        return frame(request, encode(message, request.version).value(), shift);
    }
};

/// A TCP server on 127.0.0.1 that follows a script per kind of request. ApiVersions is answered from
/// `advertise` and Metadata from `cluster` unless scripted otherwise; anything else unscripted is met with
/// silence. Scripts run on the server's threads, one at a time.
class ScriptedBroker {
public:
    using Script = std::function<Reaction(const SeenRequest&)>;

    explicit ScriptedBroker(std::int32_t nodeId);
    ~ScriptedBroker();
    ScriptedBroker(const ScriptedBroker&) = delete;
    ScriptedBroker& operator=(const ScriptedBroker&) = delete;

    void on(ApiKey api, Script script);
    /// Bytes to send as soon as a client connects, before it asks.
    void greet(Bytes bytes);
    void advertise(ApiVersionsResponse versions);
    void cluster(const std::vector<const ScriptedBroker*>& brokers);
    void topic(const std::string& name, const std::vector<std::int32_t>& leaders);

    /// Sends everything in pieces of this many bytes.
    void pieces(std::size_t size) { pieceSize_ = size; }

    [[nodiscard]] std::int32_t nodeId() const { return nodeId_; }

    [[nodiscard]] std::uint16_t port() const { return port_; }

    [[nodiscard]] HostPort address() const { return {"127.0.0.1", port_}; }

    [[nodiscard]] std::string bootstrap() const { return "127.0.0.1:" + std::to_string(port_); }

    [[nodiscard]] std::size_t count(ApiKey api) const;

    [[nodiscard]] int connections() const { return connections_; }

    /// Modern: everything this client can use, with transaction.version 2.
    static ApiVersionsResponse modern();

private:
    void accept();
    void serve(asio::ip::tcp::socket& socket);
    [[nodiscard]] Reaction react(const SeenRequest& request);
    void send(asio::ip::tcp::socket& socket, const Bytes& bytes) const;

    const std::int32_t nodeId_;
    asio::io_context io_;
    asio::ip::tcp::acceptor acceptor_;
    std::uint16_t port_;
    std::atomic<std::size_t> pieceSize_{0};
    std::atomic<int> connections_{0};
    std::atomic<bool> stopping_{false};
    mutable std::mutex mutex_;
    std::map<ApiKey, Script> scripts_;
    std::map<ApiKey, std::size_t> counts_;
    Bytes greeting_;
    ApiVersionsResponse versions_ = modern();
    MetadataResponse metadata_;
    std::vector<std::shared_ptr<asio::ip::tcp::socket>> sockets_;
    std::vector<std::thread> threads_;
    std::thread acceptThread_;
};

} // namespace bellwether::kafka::wire
