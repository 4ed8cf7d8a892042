// SPDX-License-Identifier: Apache-2.0
// Logins that need a third party: Kerberos with a KDC, OAUTHBEARER with a token endpoint. Both of our own
// making, on the loopback; the broker checks tickets and tokens itself. With both clients, and every mistake
// within 5 s.
#include <chrono>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/kafka_log_consumer.h"
#include "kafka/kafka_transport.h"
#include "kafka/wire_authority.h"
#include "test_cluster.h"

namespace bellwether::brokertest {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

constexpr Millis kSoon{5'000}; ///< a mistake is told within that
const std::string kSupport = std::string(BELLWETHER_SOURCE_DIR) + "/tests/support/";
const std::string kSecret = "s3cret with blank, comma \"quote\" & = % + \u00e9";

template<typename T>
testing::AssertionResult succeeded(const Result<T>& result) {
    return result ? testing::AssertionSuccess() : testing::AssertionFailure() << result.error().text();
}

/// KDC, token endpoint, and a broker that believes them. Cyrus and Java read the environment when they begin,
/// so it is set before either does.
class World {
public:
    static World& get() {
        static World world;
        return world;
    }

    [[nodiscard]] kafka::KafkaConfig config(const std::string& mechanism) const {
        kafka::KafkaConfig config;
        config.bootstrap =
            cluster_->facts().at("secure").at("bootstraps").at("plain_only").get<std::string>();
        config.timeout = Millis{20'000};
        config.properties = {{"security.protocol", "SASL_PLAINTEXT"}, {"sasl.mechanisms", mechanism}};
        return config;
    }

    /// With the keytab: librdkafka runs kinit, the wire client uses what that leaves.
    [[nodiscard]] kafka::KafkaConfig kerberos() const {
        auto made = config("GSSAPI");
        made.properties["sasl.kerberos.min.time.before.relogin"] = "0";
        return made;
    }

    [[nodiscard]] kafka::KafkaConfig oidc() const {
        auto made = config("OAUTHBEARER");
        made.properties.insert(
            {{"sasl.oauthbearer.method", "oidc"},
             {"sasl.oauthbearer.client.id", "console"},
             {"sasl.oauthbearer.client.secret", kSecret},
             {"sasl.oauthbearer.scope", "kafka"},
             {"sasl.oauthbearer.token.endpoint.url", tokens_.at("token").get<std::string>()}});
        return made;
    }

    [[nodiscard]] std::string endpoint(const std::string& which) const {
        return tokens_.at(which).get<std::string>();
    }

    [[nodiscard]] std::string keytab(const std::string& principal) const {
        return kerberos_.at("keytabs").at(principal).get<std::string>();
    }

    /// kinit into the cache that everybody here uses; kdestroy without a principal.
    void ticketOf(const std::string& principal) const {
        static_cast<void>(principal.empty() ? run({"kdestroy", "-q"})
                                            : run({"kinit", "-k", "-t", keytab(principal), principal}));
    }

private:
    World()
        : kdc_({kSupport + "kdc", "console", "kafka/127.0.0.1"})
        , endpoint_({kSupport + "token-endpoint", "console", kSecret}) {
        kerberos_ = nlohmann::json::parse(kdc_.line().value());
        tokens_ = nlohmann::json::parse(endpoint_.line().value());
        ::setenv("KRB5_CONFIG", kerberos_.at("config").get<std::string>().c_str(), 1);
        ::setenv("JAVA_TOOL_OPTIONS",
                 ("-Djava.security.krb5.conf=" + kerberos_.at("config").get<std::string>() +
                  " -Dorg.apache.kafka.sasl.oauthbearer.allowed.urls=" + endpoint("jwks"))
                     .c_str(),
                 1);
        const std::string listener = "listener.name.plain_only.";
        TestCluster::Options options;
        options.starter = {"--secure"};
        options.configs = {
            listener + "sasl.enabled.mechanisms=GSSAPI,OAUTHBEARER",
            listener + "sasl.kerberos.service.name=kafka",
            listener +
                "gssapi.sasl.jaas.config=com.sun.security.auth.module.Krb5LoginModule required "
                "useKeyTab=true "
                "storeKey=true keyTab=\"" +
                keytab("kafka/127.0.0.1") + "\" principal=\"kafka/127.0.0.1@TEST.LOCAL\";",
            listener + "oauthbearer.sasl.jaas.config="
                       "org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required;",
            listener + "oauthbearer.sasl.server.callback.handler.class="
                       "org.apache.kafka.common.security.oauthbearer.OAuthBearerValidatorCallbackHandler",
            listener + "sasl.oauthbearer.jwks.endpoint.url=" + endpoint("jwks"),
            listener + "sasl.oauthbearer.expected.issuer=test",
            listener + "sasl.oauthbearer.expected.audience=" + tokens_.at("audience").get<std::string>(),
        };
        cluster_ = &TestCluster::get(options);
    }

    Process kdc_;
    Process endpoint_;
    nlohmann::json kerberos_;
    nlohmann::json tokens_;
    TestCluster* cluster_ = nullptr;
};

/// A member takes a role and a console reads it, both logged in so: librdkafka and the wire client.
void useWith(const kafka::KafkaConfig& config) {
    const auto role = freshRole();
    const auto transport = openTransport(config);
    const auto token = transport->acquireEpoch(role);
    ASSERT_TRUE(succeeded(token));
    ASSERT_TRUE(succeeded(transport->writeLease(role, *token, leaseOf(member("node-1"), *token))));
    const auto authority = kafka::makeWireAuthority(config);
    ASSERT_TRUE(succeeded(authority));
    const auto answers = describeRolesAndWait(**authority, {role}, Millis{20'000});
    ASSERT_EQ(answers[0].answer.kind, CoordinatorAnswer::Kind::described) << answers[0].answer.error->text();
    EXPECT_EQ(answers[0].answer.token.producerId, token->producerId);
}

struct Told {
    std::string text;
    std::chrono::milliseconds after{0};
};

template<typename Call>
Told told(Call call) {
    const auto begun = std::chrono::steady_clock::now();
    const std::string text = call();
    return {text,
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun)};
}

Told byWire(const kafka::KafkaConfig& config) {
    return told([&]() -> std::string {
        auto authority = kafka::makeWireAuthority(config);
        if (!authority) {
            return authority.error().text();
        }
        const auto cluster = describeClusterAndWait(**authority, kSoon);
        return cluster ? "let in" : cluster.error().text();
    });
}

Told byLibrdkafka(const kafka::KafkaConfig& config) {
    return told([&]() -> std::string {
        const auto consumer = kafka::makeKafkaLogConsumers(config)(Isolation::readCommitted);
        if (!consumer) {
            return consumer.error().text();
        }
        const auto count = (*consumer)->partitionCount(kSoon);
        return count ? "let in" : count.error().text();
    });
}

void expectTold(const Told& what, const testing::Matcher<const std::string&>& wanted) {
    EXPECT_THAT(what.text, wanted);
    EXPECT_THAT(what.text, testing::Not(HasSubstr("s3cret")));
    EXPECT_LE(what.after, std::chrono::milliseconds{kSoon} + std::chrono::seconds{2}) << what.text;
}

TEST(Kerberos, BothClientsLogInWithATicket) {
    World::get().ticketOf("console");
    useWith(World::get().kerberos());
}

TEST(Kerberos, LibrdkafkaFetchesTheTicketWithAKeytab) {
    auto& world = World::get();
    world.ticketOf("");
    auto config = world.config("GSSAPI");
    config.properties["sasl.kerberos.keytab"] = world.keytab("console");
    config.properties["sasl.kerberos.principal"] = "console@TEST.LOCAL";
    useWith(config);
}

TEST(Kerberos, MistakesAreNamed) {
    auto& world = World::get();
    world.ticketOf("");
    expectTold(byWire(world.kerberos()), AnyOf(HasSubstr("ticket"), HasSubstr("kinit")));
    expectTold(byLibrdkafka(world.kerberos()), AnyOf(HasSubstr("redential"), HasSubstr("kinit")));

    world.ticketOf("console");
    auto elsewhere = world.kerberos();
    elsewhere.properties["sasl.kerberos.service.name"] = "nosuchservice";
    expectTold(byWire(elsewhere), HasSubstr("nosuchservice"));
    expectTold(byLibrdkafka(elsewhere),
               AnyOf(HasSubstr("not found in Kerberos database"), HasSubstr("nosuchservice")));
}

TEST(OauthBearer, BothClientsFetchATokenAndUseIt) {
    useWith(World::get().oidc());
}

TEST(OauthBearer, MistakesAreNamed) {
    auto& world = World::get();
    auto wrongSecret = world.oidc();
    wrongSecret.properties["sasl.oauthbearer.client.secret"] = "another s3cret";
    expectTold(byWire(wrongSecret), HasSubstr("401"));
    expectTold(byLibrdkafka(wrongSecret),
               AnyOf(HasSubstr("invalid_client"), HasSubstr("401"), HasSubstr("token")));

    auto off = world.oidc();
    off.properties["sasl.oauthbearer.token.endpoint.url"] = "http://127.0.0.1:1/token";
    expectTold(byWire(off), HasSubstr("sasl.oauthbearer.token.endpoint.url"));
    expectTold(byLibrdkafka(off), HasSubstr("token"));

    auto silent = world.oidc();
    silent.properties["sasl.oauthbearer.token.endpoint.url"] = world.endpoint("silent");
    expectTold(byWire(silent), HasSubstr("the token endpoint does not answer"));

    auto stranger = world.oidc();
    stranger.properties["sasl.oauthbearer.token.endpoint.url"] = world.endpoint("stranger");
    expectTold(byWire(stranger),
               AnyOf(HasSubstr("audience"), HasSubstr("refuse"), HasSubstr("invalid_token")));
}

} // namespace
} // namespace bellwether::brokertest
