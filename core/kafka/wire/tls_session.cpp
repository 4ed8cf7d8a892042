// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_session.h"

#include <asio/ip/address.hpp>

namespace bellwether::kafka::wire {
namespace {

bool isAddress(const std::string& name) {
    asio::error_code isName;
    (void)asio::ip::make_address(name, isName);
    return !isName;
}

/// SSL_set_tlsext_host_name, a macro with casts.
bool nameServer(SSL& tls, std::string name) {
    return SSL_ctrl(&tls, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name, name.data()) == 1;
}

} // namespace

bool TlsSession::heard() {
    return BIO_number_read(SSL_get_rbio(socket->native_handle())) > 0;
}

std::string tlsNameOf(const HostPort& peer) {
    asio::error_code isName;
    const auto address = asio::ip::make_address(peer.host, isName);
    if (!isName && address.is_v6()) {
        auto v6 = address.to_v6();
        v6.scope_id(0);
        return v6.to_string();
    }
    return peer.host.size() > 1 && peer.host.back() == '.' ? peer.host.substr(0, peer.host.size() - 1)
                                                           : peer.host;
}

std::shared_ptr<TlsSession> makeTlsSession(asio::io_context& io, const std::string& name,
                                           const TlsContext& context) {
    // For OpenSSL an empty name is one that needs no check.
    if (name.empty() || name.find('\0') != std::string::npos) {
        return nullptr;
    }
    TlsSessionPtr tls(SSL_new(context.context.get()));
    auto session = std::make_shared<TlsSession>();
    session->attempt.name = name;
    if (!tls || !setAttempt(*tls, session->attempt) || (!isAddress(name) && !nameServer(*tls, name)) ||
        // For an address this sets the address to check.
        (context.checkName && SSL_set1_host(tls.get(), name.c_str()) != 1)) {
        return nullptr;
    }
    session->socket.emplace(asio::ip::tcp::socket(io), tls.get());
    (void)tls.release(); // the socket's by now
    return session;
}

} // namespace bellwether::kafka::wire
