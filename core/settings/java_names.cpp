// SPDX-License-Identifier: Apache-2.0
#include "settings/java_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace bellwether::settings {

namespace {

using namespace std::string_view_literals;

// Sorted, for the binary search.

constexpr std::array kSame{"bootstrap.servers"sv,
                           "client.dns.lookup"sv,
                           "client.id"sv,
                           "metadata.max.age.ms"sv,
                           "metadata.recovery.rebootstrap.trigger.ms"sv,
                           "metadata.recovery.strategy"sv,
                           "reconnect.backoff.max.ms"sv,
                           "reconnect.backoff.ms"sv,
                           "retry.backoff.max.ms"sv,
                           "retry.backoff.ms"sv,
                           "sasl.kerberos.min.time.before.relogin"sv,
                           "sasl.kerberos.service.name"sv,
                           "sasl.mechanism"sv,
                           "sasl.oauthbearer.assertion.algorithm"sv,
                           "sasl.oauthbearer.assertion.claim.aud"sv,
                           "sasl.oauthbearer.assertion.claim.exp.seconds"sv,
                           "sasl.oauthbearer.assertion.claim.iss"sv,
                           "sasl.oauthbearer.assertion.claim.jti.include"sv,
                           "sasl.oauthbearer.assertion.claim.nbf.seconds"sv,
                           "sasl.oauthbearer.assertion.claim.sub"sv,
                           "sasl.oauthbearer.assertion.file"sv,
                           "sasl.oauthbearer.assertion.private.key.file"sv,
                           "sasl.oauthbearer.assertion.private.key.passphrase"sv,
                           "sasl.oauthbearer.client.credentials.client.id"sv,
                           "sasl.oauthbearer.client.credentials.client.secret"sv,
                           "sasl.oauthbearer.scope"sv,
                           "sasl.oauthbearer.token.endpoint.url"sv,
                           "security.protocol"sv,
                           "socket.connection.setup.timeout.ms"sv,
                           "ssl.key.password"sv};

constexpr std::array kRenamed{
    std::pair{"receive.buffer.bytes"sv, "socket.receive.buffer.bytes"sv},
    std::pair{"request.timeout.ms"sv, "socket.timeout.ms"sv},
    std::pair{"sasl.oauthbearer.assertion.template.file"sv, "sasl.oauthbearer.assertion.jwt.template.file"sv},
    std::pair{"send.buffer.bytes"sv, "socket.send.buffer.bytes"sv}};

constexpr std::array kByItself{"connections.max.idle.ms"sv,
                               "sasl.client.callback.handler.class"sv,
                               "sasl.login.callback.handler.class"sv,
                               "sasl.login.class"sv,
                               "sasl.oauthbearer.header.urlencode"sv,
                               "sasl.oauthbearer.jwt.retriever.class"sv,
                               "ssl.cipher.suites"sv,
                               "ssl.enabled.protocols"sv,
                               "ssl.endpoint.identification.algorithm"sv,
                               "ssl.engine.factory.class"sv};

constexpr std::array kOfStores{
    "ssl.keystore.certificate.chain"sv, "ssl.keystore.key"sv,        "ssl.keystore.location"sv,
    "ssl.keystore.password"sv,          "ssl.keystore.type"sv,       "ssl.truststore.certificates"sv,
    "ssl.truststore.location"sv,        "ssl.truststore.password"sv, "ssl.truststore.type"sv};

constexpr std::array kNotForUs{"acks"sv,
                               "allow.auto.create.topics"sv,
                               "auto.commit.interval.ms"sv,
                               "auto.include.jmx.reporter"sv,
                               "auto.offset.reset"sv,
                               "batch.size"sv,
                               "bootstrap.controllers"sv,
                               "bootstrap.resolve.timeout.ms"sv,
                               "buffer.memory"sv,
                               "buffer.memory.allocation.strategy"sv,
                               "check.crcs"sv,
                               "client.rack"sv,
                               "compression.gzip.level"sv,
                               "compression.lz4.level"sv,
                               "compression.type"sv,
                               "compression.zstd.level"sv,
                               "default.api.timeout.ms"sv,
                               "delivery.timeout.ms"sv,
                               "enable.auto.commit"sv,
                               "enable.idempotence"sv,
                               "enable.metrics.push"sv,
                               "exclude.internal.topics"sv,
                               "fetch.max.bytes"sv,
                               "fetch.max.wait.ms"sv,
                               "fetch.min.bytes"sv,
                               "group.id"sv,
                               "group.instance.id"sv,
                               "group.protocol"sv,
                               "group.remote.assignor"sv,
                               "heartbeat.interval.ms"sv,
                               "interceptor.classes"sv,
                               "internal.throw.on.fetch.stable.offset.unsupported"sv,
                               "isolation.level"sv,
                               "key.converter"sv,
                               "key.deserializer"sv,
                               "key.serializer"sv,
                               "linger.ms"sv,
                               "max.block.ms"sv,
                               "max.in.flight.requests.per.connection"sv,
                               "max.partition.fetch.bytes"sv,
                               "max.poll.interval.ms"sv,
                               "max.poll.records"sv,
                               "max.request.size"sv,
                               "metadata.cluster.check.enable"sv,
                               "metadata.max.idle.ms"sv,
                               "metric.reporters"sv,
                               "metrics.num.samples"sv,
                               "metrics.recording.level"sv,
                               "metrics.sample.window.ms"sv,
                               "partition.assignment.strategy"sv,
                               "partitioner.adaptive.partitioning.enable"sv,
                               "partitioner.availability.timeout.ms"sv,
                               "partitioner.class"sv,
                               "partitioner.ignore.keys"sv,
                               "partitioner.rack.aware"sv,
                               "retries"sv,
                               "sasl.kerberos.kinit.cmd"sv,
                               "sasl.kerberos.ticket.renew.jitter"sv,
                               "sasl.kerberos.ticket.renew.window.factor"sv,
                               "sasl.login.connect.timeout.ms"sv,
                               "sasl.login.read.timeout.ms"sv,
                               "sasl.login.refresh.buffer.seconds"sv,
                               "sasl.login.refresh.min.period.seconds"sv,
                               "sasl.login.refresh.window.factor"sv,
                               "sasl.login.refresh.window.jitter"sv,
                               "sasl.login.retry.backoff.max.ms"sv,
                               "sasl.login.retry.backoff.ms"sv,
                               "sasl.oauthbearer.allow.unverified.audience"sv,
                               "sasl.oauthbearer.allow.unverified.issuer"sv,
                               "sasl.oauthbearer.clock.skew.seconds"sv,
                               "sasl.oauthbearer.expected.audience"sv,
                               "sasl.oauthbearer.expected.issuer"sv,
                               "sasl.oauthbearer.jwks.endpoint.refresh.ms"sv,
                               "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms"sv,
                               "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms"sv,
                               "sasl.oauthbearer.jwks.endpoint.url"sv,
                               "sasl.oauthbearer.jwt.validator.class"sv,
                               "sasl.oauthbearer.scope.claim.name"sv,
                               "sasl.oauthbearer.sub.claim.name"sv,
                               "security.providers"sv,
                               "session.timeout.ms"sv,
                               "share.acknowledgement.mode"sv,
                               "share.acquire.mode"sv,
                               "socket.connection.setup.timeout.max.ms"sv,
                               "ssl.keymanager.algorithm"sv,
                               "ssl.protocol"sv,
                               "ssl.provider"sv,
                               "ssl.secure.random.implementation"sv,
                               "ssl.trustmanager.algorithm"sv,
                               "transaction.timeout.ms"sv,
                               "transaction.two.phase.commit.enable"sv,
                               "transactional.id"sv,
                               "value.converter"sv,
                               "value.deserializer"sv,
                               "value.serializer"sv};

constexpr std::array kBounds{
    std::pair{"metadata.max.age.ms"sv, Bounds{1, 86'400'000}},
    std::pair{"reconnect.backoff.max.ms"sv, Bounds{0, 3'600'000}},
    std::pair{"reconnect.backoff.ms"sv, Bounds{0, 3'600'000}},
    std::pair{"retry.backoff.max.ms"sv, Bounds{1, 300'000}},
    std::pair{"retry.backoff.ms"sv, Bounds{1, 300'000}},
    std::pair{"sasl.kerberos.min.time.before.relogin"sv, Bounds{0, 86'400'000}},
    std::pair{"socket.connection.setup.timeout.ms"sv, Bounds{1'000, 2'147'483'647}},
    std::pair{"socket.receive.buffer.bytes"sv, Bounds{0, 100'000'000}},
    std::pair{"socket.send.buffer.bytes"sv, Bounds{0, 100'000'000}},
    std::pair{"socket.timeout.ms"sv, Bounds{10, 300'000}},
    std::pair{"connections.max.idle.ms"sv, Bounds{0, 2'147'483'647}},
    std::pair{"metadata.recovery.rebootstrap.trigger.ms"sv, Bounds{0, 2'147'483'647}}};

template<typename List>
bool contains(const List& list, std::string_view name) {
    return std::binary_search(list.begin(), list.end(), name);
}

template<typename Pairs>
auto entryOf(const Pairs& pairs, std::string_view name) {
    return std::find_if(pairs.begin(), pairs.end(), [&](const auto& each) { return each.first == name; });
}

} // namespace

JavaName kindOf(std::string_view name) {
    if (name == "sasl.jaas.config") {
        return JavaName::ofJaas;
    }
    if (name == "config.providers" || name.starts_with("config.providers.")) {
        return JavaName::configSource;
    }
    if (contains(kOfStores, name)) {
        return JavaName::ofStores;
    }
    if (contains(kByItself, name)) {
        return JavaName::byItself;
    }
    if (entryOf(kRenamed, name) != kRenamed.end()) {
        return JavaName::renamed;
    }
    if (contains(kSame, name)) {
        return JavaName::same;
    }
    return contains(kNotForUs, name) ? JavaName::notForUs : JavaName::unknown;
}

std::string_view renamedTo(std::string_view name) {
    const auto found = entryOf(kRenamed, name);
    return found == kRenamed.end() ? name : found->second;
}

std::vector<std::string> javaSecurityNames() {
    std::vector<std::string> out{"sasl.jaas.config"};
    const auto add = [&](const auto& list) {
        for (const auto name : list) {
            if (name.starts_with("sasl.") || name.starts_with("ssl.") || name.starts_with("security.")) {
                out.emplace_back(name);
            }
        }
    };
    add(kSame);
    add(kByItself);
    add(kOfStores);
    add(kNotForUs);
    return out;
}

std::vector<std::string> translatedNames() {
    std::vector<std::string> out(kSame.begin(), kSame.end());
    for (const auto& [java, ours] : kRenamed) {
        out.emplace_back(java);
    }
    return out;
}

std::optional<Bounds> boundsOf(std::string_view name) {
    const auto found = entryOf(kBounds, name);
    return found == kBounds.end() ? std::nullopt : std::optional(found->second);
}

} // namespace bellwether::settings
