// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/cluster_operation.h"

#include <fmt/format.h>

namespace bellwether::kafka::wire {
namespace {

constexpr std::string_view kTransactionVersion = "transaction.version";

// A feature at level 0 is not among the finalized ones; v4 of the answer tells "has it, at 0" from "has it
// not".
std::optional<std::int16_t> transactionVersionOf(const ApiVersionsResponse& answer) {
    for (const auto& feature : answer.finalizedFeatures) {
        if (feature.name == kTransactionVersion) {
            return feature.maxVersionLevel;
        }
    }
    for (const auto& feature : answer.supportedFeatures) {
        if (feature.name == kTransactionVersion) {
            return std::int16_t{0};
        }
    }
    return std::nullopt;
}

} // namespace

ClusterOperation::ClusterOperation(std::shared_ptr<ClusterClient> client, Millis timeout,
                                   Authority::ClusterHandler handler)
    : client_(std::move(client))
    , deadline_(deadlineAfter(timeout))
    , timeout_(timeout)
    , handler_(std::move(handler))
    , retryTimer_(client_->io())
    , deadlineTimer_(client_->io()) {}

void ClusterOperation::start() {
    deadlineTimer_.expires_at(deadline_);
    deadlineTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
        if (cancelled || self->done_) {
            return;
        }
        if (self->lastFailure_) {
            self->finish(fail(*self->lastFailure_));
        } else {
            self->finish(fail(ErrorCode::timeout,
                              fmt::format("no broker answered within {} ms", self->timeout_.count()), {},
                              "check the bootstrap address; brokers may be slow, stopped or cut off"));
        }
    });
    fetch();
}

void ClusterOperation::cancel(const Error& error) {
    finish(fail(error));
}

void ClusterOperation::fetch() {
    client_->fetchMetadata(std::nullopt, deadline_,
                           [self = shared_from_this()](const Result<MetadataResponse>& metadata) {
                               if (!self->done_) {
                                   self->onMetadata(metadata);
                               }
                           });
}

void ClusterOperation::onMetadata(const Result<MetadataResponse>& metadata) {
    if (!metadata) {
        if (isPermanent(metadata.error())) {
            finish(fail(metadata.error()));
            return;
        }
        lastFailure_ = metadata.error();
        retryTimer_.expires_after(pause_.next());
        retryTimer_.async_wait([self = shared_from_this()](const asio::error_code& cancelled) {
            if (!cancelled && !self->done_) {
                self->fetch();
            }
        });
        return;
    }
    info_.clusterId = metadata->clusterId.value_or(std::string{});
    info_.controllerId = metadata->controllerId;
    const auto left = std::chrono::duration_cast<Millis>(deadline_ - std::chrono::steady_clock::now());
    const auto probeUntil = deadlineAfter(std::min(kProbe, left / 2));
    for (const auto& each : metadata->brokers) {
        info_.brokers.push_back({each.nodeId, each.host, each.port, false});
    }
    probing_ = info_.brokers.size();
    for (std::size_t i = 0; i < info_.brokers.size(); ++i) {
        const auto connection = client_->broker(info_.brokers[i].nodeId);
        if (!connection) {
            --probing_;
            continue;
        }
        ask<ApiVersionsResponse>(
            connection, ApiVersionsRequest{"bellwether", "0.1"}, probeUntil,
            [self = shared_from_this(), i](const Result<Answer<ApiVersionsResponse>>& answer) {
                if (!self->done_) {
                    self->onProbe(i, answer);
                }
            });
    }
    if (probing_ == 0) {
        finish(std::move(info_));
    }
}

void ClusterOperation::onProbe(std::size_t index, const Result<Answer<ApiVersionsResponse>>& answer) {
    --probing_;
    if (answer) {
        const auto& message = answer->message;
        info_.brokers[index].reachable = true;
        anyProbed_ = true;
        describable_ = describable_ || message.versionsOf(ApiKey::describeTransactions).has_value();
        if (message.finalizedFeaturesEpoch > featuresEpoch_) {
            featuresEpoch_ = message.finalizedFeaturesEpoch;
            info_.transactionVersion = transactionVersionOf(message);
        }
    }
    if (probing_ == 0) {
        info_.canDescribe = describable_ || !anyProbed_;
        finish(std::move(info_));
    }
}

void ClusterOperation::finish(Result<ClusterInfo> result) {
    if (done_) {
        return;
    }
    done_ = true;
    retryTimer_.cancel();
    deadlineTimer_.cancel();
    const auto keep = shared_from_this();
    client_->release(keep);
    const auto handler = std::move(handler_);
    handler(std::move(result));
}

} // namespace bellwether::kafka::wire
