// SPDX-License-Identifier: Apache-2.0
#include "scripted_broker.h"

#include <algorithm>

#include <asio/buffer.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>
#include <sys/socket.h>

#include "kafka/wire/writer.h"

namespace bellwether::kafka::wire {

using asio::ip::tcp;

Reaction Reaction::frame(const SeenRequest& request, ByteView body, std::int32_t shift) {
    const bool flexible = hasFlexibleResponseHeader(request.api, request.version);
    const auto size = 4 + (flexible ? 1 : 0) + body.size();
    Writer header("response header", 0, flexible);
    header.i32("length", static_cast<std::int32_t>(size));
    header.i32("correlation id", request.correlationId + shift);
    header.tagged();
    auto bytes = std::move(header).finish().value();
    bytes.insert(bytes.end(), body.begin(), body.end());
    return raw(std::move(bytes));
}

ApiVersionsResponse ScriptedBroker::modern() {
    ApiVersionsResponse versions;
    versions.apis = {{3, {0, 13}}, {10, {0, 6}}, {18, {0, 4}}, {61, {0, 0}},
                     {65, {0, 0}}, {66, {0, 2}}, {17, {0, 1}}, {36, {0, 2}}};
    versions.finalizedFeaturesEpoch = 7;
    versions.finalizedFeatures = {{"transaction.version", 2, 2}};
    return versions;
}

ScriptedBroker::ScriptedBroker(std::int32_t nodeId)
    : nodeId_(nodeId)
    , acceptor_(io_, tcp::endpoint(asio::ip::make_address("127.0.0.1"), 0))
    , port_(acceptor_.local_endpoint().port()) {
    metadata_.clusterId = "scripted";
    metadata_.controllerId = nodeId;
    metadata_.brokers = {{nodeId, "127.0.0.1", port_, std::nullopt}};
    acceptThread_ = std::thread([this] { accept(); });
}

ScriptedBroker::~ScriptedBroker() {
    stopping_ = true;
    // shutdown() wakes a thread that blocks in accept() or read().
    ::shutdown(acceptor_.native_handle(), SHUT_RDWR);
    acceptThread_.join();
    {
        const std::lock_guard lock(mutex_);
        for (const auto& socket : sockets_) {
            ::shutdown(socket->native_handle(), SHUT_RDWR);
        }
    }
    for (auto& thread : threads_) {
        thread.join();
    }
}

void ScriptedBroker::on(ApiKey api, Script script) {
    const std::lock_guard lock(mutex_);
    scripts_[api] = std::move(script);
}

void ScriptedBroker::greet(Bytes bytes) {
    const std::lock_guard lock(mutex_);
    greeting_ = std::move(bytes);
}

void ScriptedBroker::advertise(ApiVersionsResponse versions) {
    const std::lock_guard lock(mutex_);
    versions_ = std::move(versions);
}

void ScriptedBroker::cluster(const std::vector<const ScriptedBroker*>& brokers) {
    const std::lock_guard lock(mutex_);
    metadata_.brokers.clear();
    for (const auto* each : brokers) {
        metadata_.brokers.push_back({each->nodeId(), "127.0.0.1", each->port(), std::nullopt});
    }
}

void ScriptedBroker::topic(const std::string& name, const std::vector<std::int32_t>& leaders) {
    MetadataResponse::Topic topic;
    topic.name = name;
    for (std::size_t i = 0; i < leaders.size(); ++i) {
        MetadataResponse::Partition partition;
        partition.index = static_cast<std::int32_t>(i);
        partition.leaderId = leaders[i];
        topic.partitions.push_back(partition);
    }
    const std::lock_guard lock(mutex_);
    metadata_.topics = {topic};
}

std::size_t ScriptedBroker::count(ApiKey api) const {
    const std::lock_guard lock(mutex_);
    const auto found = counts_.find(api);
    return found == counts_.end() ? 0 : found->second;
}

void ScriptedBroker::accept() {
    while (!stopping_) {
        auto socket = std::make_shared<tcp::socket>(io_);
        asio::error_code code;
        acceptor_.accept(*socket, code);
        if (code || stopping_) {
            return;
        }
        ++connections_;
        socket->set_option(tcp::no_delay(true));
        const std::lock_guard lock(mutex_);
        sockets_.push_back(socket);
        threads_.emplace_back([this, socket] { serve(*socket); });
    }
}

void ScriptedBroker::send(tcp::socket& socket, const Bytes& bytes) const {
    const std::size_t piece = pieceSize_ == 0 ? bytes.size() : pieceSize_.load();
    asio::error_code code; // a client that has gone ends the connection's loop at the next read
    for (std::size_t at = 0; at < bytes.size() && !code; at += piece) {
        asio::write(socket, asio::buffer(bytes.data() + at, std::min(piece, bytes.size() - at)), code);
    }
}

void ScriptedBroker::serve(tcp::socket& socket) {
    {
        Bytes greeting;
        {
            const std::lock_guard lock(mutex_);
            greeting = greeting_;
        }
        send(socket, greeting);
    }
    for (;;) {
        Bytes length(4);
        asio::error_code code;
        asio::read(socket, asio::buffer(length), code);
        if (code) {
            return;
        }
        std::uint32_t size = 0;
        for (const auto byte : length) {
            size = (size << 8) | byte;
        }
        Bytes frame(size);
        asio::read(socket, asio::buffer(frame), code);
        if (code) {
            return;
        }
        std::int16_t key = 0;
        SeenRequest request;
        std::optional<std::string> clientId;
        Reader fixed(frame, "request header", 1, false);
        fixed.i16("key", key);
        fixed.i16("version", request.version);
        fixed.i32("correlation id", request.correlationId);
        fixed.oldNullableString("client id", clientId);
        request.api = static_cast<ApiKey>(key);
        const auto body = fixed.position() + (isFlexible(request.api, request.version) ? 1 : 0);
        request.body.assign(frame.begin() + static_cast<std::ptrdiff_t>(body), frame.end());
        const auto reaction = react(request);
        send(socket, reaction.bytes);
        if (reaction.hangUp) {
            if (reaction.reset) {
                socket.set_option(asio::socket_base::linger(true, 0), code);
                const std::lock_guard lock(mutex_);
                socket.close(code);
            } else {
                ::shutdown(socket.native_handle(), SHUT_RDWR);
            }
            return;
        }
    }
}

Reaction ScriptedBroker::react(const SeenRequest& request) {
    const std::lock_guard lock(mutex_);
    ++counts_[request.api];
    if (const auto script = scripts_.find(request.api); script != scripts_.end()) {
        return script->second(request);
    }
    if (request.api == ApiKey::apiVersions) {
        return Reaction::answer(request, versions_);
    }
    if (request.api == ApiKey::metadata) {
        auto metadata = metadata_;
        if (request.as<MetadataRequest>().topics->empty()) {
            metadata.topics.clear();
        }
        return Reaction::answer(request, metadata);
    }
    return Reaction::silence();
}

} // namespace bellwether::kafka::wire
