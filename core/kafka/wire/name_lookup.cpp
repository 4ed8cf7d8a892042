// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/name_lookup.h"

#include <mutex>
#include <system_error>
#include <thread>

#include <netdb.h>

#include <asio/ip/address.hpp>
#include <asio/post.hpp>
#include <fmt/format.h>

namespace bellwether::kafka::wire {

struct NameLookup::Gate {
    std::mutex mutex;
    asio::io_context* io = nullptr; ///< null once closed
};

namespace {

Error cannotResolve(const std::string& host, std::string_view why) {
    Error error;
    error.code = ErrorCode::unreachable;
    error.what = fmt::format("the name {} cannot be resolved: {}", host, why);
    error.hint = "check the address, /etc/hosts and DNS";
    error.retriable = true;
    return error;
}

// Blocks for as long as the system's resolver does.
Result<std::vector<asio::ip::address>> addressesOf(const std::string& host) {
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* list = nullptr;
    const int code = getaddrinfo(host.c_str(), nullptr, &hints, &list);
    if (code != 0) {
        return fail(cannotResolve(host, gai_strerror(code)));
    }
    std::vector<asio::ip::address> addresses;
    for (const auto* each = list; each != nullptr; each = each->ai_next) {
        asio::ip::tcp::endpoint endpoint;
        if (each->ai_addrlen <= endpoint.capacity()) {
            std::memcpy(endpoint.data(), each->ai_addr, each->ai_addrlen);
            addresses.push_back(endpoint.address());
        }
    }
    freeaddrinfo(list);
    if (addresses.empty()) {
        return fail(cannotResolve(host, "it has no address"));
    }
    return addresses;
}

Endpoints withPort(const std::vector<asio::ip::address>& addresses, std::uint16_t port) {
    Endpoints endpoints;
    for (const auto& address : addresses) {
        endpoints.emplace_back(address, port);
    }
    return endpoints;
}

} // namespace

NameLookup::NameLookup(asio::io_context& io)
    : io_(io)
    , gate_(std::make_shared<Gate>()) {
    gate_->io = &io;
}

NameLookup::~NameLookup() {
    close();
}

void NameLookup::close() {
    waiting_.clear();
    const std::lock_guard lock(gate_->mutex);
    gate_->io = nullptr;
}

void NameLookup::resolve(const HostPort& peer, Handler handler) {
    asio::error_code notNumeric;
    const auto address = asio::ip::make_address(peer.host, notNumeric);
    if (!notNumeric) {
        asio::post(io_, [handler = std::move(handler), endpoints = withPort({address}, peer.port)] {
            handler(endpoints);
        });
        return;
    }
    auto& waiting = waiting_[peer.host];
    waiting.push_back({peer.port, std::move(handler)});
    if (waiting.size() > 1) {
        return;
    }
    try {
        std::thread([gate = gate_, weak = weak_from_this(), host = peer.host] {
            auto addresses = addressesOf(host);
            const std::lock_guard lock(gate->mutex);
            if (gate->io != nullptr) {
                asio::post(*gate->io, [weak, host, addresses = std::move(addresses)] {
                    if (const auto self = weak.lock()) {
                        self->finish(host, addresses);
                    }
                });
            }
        }).detach();
    } catch (const std::system_error& noThread) {
        asio::post(io_, [weak = weak_from_this(), host = peer.host, why = std::string(noThread.what())] {
            if (const auto self = weak.lock()) {
                self->finish(host, fail(cannotResolve(host, why)));
            }
        });
    }
}

void NameLookup::finish(const std::string& host, const Result<std::vector<asio::ip::address>>& addresses) {
    const auto waiting = std::move(waiting_[host]);
    waiting_.erase(host);
    for (const auto& each : waiting) {
        if (addresses) {
            each.handler(withPort(*addresses, each.port));
        } else {
            each.handler(fail(addresses.error()));
        }
    }
}

} // namespace bellwether::kafka::wire
