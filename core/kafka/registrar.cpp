// SPDX-License-Identifier: Apache-2.0
#include "kafka/registrar.h"

#include "coordination/role_partition.h"
#include "kafka/cluster_query.h"
#include "kafka/record_sender.h"

namespace bellwether::kafka {
namespace {

constexpr Millis kSlice{100};

} // namespace

Registrar::Registrar(const KafkaConfig& config)
    : config_(config)
    , deliveries_(std::make_shared<DeliveryWatch>()) {}

Result<std::unique_ptr<Registrar>> Registrar::open(const KafkaConfig& config) {
    std::unique_ptr<Registrar> registrar(new Registrar(config));
    auto conf = makeConf(config, ClientPurpose::registering);
    if (!conf) {
        return fail(std::move(conf.error()));
    }
    auto client = Client::make(RD_KAFKA_PRODUCER, std::move(*conf), config, registrar->deliveries_);
    if (!client) {
        return fail(std::move(client.error()));
    }
    registrar->client_ = std::move(*client);
    return registrar;
}

Result<void> Registrar::append(const Role& role, const std::string& key,
                               const std::optional<std::string>& value, std::string_view doing,
                               const CallLimit& limit) {
    Place place{config_.bootstrap, config_.topic, {}, {}, role.str()};
    const auto count = askPartitionCount(*client_, config_.topic, limit);
    if (!count) {
        return fail(count.error());
    }
    const auto partition = rolePartition(role, *count);
    place.partition = partition;
    const auto ticket = deliveries_->newTicket();
    if (auto sent = sendRecord(*client_, config_.topic, partition, key, value, ticket, doing, place, limit);
        !sent) {
        return sent;
    }
    std::optional<Fault> report;
    while (!(report = deliveries_->waitForDelivery(ticket, Millis{limit.slice(kSlice)}))) {
        if (auto ended = limit.ended(*client_, doing, place)) {
            // Or it would be appended when the brokers come back, long after the caller was told.
            rd_kafka_purge(client_->get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
            ended->what += "; whether the record was appended is not known";
            ended->hint += ended->hint.empty() ? "read the role" : "; then read the role";
            return fail(std::move(*ended));
        }
    }
    if (report->code != RD_KAFKA_RESP_ERR_NO_ERROR) {
        return fail(explainConnection(toError(*report, doing, place), client_->diary()));
    }
    return {};
}

} // namespace bellwether::kafka
