// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/ssl/stream.hpp>

#include "kafka/wire/tls_openssl.h"
#include "tls_certificates.h"

namespace bellwether::kafka::wire {

/// A TCP server on 127.0.0.1. Each connection is served on a thread of its own and closed afterwards.
class TcpServer {
public:
    using Socket = asio::ip::tcp::socket;
    using Serve = std::function<void(Socket&)>;

    explicit TcpServer(Serve serve);
    ~TcpServer();
    TcpServer(const TcpServer&) = delete;
    TcpServer& operator=(const TcpServer&) = delete;

    [[nodiscard]] std::uint16_t port() const { return port_; }

private:
    void accept();

    Serve serve_;
    asio::io_context io_;
    asio::ip::tcp::acceptor acceptor_;
    std::uint16_t port_;
    std::mutex mutex_;
    bool stopping_ = false;
    std::vector<std::shared_ptr<Socket>> sockets_;
    std::vector<std::thread> threads_;
    std::thread acceptThread_;
};

struct TlsServerSettings {
    enum class ClientAuth { none, wanted, needed };

    Issued own;
    ClientAuth clientAuth = ClientAuth::none;
    std::string clientCa;        ///< PEM, may be several
    bool namesClientCas = true;  ///< tells the client whose certificates it accepts
    std::string revoked;         ///< PEM of a CRL for clients
    int oldest = TLS1_2_VERSION; ///< TLS versions
    int newest = TLS1_3_VERSION;
    std::string ciphers; ///< of TLS 1.2
    std::string groups;
    /// What a client that did not pass still sends is read, so that the alert arrives instead of a reset.
    bool isPatient = true;
    /// Called with the session before the handshake.
    std::function<void(SSL&)> prepare;
};

/// Speaks TLS; serves what has passed the handshake.
class TlsServer {
public:
    using Socket = asio::ssl::stream<asio::ip::tcp::socket&>;
    using Serve = std::function<void(Socket&)>;

    explicit TlsServer(TlsServerSettings settings, Serve serve = {});

    [[nodiscard]] std::uint16_t port() const { return server_->port(); }

    /// Of the last client that passed.
    [[nodiscard]] std::string serverName();
    [[nodiscard]] std::string version();
    [[nodiscard]] std::string clientSubject();

private:
    void serveOne(TcpServer::Socket& socket);

    TlsServerSettings settings_;
    Serve serve_;
    TlsContextPtr context_;
    std::mutex mutex_;
    std::string serverName_;
    std::string version_;
    std::string clientSubject_;
    std::unique_ptr<TcpServer> server_; ///< last: its threads use the rest
};

/// Reads until the client closes.
void drain(TlsServer::Socket& socket);
void drain(TcpServer::Socket& socket);

} // namespace bellwether::kafka::wire
