// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire_authority.h"

#include <mutex>
#include <thread>
#include <unordered_set>

#include <asio/executor_work_guard.hpp>
#include <asio/post.hpp>

#include "kafka/wire/cluster_operation.h"
#include "kafka/wire/listing_operation.h"
#include "kafka/wire/producers_operation.h"
#include "kafka/wire/roles_operation.h"
#include "kafka/wire/security.h"

namespace bellwether::kafka {
namespace {

Error closedError() {
    Error error;
    error.code = ErrorCode::closed;
    error.what = "the connection to the cluster was closed before an answer came";
    return error;
}

CoordinatorAnswer failedAnswer(const Error& error) {
    CoordinatorAnswer answer;
    answer.kind = CoordinatorAnswer::Kind::failed;
    answer.error = error;
    answer.asOf = std::chrono::time_point_cast<Millis>(std::chrono::system_clock::now());
    answer.askedAt = answer.answeredAt = wire::atTheLatest(std::chrono::steady_clock::now());
    return answer;
}

void answerAll(const std::vector<Role>& roles, const Error& error, const Authority::RolesHandler& handler) {
    std::vector<RoleAnswer> answers;
    std::unordered_set<Role> seen;
    for (const auto& role : roles) {
        if (seen.insert(role).second) {
            answers.push_back({role, failedAnswer(error)});
        }
    }
    handler(std::move(answers), true);
}

void answerAll(const std::vector<std::int32_t>& partitions, const Error& error,
               const Authority::ProducersHandler& handler) {
    std::vector<ProducersAnswer> answers;
    for (const auto partition : partitions) {
        answers.push_back({partition, fail(error)});
    }
    handler(std::move(answers));
}

/// What the I/O thread works on; it outlives the authority when that goes away inside one of its own
/// handlers.
struct Loop {
    asio::io_context io{1};
    std::optional<asio::executor_work_guard<asio::io_context::executor_type>> work{asio::make_work_guard(io)};
    std::shared_ptr<wire::ClusterClient> client;
    std::shared_ptr<wire::SaslCredentials> credentials; ///< null: no SASL
};

class WireAuthority final : public Authority {
public:
    explicit WireAuthority(std::shared_ptr<Loop> loop)
        : loop_(std::move(loop))
        , thread_([kept = loop_] { kept->io.run(); }) {}

    ~WireAuthority() override { close(); }

    void describeRoles(std::vector<Role> roles, Millis timeout, RolesHandler handler) override {
        post(
            [roles, timeout, handler](Loop& loop) mutable {
                loop.client->run(std::make_shared<wire::RolesOperation>(loop.client, std::move(roles),
                                                                        timeout, std::move(handler)));
            },
            [&](const Error& error) { answerAll(roles, error, handler); });
    }

    void describeProducers(std::string topic, std::vector<std::int32_t> partitions, Millis timeout,
                           ProducersHandler handler) override {
        post(
            [topic, partitions, timeout, handler](Loop& loop) mutable {
                loop.client->run(std::make_shared<wire::ProducersOperation>(
                    loop.client, std::move(topic), std::move(partitions), timeout, std::move(handler)));
            },
            [&](const Error& error) { answerAll(partitions, error, handler); });
    }

    void listTransactions(std::vector<std::int64_t> producerIds, Millis timeout,
                          ListingHandler handler) override {
        post(
            [producerIds, timeout, handler](Loop& loop) mutable {
                loop.client->run(std::make_shared<wire::ListingOperation>(loop.client, std::move(producerIds),
                                                                          timeout, std::move(handler)));
            },
            [&](const Error& error) {
                handler({{}, {error}});
            });
    }

    void describeCluster(Millis timeout, ClusterHandler handler) override {
        post(
            [timeout, handler](Loop& loop) mutable {
                loop.client->run(
                    std::make_shared<wire::ClusterOperation>(loop.client, timeout, std::move(handler)));
            },
            [&](const Error& error) { handler(fail(error)); });
    }

    void close() override {
        {
            const std::lock_guard lock(mutex_);
            if (!closed_) {
                closed_ = true;
                asio::post(loop_->io, [loop = loop_.get()] {
                    loop->client->close(closedError());
                    if (loop->credentials) {
                        loop->credentials->close();
                    }
                    loop->work.reset();
                });
            }
        }
        const std::lock_guard joining(joinMutex_);
        if (!thread_.joinable()) {
            return;
        }
        if (thread_.get_id() == std::this_thread::get_id()) {
            thread_.detach(); // the last owner let go inside a handler; the loop ends by itself
        } else {
            thread_.join();
        }
    }

private:
    /// Runs `work` on the I/O thread; after close() calls `refuse` here and now: there is no other thread
    /// left.
    template<typename Work, typename Refuse>
    void post(Work work, Refuse refuse) {
        {
            const std::lock_guard lock(mutex_);
            if (!closed_) {
                asio::post(loop_->io,
                           [loop = loop_.get(), work = std::move(work)]() mutable { work(*loop); });
                return;
            }
        }
        refuse(closedError());
    }

    const std::shared_ptr<Loop> loop_;
    std::mutex mutex_; ///< orders posts before the last one
    bool closed_ = false;
    std::mutex joinMutex_;
    std::thread thread_;
};

} // namespace

Result<std::shared_ptr<Authority>> makeWireAuthority(KafkaConfig config) {
    auto bootstrap = parseBootstrap(config.bootstrap);
    if (!bootstrap) {
        return fail(std::move(bootstrap).error());
    }
    wire::ConnectionOptions options;
    if (const auto id = config.properties.find("client.id"); id != config.properties.end()) {
        options.clientId = id->second;
    }
    auto loop = std::make_shared<Loop>();
    auto security = wire::makeSecurity(loop->io, config.properties);
    if (!security) {
        return fail(std::move(security).error());
    }
    options.makeStream = std::move(security->makeStream);
    options.tls = security->tls;
    options.credentials = loop->credentials = std::move(security->credentials);
    loop->client = std::make_shared<wire::ClusterClient>(loop->io, std::move(*bootstrap), std::move(options));
    return std::make_shared<WireAuthority>(std::move(loop));
}

} // namespace bellwether::kafka
