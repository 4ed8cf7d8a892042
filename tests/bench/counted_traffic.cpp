// SPDX-License-Identifier: Apache-2.0
#include "counted_traffic.h"

#include <stdexcept>

#include <fmt/format.h>

#include <asio/executor_work_guard.hpp>

#include "kafka/wire/cluster_client.h"
#include "kafka/wire/roles_operation.h"

namespace bellwether::bench {

namespace {

using namespace kafka;
using namespace kafka::wire;

/// Passes everything on and counts: whole requests, since the client writes whole frames.
class CountingStream final : public Stream {
public:
    CountingStream(std::shared_ptr<Stream> inner, std::string peer, Traffic& traffic)
        : inner_(std::move(inner))
        , peer_(std::move(peer))
        , traffic_(traffic) {}

    void open(Endpoints endpoints, Done done) override {
        inner_->open(std::move(endpoints), std::move(done));
    }

    void readSome(asio::mutable_buffer buffer, ReadDone done) override {
        inner_->readSome(buffer, [this, done = std::move(done)](Result<std::size_t> count) {
            if (count) {
                traffic_.bytesIn += *count;
            }
            done(std::move(count));
        });
    }

    void write(std::vector<asio::const_buffer> buffers, Done done) override {
        for (const auto& buffer : buffers) {
            const auto* bytes = static_cast<const std::uint8_t*>(buffer.data());
            traffic_.bytesOut += buffer.size();
            const auto api = static_cast<ApiKey>((bytes[4] << 8) | bytes[5]); // behind the length
            ++traffic_.requests[std::string(toString(api))];
            if (api == ApiKey::describeTransactions) {
                ++traffic_.requestsOfPeer[peer_];
            }
        }
        inner_->write(std::move(buffers), std::move(done));
    }

    void close() override { inner_->close(); }

private:
    std::shared_ptr<Stream> inner_;
    std::string peer_;
    Traffic& traffic_;
};

void describe(asio::io_context& io, const std::shared_ptr<ClusterClient>& client,
              const std::vector<Role>& roles) {
    std::size_t described = 0;
    bool over = false;
    client->run(std::make_shared<RolesOperation>(
        client, roles, Millis{60'000}, [&](std::vector<RoleAnswer> answers, bool last) {
            for (const auto& each : answers) {
                described += each.answer.kind == CoordinatorAnswer::Kind::described ? 1U : 0U;
            }
            over = last;
        }));
    while (!over) {
        io.run_one();
    }
    if (described != roles.size()) {
        throw std::runtime_error(fmt::format("{} of {} roles were described", described, roles.size()));
    }
}

/// For runs without a thread of their own.
struct OwnLoop {
    asio::io_context io{1};
    asio::executor_work_guard<asio::io_context::executor_type> work = asio::make_work_guard(io);

    std::shared_ptr<ClusterClient> client(const std::string& bootstrap, ConnectionOptions options) {
        return std::make_shared<ClusterClient>(io, parseBootstrap(bootstrap).value(), std::move(options));
    }

    void end(ClusterClient& client) {
        Error over;
        over.code = ErrorCode::closed;
        over.what = "the benchmark is over";
        client.close(over);
        io.poll();
    }
};

} // namespace

std::map<std::string, std::vector<std::string>> coordinatorsOf(const std::string& bootstrap,
                                                               const std::vector<Role>& roles) {
    OwnLoop loop;
    const auto client = loop.client(bootstrap, {});
    describe(loop.io, client, roles);
    std::map<std::string, std::vector<std::string>> found;
    for (const auto& role : roles) {
        const auto node = client->coordinatorOf(role.str());
        found[client->broker(node.value())->where()].push_back(role.str());
    }
    loop.end(*client);
    return found;
}

CountedRuns countTraffic(const std::string& bootstrap, const std::vector<Role>& roles) {
    OwnLoop loop;
    Traffic traffic;
    ConnectionOptions options;
    options.makeStream = [&traffic](asio::io_context& context,
                                    const HostPort& peer) -> std::shared_ptr<Stream> {
        return std::make_shared<CountingStream>(makePlainStream(context, peer),
                                                fmt::format("{}:{}", peer.host, peer.port), traffic);
    };
    const auto client = loop.client(bootstrap, std::move(options));
    CountedRuns runs;
    describe(loop.io, client, roles);
    runs.first = std::exchange(traffic, {});
    describe(loop.io, client, roles);
    runs.second = traffic;
    loop.end(*client);
    return runs;
}

} // namespace bellwether::bench
