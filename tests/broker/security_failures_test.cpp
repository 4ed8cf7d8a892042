// SPDX-License-Identifier: Apache-2.0
// What each client says of every way to get security wrong: its own words for each, within five seconds.
#include <future>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"
#include "secure_cluster.h"

namespace bellwether::brokertest {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kPromised{5};
/// What the calls themselves are given: the promise does not lean on their timeouts.
constexpr Millis kCallTimeout{20'000};

/// Words of a message proper and of its hint.
struct Words {
    std::string what;
    std::string hint;
    ErrorCode code = ErrorCode::unreachable;
};

struct Mistake {
    std::string name;
    kafka::KafkaConfig config;
    Words librdkafka;
    Words wire;
};

std::vector<Mistake> mistakes() {
    auto& secure = SecureCluster::get();
    const auto with = [&](const std::string& client, const std::map<std::string, std::string>& changes,
                          const std::string& listener = {}) {
        auto config = secure.client(client);
        config.timeout = kCallTimeout;
        for (const auto& [name, value] : changes) {
            if (value.empty()) {
                config.properties.erase(name);
            } else {
                config.properties[name] = value;
            }
        }
        if (!listener.empty()) {
            config.bootstrap = secure.bootstrap(listener);
        }
        return config;
    };
    auto plainOnTls = with("ssl", {});
    plainOnTls.properties.clear();
    auto plainOnSasl = with("sasl_plaintext-plain", {});
    plainOnSasl.properties.clear();
    auto tlsOnPlain = with("ssl", {});
    tlsOnPlain.bootstrap = secure.cluster().bootstrap();
    const std::string client = "ssl.certificate.location";
    const Words login{"login", "sasl.password", ErrorCode::refused};
    const Words noTls{"does not speak TLS", "security.protocol=plaintext"};
    const Words wireNoTls{"does not speak TLS", "security.protocol=PLAINTEXT"};
    const Words tls{"TLS port", "security.protocol=ssl"};
    const Words wireTls{"it answers in TLS", "security.protocol=SSL, or SASL_SSL", ErrorCode::protocol};
    const Words noLogin{"hangs up on a client that does not log in", "security.protocol=sasl_plaintext",
                        ErrorCode::refused};
    const Words wireNoLogin{"closed the connection after the negotiation", "security.protocol=SASL_",
                            ErrorCode::refused};
    return {
        {"unknown CA",
         with("ssl", {{"ssl.ca.location", secure.certificate("other-ca.pem")}}),
         {"not trusted", "ssl.ca.location"},
         {"unknown CA", "ssl.ca.location"}},
        {"self-signed",
         with("ssl", {}, "self_signed"),
         {"self-signed", "ssl.ca.location"},
         {"self-signed", "ssl.ca.location"}},
        {"another host's certificate",
         with("ssl", {}, "elsewhere"),
         {"another host", "ssl.endpoint.identification.algorithm"},
         {"another host", "ssl.endpoint.identification.algorithm"}},
        {"expired certificate", with("ssl", {}, "expired"), {"expired", "renew"}, {"expired", "renew"}},
        {"wrong passphrase",
         with("mtls", {{"ssl.key.password", "wrong"}}),
         {"wrong passphrase", "ssl.key.password", ErrorCode::invalidArgument},
         {"wrong passphrase", "ssl.key.password", ErrorCode::invalidArgument}},
        {"wrong passphrase of a PKCS#12 file",
         with("mtls-pkcs12", {{"ssl.keystore.password", "wrong"}}),
         {"wrong passphrase", "ssl.keystore.password", ErrorCode::invalidArgument},
         {"wrong passphrase", "ssl.keystore.password", ErrorCode::invalidArgument}},
        {"no client certificate",
         with("ssl", {}, "mtls"),
         {"wants a client certificate", "ssl.certificate.location", ErrorCode::refused},
         {"wants a client certificate", "ssl.certificate.location", ErrorCode::refused}},
        {"a client certificate of another CA",
         with("mtls", {{client, secure.certificate("client-of-other-ca.crt")},
                       {"ssl.key.location", secure.certificate("client-of-other-ca.key")},
                       {"ssl.key.password", ""}}),
         {"client certificate of a CA", "ssl.truststore.location", ErrorCode::refused},
         {"client certificate of another CA", "a CA that the broker trusts", ErrorCode::refused}},
        {"an expired client certificate",
         with("mtls", {{client, secure.certificate("client-expired.crt")},
                       {"ssl.key.location", secure.certificate("client-expired.key")},
                       {"ssl.key.password", ""}}),
         {"rejects the client certificate", "in date", ErrorCode::refused},
         {"rejects the client certificate", "renew the certificate", ErrorCode::refused}},
        {"wrong password, PLAIN", with("sasl_ssl-plain", {{"sasl.password", "wrong"}}), login, login},
        {"wrong password, SCRAM", with("sasl_ssl-scram-sha-512", {{"sasl.password", "wrong"}}), login, login},
        {"unknown user, SCRAM over plain",
         with("sasl_plaintext-scram-sha-256", {{"sasl.username", "nobody"}}), login, login},
        {"mechanism not enabled",
         with("sasl_plaintext-scram-sha-512", {}, "plain_only"),
         {"does not enable the SASL mechanism", "sasl.mechanism", ErrorCode::refused},
         {"does not enable the SASL mechanism SCRAM-SHA-512; it enables PLAIN", "sasl.mechanism",
          ErrorCode::refused}},
        {"TLS against a plain port", tlsOnPlain, noTls, wireNoTls},
        {"SASL_SSL against a SASL_PLAINTEXT port", with("sasl_ssl-plain", {}, "sasl_plaintext"), noTls,
         wireNoTls},
        {"plain against TLS", plainOnTls, tls, wireTls},
        {"SASL_PLAINTEXT against a SASL_SSL port", with("sasl_plaintext-plain", {}, "sasl_ssl"), tls,
         wireTls},
        {"no SASL on a SASL port", plainOnSasl, noLogin, wireNoLogin},
        {"no SASL on a SASL_SSL port", with("ssl", {}, "sasl_ssl"), noLogin, wireNoLogin},
        {"SASL on a port without it",
         with("sasl_ssl-plain", {}, "tls"),
         {"knows no SASL", "port of a SASL listener", ErrorCode::refused},
         {"knows no SASL", "port of a SASL listener", ErrorCode::refused}},
    };
}

using Told = std::future<std::optional<Error>>;

/// Runs `ask` on a thread of its own.
template<typename Ask>
Told begin(Ask ask) {
    return std::async(std::launch::async, ask);
}

std::optional<Error> errorOf(const auto& result) {
    return result ? std::nullopt : std::optional(result.error());
}

std::optional<Error> askLibrdkafka(const kafka::KafkaConfig& config,
                                   const std::shared_ptr<Authority>& unused) {
    const auto transport = kafka::makeKafkaTransport(config, unused);
    if (!transport) {
        return transport.error();
    }
    return errorOf((*transport)->acquireEpoch(freshRole()));
}

std::optional<Error> askWire(const kafka::KafkaConfig& config) {
    const auto authority = kafka::makeWireAuthority(config);
    if (!authority) {
        return authority.error();
    }
    // Settings that cannot be used at all are told by every answer.
    const auto answer = describeRolesAndWait(**authority, {freshRole()}, kCallTimeout).at(0).answer;
    const auto cluster = describeClusterAndWait(**authority, kCallTimeout);
    EXPECT_FALSE(cluster.has_value());
    (*authority)->close();
    return answer.error;
}

/// All mistakes of one client side by side, each with its own message in time.
void expectAll(const std::function<std::optional<Error>(const kafka::KafkaConfig&)>& ask,
               Words Mistake::*client) {
    const auto all = mistakes();
    std::vector<Told> told;
    const auto deadline = steady_clock::now() + kPromised;
    for (const auto& mistake : all) {
        told.push_back(begin([&] { return ask(mistake.config); }));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        SCOPED_TRACE(all[i].name);
        EXPECT_EQ(told[i].wait_until(deadline), std::future_status::ready) << "not told in time";
        const auto error = told[i].get();
        if (!error) {
            ADD_FAILURE() << "it works";
            continue;
        }
        const auto& words = all[i].*client;
        EXPECT_THAT(error->what, testing::HasSubstr(words.what)) << error->text();
        EXPECT_THAT(error->hint, testing::HasSubstr(words.hint)) << error->text();
        EXPECT_EQ(error->code, words.code) << toString(error->code) << ": " << error->text();
        EXPECT_FALSE(error->retriable) << error->text();
        EXPECT_FALSE(error->fenced) << error->text();
        for (const auto* secret : {"sasl.password", "ssl.key.password", "ssl.keystore.password"}) {
            if (const auto at = all[i].config.properties.find(secret); at != all[i].config.properties.end()) {
                EXPECT_THAT(error->text(), testing::Not(testing::HasSubstr("\"" + at->second)));
            }
        }
    }
}

TEST(Mistakes, LibrdkafkaSaysWhichAndWhatToDo) {
    const auto unused = kafka::makeWireAuthority(SecureCluster::get().cluster().config());
    ASSERT_TRUE(unused.has_value());
    expectAll([&](const kafka::KafkaConfig& config) { return askLibrdkafka(config, *unused); },
              &Mistake::librdkafka);
}

TEST(Mistakes, TheWireClientSaysWhichAndWhatToDo) {
    static_cast<void>(SecureCluster::get());
    expectAll(askWire, &Mistake::wire);
}

} // namespace
} // namespace bellwether::brokertest
