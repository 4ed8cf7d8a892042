// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_config.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "kafka/client_conf.h"

namespace bellwether::kafka {
namespace {

using Settings = std::map<std::string, std::string>;

constexpr std::string_view kTransactionalId = "transactional.id";

bool isReading(ClientPurpose purpose) {
    return purpose == ClientPurpose::readingRole || purpose == ClientPurpose::watching;
}

/// 0 when it is not set or no number.
long long numberOf(const Settings& properties, const std::string& name) {
    const auto found = properties.find(name);
    long long number = 0;
    if (found != properties.end()) {
        const auto& text = found->second;
        const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (failure != std::errc{} || end != text.data() + text.size()) {
            return 0; // librdkafka tells
        }
    }
    return number;
}

/// Preferences: the user's properties go over them. Why each: measured latencies of fresh handles, takeovers
/// and renewals (nagle, linger, sparse connections, backoffs), and destruction without a wait (metrics push).
Settings preferences(const KafkaConfig& config, ClientPurpose purpose) {
    Settings out{
        {"client.id", "bellwether"},
        {"socket.nagle.disable", "true"},
        {"socket.keepalive.enable", "true"},
        {"socket.connection.setup.timeout.ms", "5000"},
        {"enable.sparse.connections", "false"},
        {"retry.backoff.ms", "10"},
        {"reconnect.backoff.ms", "10"},
        {"reconnect.backoff.max.ms", "1000"},
        {"enable.metrics.push", "false"},
    };
    if (purpose != ClientPurpose::minting) {
        // A transactional producer's follows its transaction.timeout.ms.
        out["socket.timeout.ms"] = "10000";
    }
    // Java's rule: who sets only the first of the two means both.
    if (const auto first = config.properties.find("reconnect.backoff.ms");
        numberOf(config.properties, "reconnect.backoff.ms") > 1'000) {
        out["reconnect.backoff.max.ms"] = first->second;
    }
    switch (purpose) {
    case ClientPurpose::minting: out.insert({{"linger.ms", "0"}}); break;
    case ClientPurpose::registering:
        out.insert({{"linger.ms", "0"}, {"message.timeout.ms", std::to_string(config.timeout.count())}});
        break;
    case ClientPurpose::readingRole:
    case ClientPurpose::watching:
        out.insert({{"group.id", "bellwether"},
                    {"fetch.wait.max.ms", purpose == ClientPurpose::watching ? "50" : "5"},
                    {"fetch.error.backoff.ms", "50"},
                    {"fetch.queue.backoff.ms", "5"}});
        break;
    case ClientPurpose::asking: break;
    }
    return out;
}

/// What correctness rests on: nothing goes over it.
Settings requirements(const KafkaConfig& config, ClientPurpose purpose) {
    Settings out{{"bootstrap.servers", config.bootstrap}, {"allow.auto.create.topics", "false"}};
    if (isReading(purpose)) {
        out.insert({{"enable.auto.commit", "false"},
                    {"enable.auto.offset.store", "false"},
                    {"enable.partition.eof", "true"},
                    {"auto.offset.reset", "earliest"}});
    } else if (purpose == ClientPurpose::minting) {
        out.insert({{"enable.idempotence", "true"},
                    {"acks", "all"},
                    {"transaction.timeout.ms", std::to_string(config.transactionTimeout.count())},
                    {"delivery.report.only.error", "false"},
                    // The producer's own pair: at once from this log, each second from the statistics.
                    {"debug", "eos"},
                    {"log_level", "7"},
                    {"log.queue", "false"},
                    {"statistics.interval.ms", "1000"}});
        // librdkafka makes no transactional producer whose requests may outlast its transactions.
        if (numberOf(config.properties, "socket.timeout.ms") > config.transactionTimeout.count()) {
            out["socket.timeout.ms"] =
                std::to_string(std::min<Millis::rep>(config.transactionTimeout.count(), 300'000));
        }
    } else {
        out.insert({{"enable.idempotence", "false"},
                    {"acks", "all"},
                    {"delivery.report.only.error", "false"},
                    {"log.queue", "false"},
                    {"statistics.interval.ms", "0"}});
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

Result<void> set(rd_kafka_conf_t* conf, const std::string& name, const std::string& value) {
    std::array<char, 512> reason{};
    switch (rd_kafka_conf_set(conf, name.c_str(), value.c_str(), reason.data(), reason.size())) {
    case RD_KAFKA_CONF_OK: return {};
    case RD_KAFKA_CONF_UNKNOWN:
        return fail(ErrorCode::invalidArgument, fmt::format("unknown property \"{}\"", name), {},
                    "use librdkafka's property names (its CONFIGURATION page lists them)");
    default:
        return fail(ErrorCode::invalidArgument,
                    fmt::format("property \"{}\": {}", name, trimmed(reason.data())), {},
                    "correct its value (librdkafka's CONFIGURATION page lists the legal ones)");
    }
}

Result<HostPort> parseEntry(std::string_view entry) {
    const auto refuse = [&](std::string_view why) {
        // What stands before an @ may be a password.
        const auto at = entry.rfind('@');
        const auto shown =
            at == std::string_view::npos ? std::string(entry) : fmt::format("...{}", entry.substr(at));
        return fail(ErrorCode::invalidArgument, fmt::format("bootstrap entry \"{}\" {}", shown, why), {},
                    "write HOST:PORT[,HOST:PORT...], an IPv6 address in brackets: [::1]:9092");
    };
    auto rest = entry;
    // librdkafka takes PROTOCOL://HOST:PORT too; the protocol has its own setting here.
    if (rest.find("://") != std::string_view::npos) {
        return refuse("names a protocol; use the property security.protocol for that");
    }
    HostPort out;
    if (!rest.empty() && rest.front() == '[') {
        const auto end = rest.find(']');
        if (end == std::string_view::npos) {
            return refuse("has no closing bracket");
        }
        out.host = rest.substr(1, end - 1);
        rest.remove_prefix(end + 1);
        const auto address =
            std::string_view(out.host).substr(0, out.host.find('%')); // then a zone, as in fe80::1%eth0
        if (address.find_first_not_of("0123456789abcdefABCDEF:.") != std::string_view::npos ||
            address.find(':') == std::string_view::npos) {
            return refuse("has no IPv6 address in its brackets");
        }
        if (!rest.empty() && rest.front() != ':') {
            return refuse("has no colon behind its bracket");
        }
    } else {
        const auto colon = rest.find(':');
        out.host = rest.substr(0, colon);
        rest.remove_prefix(std::min(colon, rest.size()));
        if (rest.find(':', 1) != std::string_view::npos) {
            return refuse("has several colons");
        }
    }
    if (out.host.empty()) {
        return refuse("has no host");
    }
    if (out.host.find_first_of(" \t\r\n/@") != std::string::npos) {
        return refuse("has a host with a character that no host name has");
    }
    if (rest.empty() || rest == ":") {
        return refuse("has no port");
    }
    rest.remove_prefix(1);
    unsigned port = 0;
    const auto [end, failure] = std::from_chars(rest.data(), rest.data() + rest.size(), port);
    if (failure != std::errc{} || end != rest.data() + rest.size() || port == 0 ||
        port > std::numeric_limits<std::uint16_t>::max()) {
        return refuse("has a port that is not a number from 1 to 65535");
    }
    out.port = static_cast<std::uint16_t>(port);
    return out;
}

} // namespace

Result<std::vector<HostPort>> parseBootstrap(std::string_view text) {
    if (trimmed(text).empty()) {
        return fail(ErrorCode::invalidArgument, "the bootstrap list is empty", {},
                    "write HOST:PORT[,HOST:PORT...] of one or more brokers");
    }
    std::vector<HostPort> out;
    while (true) {
        const auto comma = text.find(',');
        auto entry = parseEntry(trimmed(text.substr(0, comma)));
        if (!entry) {
            return fail(std::move(entry.error()));
        }
        out.push_back(std::move(*entry));
        if (comma == std::string_view::npos) {
            return out;
        }
        text.remove_prefix(comma + 1);
    }
}

bool isProperty(const std::string& name) {
    const Conf conf(rd_kafka_conf_new());
    std::array<char, 512> reason{};
    // Asking for a value says "unknown" of those that have none.
    return rd_kafka_conf_set(conf.get(), name.c_str(), "", reason.data(), reason.size()) !=
           RD_KAFKA_CONF_UNKNOWN;
}

std::string propertyBehind(const std::string& name) {
    static const Settings kAliases{
        {"bootstrap.servers", "metadata.broker.list"},
        {"max.in.flight", "max.in.flight.requests.per.connection"},
        {"sasl.mechanism", "sasl.mechanisms"},
        {"sasl.oauthbearer.client.credentials.client.id", "sasl.oauthbearer.client.id"},
        {"sasl.oauthbearer.client.credentials.client.secret", "sasl.oauthbearer.client.secret"},
        {"max.partition.fetch.bytes", "fetch.message.max.bytes"},
        {"linger.ms", "queue.buffering.max.ms"},
        {"retries", "message.send.max.retries"},
        {"compression.type", "compression.codec"},
        {"acks", "request.required.acks"},
        {"delivery.timeout.ms", "message.timeout.ms"},
    };
    const auto found = kAliases.find(name);
    return found == kAliases.end() ? name : found->second;
}

std::vector<std::string> propertyNames() {
    std::vector<std::string> names{"bootstrap.servers",
                                   "sasl.username",
                                   "sasl.password",
                                   "sasl.mechanisms",
                                   "ssl.ca.location",
                                   "ssl.ca.pem",
                                   "ssl.certificate.location",
                                   "ssl.certificate.pem",
                                   "ssl.key.location",
                                   "ssl.key.pem",
                                   "ssl.key.password",
                                   "ssl.keystore.location",
                                   "ssl.keystore.password",
                                   "ssl.crl.location",
                                   "ssl.cipher.suites",
                                   "sasl.oauthbearer.config",
                                   "sasl.oauthbearer.client.id",
                                   "sasl.oauthbearer.client.secret",
                                   "sasl.oauthbearer.token.endpoint.url"};
    const Conf conf(rd_kafka_conf_new());
    std::size_t count = 0;
    const char** listed = rd_kafka_conf_dump(conf.get(), &count);
    for (std::size_t i = 0; i + 1 < count; i += 2) {
        names.emplace_back(listed[i]);
    }
    rd_kafka_conf_dump_free(listed, count);
    return names;
}

Result<void> checkProperty(const std::string& name, const std::string& value) {
    const Conf conf(rd_kafka_conf_new());
    return set(conf.get(), name, value);
}

std::string librdkafkaVersion() {
    return rd_kafka_version_str();
}

Result<Conf> makeConf(const KafkaConfig& config, ClientPurpose purpose, const Settings& fixed) {
    Conf conf(rd_kafka_conf_new());
    auto required = requirements(config, purpose);
    for (const auto& [name, value] : fixed) {
        required[name] = value;
    }
    for (const auto& [name, value] : preferences(config, purpose)) {
        if (auto done = set(conf.get(), name, value); !done) {
            return fail(std::move(done.error()));
        }
    }
    for (const auto& [name, value] : config.properties) {
        if (name == kTransactionalId) {
            continue; // it is the role's name, or nothing
        }
        if (auto done = set(conf.get(), name, value); !done) {
            return fail(std::move(done.error()));
        }
    }
    for (const auto& [name, value] : required) {
        if (auto done = set(conf.get(), name, value); !done) {
            return fail(std::move(done.error()));
        }
    }
    return conf;
}

Result<void> checkConfig(const KafkaConfig& config) {
    if (auto parsed = parseBootstrap(config.bootstrap); !parsed) {
        return fail(std::move(parsed.error()));
    }
    const auto legal = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
               c == '_' || c == '-';
    };
    if (config.topic.empty() || config.topic.size() > 249 || config.topic == "." || config.topic == ".." ||
        !std::all_of(config.topic.begin(), config.topic.end(), legal)) {
        return fail(ErrorCode::invalidArgument, fmt::format("\"{}\" is no legal topic name", config.topic),
                    {}, "use 1 to 249 of the characters a-z A-Z 0-9 . _ -");
    }
    if (config.timeout < Millis{1} || config.timeout > Millis{900'000}) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("a timeout of {} ms is out of range", config.timeout.count()), {},
                    "use 1 ms to 15 minutes");
    }
    if (config.transactionTimeout < Millis{1'000} || config.transactionTimeout > Millis{2'147'483'647}) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("a transaction timeout of {} ms is out of range", config.transactionTimeout.count()),
            {}, "use one second or more, up to the broker's transaction.max.timeout.ms");
    }
    for (const auto purpose : {ClientPurpose::minting, ClientPurpose::registering, ClientPurpose::readingRole,
                               ClientPurpose::watching, ClientPurpose::asking}) {
        if (auto conf = makeConf(config, purpose); !conf) {
            return fail(std::move(conf.error()));
        }
    }
    return {};
}

} // namespace bellwether::kafka
