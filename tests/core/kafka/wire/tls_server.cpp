// SPDX-License-Identifier: Apache-2.0
#include "tls_server.h"

#include <array>
#include <stdexcept>

#include <sys/socket.h>

#include <asio/buffer.hpp>
#include <openssl/pem.h>

#include "kafka/wire/tls_attempt.h"

namespace bellwether::kafka::wire {
namespace {

void must(bool done) {
    if (!done) {
        throw std::runtime_error("the server cannot be set up: " + OpensslErrors().text());
    }
}

CertificatePtr certificateOf(BIO* bio) {
    return CertificatePtr(PEM_read_bio_X509(bio, nullptr, nullptr, nullptr));
}

TlsContextPtr contextOf(const TlsServerSettings& settings) {
    TlsContextPtr context(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_set_security_level(context.get(), 0); // old versions as well
    must(SSL_CTX_set_min_proto_version(context.get(), settings.oldest) == 1);
    must(SSL_CTX_set_max_proto_version(context.get(), settings.newest) == 1);
    const auto certificate = certificateOf(readingOf(settings.own.certificate).get());
    const KeyPtr key(PEM_read_bio_PrivateKey(readingOf(settings.own.key).get(), nullptr, nullptr, nullptr));
    must(SSL_CTX_use_certificate(context.get(), certificate.get()) == 1);
    must(SSL_CTX_use_PrivateKey(context.get(), key.get()) == 1);
    const auto chain = readingOf(settings.own.chain);
    while (const auto next = certificateOf(chain.get())) {
        must(SSL_CTX_add1_chain_cert(context.get(), next.get()) == 1);
    }
    auto* store = SSL_CTX_get_cert_store(context.get());
    const auto cas = readingOf(settings.clientCa);
    while (const auto next = certificateOf(cas.get())) {
        must(X509_STORE_add_cert(store, next.get()) == 1);
        if (settings.namesClientCas) {
            must(SSL_CTX_add_client_CA(context.get(), next.get()) == 1);
        }
    }
    if (!settings.revoked.empty()) {
        const std::unique_ptr<X509_CRL, OpensslFree<X509_CRL_free>> list(
            PEM_read_bio_X509_CRL(readingOf(settings.revoked).get(), nullptr, nullptr, nullptr));
        must(X509_STORE_add_crl(store, list.get()) == 1);
        X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK);
    }
    using ClientAuth = TlsServerSettings::ClientAuth;
    if (settings.clientAuth != ClientAuth::none) {
        SSL_CTX_set_verify(context.get(),
                           settings.clientAuth == ClientAuth::needed
                               ? SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
                               : SSL_VERIFY_PEER,
                           nullptr);
    }
    must(settings.ciphers.empty() || SSL_CTX_set_cipher_list(context.get(), settings.ciphers.c_str()) == 1);
    must(settings.groups.empty() || SSL_CTX_set1_groups_list(context.get(), settings.groups.c_str()) == 1);
    ERR_clear_error();
    return context;
}

template<typename Any>
void drainAny(Any& socket) {
    std::array<char, 64 * 1024> bytes{};
    asio::error_code ended;
    while (!ended) {
        (void)socket.read_some(asio::buffer(bytes), ended);
    }
}

} // namespace

TcpServer::TcpServer(Serve serve)
    : serve_(std::move(serve))
    , acceptor_(io_, {asio::ip::make_address("127.0.0.1"), 0})
    , port_(acceptor_.local_endpoint().port())
    , acceptThread_([this] { accept(); }) {}

TcpServer::~TcpServer() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const auto& socket : sockets_) {
            asio::error_code ignored;
            socket->shutdown(Socket::shutdown_both, ignored);
        }
    }
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR); // wakes accept()
    acceptThread_.join();
    for (auto& thread : threads_) {
        thread.join();
    }
}

void TcpServer::accept() {
    while (true) {
        auto socket = std::make_shared<Socket>(io_);
        asio::error_code ended;
        acceptor_.accept(*socket, ended);
        const std::lock_guard lock(mutex_);
        if (ended || stopping_) {
            return;
        }
        sockets_.push_back(socket);
        threads_.emplace_back([this, socket] {
            serve_(*socket);
            const std::lock_guard closing(mutex_);
            asio::error_code ignored;
            socket->close(ignored);
        });
    }
}

TlsServer::TlsServer(TlsServerSettings settings, Serve serve)
    : settings_(std::move(settings))
    , serve_(serve ? std::move(serve) : Serve([](Socket& socket) { drain(socket); }))
    , context_(contextOf(settings_))
    , server_(std::make_unique<TcpServer>([this](TcpServer::Socket& socket) { serveOne(socket); })) {}

void TlsServer::serveOne(TcpServer::Socket& socket) {
    auto* tls = SSL_new(context_.get());
    if (settings_.prepare) {
        settings_.prepare(*tls);
    }
    Socket secured(socket, tls);
    asio::error_code failed;
    secured.handshake(asio::ssl::stream_base::server, failed);
    if (failed) {
        if (settings_.isPatient) {
            drain(socket);
        }
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        const auto* name = SSL_get_servername(tls, TLSEXT_NAMETYPE_host_name);
        serverName_ = name == nullptr ? "" : name;
        version_ = SSL_get_version(tls);
        const auto* client = SSL_get0_peer_certificate(tls);
        clientSubject_ = client == nullptr ? "" : describe(*client).subject;
    }
    serve_(secured);
}

std::string TlsServer::serverName() {
    const std::lock_guard lock(mutex_);
    return serverName_;
}

std::string TlsServer::version() {
    const std::lock_guard lock(mutex_);
    return version_;
}

std::string TlsServer::clientSubject() {
    const std::lock_guard lock(mutex_);
    return clientSubject_;
}

void drain(TlsServer::Socket& socket) {
    drainAny(socket);
}

void drain(TcpServer::Socket& socket) {
    drainAny(socket);
}

} // namespace bellwether::kafka::wire
