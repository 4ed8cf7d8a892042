// SPDX-License-Identifier: Apache-2.0
// What each client says of every way to get security wrong: its own words for each, within five seconds.
#include <future>
#include <iostream>
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

struct Mistake {
    std::string name;
    kafka::KafkaConfig config;
    /// Words of the message proper and of the hint.
    std::string what;
    std::string hint;
    ErrorCode code = ErrorCode::unreachable;
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
    return {
        {"unknown CA", with("ssl", {{"ssl.ca.location", secure.certificate("other-ca.pem")}}), "not trusted",
         "ssl.ca.location"},
        {"self-signed", with("ssl", {}, "self_signed"), "not trusted", "ssl.ca.location"},
        {"another host's certificate", with("ssl", {}, "elsewhere"), "another host",
         "ssl.endpoint.identification.algorithm"},
        {"expired certificate", with("ssl", {}, "expired"), "expired", "renew"},
        {"wrong passphrase", with("mtls", {{"ssl.key.password", "wrong"}}), "passphrase", "ssl.key.password",
         ErrorCode::invalidArgument},
        {"wrong passphrase of a PKCS#12 file", with("mtls-pkcs12", {{"ssl.keystore.password", "wrong"}}),
         "passphrase", "ssl.keystore.password", ErrorCode::invalidArgument},
        {"no client certificate", with("ssl", {}, "mtls"), "wants a certificate of the client",
         "ssl.certificate.location"},
        {"a client certificate of another CA",
         with("mtls", {{client, secure.certificate("client-of-other-ca.crt")},
                       {"ssl.key.location", secure.certificate("client-of-other-ca.key")},
                       {"ssl.key.password", ""}}),
         "client's certificate", "ssl.certificate.location"},
        {"an expired client certificate",
         with("mtls", {{client, secure.certificate("client-expired.crt")},
                       {"ssl.key.location", secure.certificate("client-expired.key")},
                       {"ssl.key.password", ""}}),
         "client's certificate", "ssl.certificate.location"},
        {"wrong password, PLAIN", with("sasl_ssl-plain", {{"sasl.password", "wrong"}}),
         "user name or password", "sasl.password", ErrorCode::refused},
        {"wrong password, SCRAM", with("sasl_ssl-scram-sha-512", {{"sasl.password", "wrong"}}),
         "user name or password", "sasl.password", ErrorCode::refused},
        {"unknown user, SCRAM over plain",
         with("sasl_plaintext-scram-sha-256", {{"sasl.username", "nobody"}}), "user name or password",
         "sasl.username", ErrorCode::refused},
        {"mechanism not enabled", with("sasl_plaintext-scram-sha-512", {}, "plain_only"),
         "does not offer SCRAM-SHA-512", "sasl.mechanism", ErrorCode::refused},
        {"TLS against a plain port", tlsOnPlain, "does not speak TLS", "security.protocol=plaintext"},
        {"SASL_SSL against a SASL_PLAINTEXT port", with("sasl_ssl-plain", {}, "sasl_plaintext"),
         "does not speak TLS", "security.protocol=sasl_plaintext"},
        {"plain against TLS", plainOnTls, "TLS port", "security.protocol=ssl"},
        {"SASL_PLAINTEXT against a SASL_SSL port", with("sasl_plaintext-plain", {}, "sasl_ssl"), "TLS port",
         "sasl_ssl"},
        {"no SASL on a SASL port", plainOnSasl, "log in", "sasl.mechanism"},
        {"no SASL on a SASL_SSL port", with("ssl", {}, "sasl_ssl"), "log in", "sasl.mechanism"},
        {"SASL on a port without it", with("sasl_ssl-plain", {}, "tls"), "does not ask for a login",
         "security.protocol=ssl"},
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
void expectAll(const std::function<std::optional<Error>(const kafka::KafkaConfig&)>& ask) {
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
        EXPECT_THAT(error->what, testing::HasSubstr(all[i].what)) << error->text();
        EXPECT_THAT(error->hint, testing::HasSubstr(all[i].hint)) << error->text();
        EXPECT_EQ(error->code, all[i].code) << toString(error->code) << ": " << error->text();
        EXPECT_FALSE(error->retriable) << error->text();
        EXPECT_FALSE(error->fenced) << error->text();
        for (const auto* secret : {"sasl.password", "ssl.key.password", "ssl.keystore.password"}) {
            if (const auto at = all[i].config.properties.find(secret); at != all[i].config.properties.end()) {
                EXPECT_THAT(error->text(), testing::Not(testing::HasSubstr("\"" + at->second)));
            }
        }
        std::cout << "  " << all[i].name << ":\n      " << error->text() << "\n";
    }
}

TEST(Mistakes, LibrdkafkaSaysWhichAndWhatToDo) {
    const auto unused = kafka::makeWireAuthority(SecureCluster::get().cluster().config());
    ASSERT_TRUE(unused.has_value());
    expectAll([&](const kafka::KafkaConfig& config) { return askLibrdkafka(config, *unused); });
}

TEST(Mistakes, TheWireClientSaysWhichAndWhatToDo) {
    static_cast<void>(SecureCluster::get());
    expectAll(askWire);
}

} // namespace
} // namespace bellwether::brokertest
