// SPDX-License-Identifier: Apache-2.0
// Logins on a connection against a scripted broker that enables mechanisms, refuses, lies and ends sessions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire/ask.h"
#include "kafka/wire/security.h"
#include "sample_messages.h"
#include "sasl_scram_server.h"
#include "scripted_broker.h"

namespace bellwether::kafka::wire {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

const std::string kUser = R"(o'br ien,dc="x"\=é中)";
const std::string kPassword = R"(pa,ss "wo'rd" \b = =2C päss€)";

class SaslTest : public testing::Test {
protected:
    SaslTest() {
        server_.user = kUser;
        server_.password = kPassword;
        broker_.on(ApiKey::saslHandshake, [](const SeenRequest& request) {
            return Reaction::answer(request, SaslHandshakeResponse{0, {"PLAIN", "SCRAM-SHA-256"}});
        });
        broker_.on(ApiKey::saslAuthenticate, [this](const SeenRequest& request) {
            const auto& bytes = request.as<SaslAuthenticateRequest>().authBytes;
            const std::string text(bytes.begin(), bytes.end());
            const auto said = text.rfind("n,,", 0) == 0 ? server_.onFirst(text) : server_.onFinal(text);
            if (said.empty()) {
                return Reaction::answer(request, SaslAuthenticateResponse{58, "bad\ncredentials", {}, 0});
            }
            return Reaction::answer(
                request,
                SaslAuthenticateResponse{0, std::nullopt, Bytes(said.begin(), said.end()), lifetimeMs_});
        });
        broker_.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
            return Reaction::answer(request, samples::describeTransactionsResponse());
        });
    }

    void connect(std::string mechanism = "SCRAM-SHA-256", std::string password = kPassword) {
        const auto security = makeSecurity(io_, {{"security.protocol", "SASL_PLAINTEXT"},
                                                 {"sasl.mechanism", std::move(mechanism)},
                                                 {"sasl.username", kUser},
                                                 {"sasl.password", std::move(password)}});
        ASSERT_TRUE(security.has_value()) << security.error().text();
        options_.credentials = security->credentials;
        connection_ = std::make_shared<Connection>(io_, names_, broker_.address(), options_);
    }

    void TearDown() override {
        if (connection_) {
            connection_->close({});
            options_.credentials->close();
        }
        names_->close();
        io_.restart();
        io_.run();
    }

    std::optional<Error> ask() {
        std::optional<Result<Answer<DescribeTransactionsResponse>>> result;
        wire::ask<DescribeTransactionsResponse>(connection_, DescribeTransactionsRequest{{"r"}},
                                                std::chrono::steady_clock::now() + 20s,
                                                [&](const auto& answer) { result = answer; });
        io_.restart();
        while (!result && io_.run_one() > 0) {
        }
        if (!result) {
            ADD_FAILURE() << "no answer";
            return Error{};
        }
        return *result ? std::nullopt : std::optional(result->error());
    }

    Error failure() {
        auto error = ask();
        EXPECT_TRUE(error.has_value());
        EXPECT_EQ(broker_.count(ApiKey::describeTransactions), 0U) << "nothing is asked before the login";
        EXPECT_THAT(error.value_or(Error{}).text(), Not(HasSubstr(kPassword)));
        return error.value_or(Error{});
    }

    void onAuthenticate(SaslAuthenticateResponse answer) {
        broker_.on(ApiKey::saslAuthenticate,
                   [answer](const SeenRequest& request) { return Reaction::answer(request, answer); });
    }

    asio::io_context io_;
    std::shared_ptr<NameLookup> names_ = std::make_shared<NameLookup>(io_);
    ScramServer server_;
    std::atomic<std::int64_t> lifetimeMs_{0};
    ConnectionOptions options_;
    std::shared_ptr<Connection> connection_;
    ScriptedBroker broker_{1};
};

TEST_F(SaslTest, ScramWithEveryKindOfCharacter) {
    connect();
    const auto error = ask();
    EXPECT_FALSE(error.has_value()) << error->text();
    EXPECT_EQ(broker_.count(ApiKey::saslHandshake), 1U);
    EXPECT_FALSE(ask().has_value());
    EXPECT_EQ(broker_.count(ApiKey::saslHandshake), 1U) << "a session without end";
}

TEST_F(SaslTest, PlainSendsNameAndPasswordAsTheyAre) {
    std::string seen;
    broker_.on(ApiKey::saslAuthenticate, [&](const SeenRequest& request) {
        const auto bytes = request.as<SaslAuthenticateRequest>().authBytes;
        seen.assign(bytes.begin(), bytes.end());
        return Reaction::answer(request, SaslAuthenticateResponse{});
    });
    connect("PLAIN");
    EXPECT_FALSE(ask().has_value());
    EXPECT_EQ(seen, std::string(1, '\0') + kUser + std::string(1, '\0') + kPassword);
}

TEST_F(SaslTest, BadCredentialsAreQuotedAndNotTriedAgainAtOnce) {
    connect("SCRAM-SHA-256", "wrong");
    const auto error = failure();
    EXPECT_EQ(error.code, ErrorCode::refused);
    EXPECT_FALSE(error.retriable);
    EXPECT_EQ(error.kafkaCode, 58);
    EXPECT_THAT(error.what, HasSubstr("SCRAM-SHA-256"));
    EXPECT_THAT(error.what, HasSubstr(R"("bad\ncredentials")"));
    EXPECT_THAT(error.text(), Not(HasSubstr("wrong")));
    const auto logins = broker_.count(ApiKey::saslHandshake);
    EXPECT_EQ(failure(), error);
    EXPECT_EQ(broker_.count(ApiKey::saslHandshake), logins);
}

TEST_F(SaslTest, AMechanismThatIsNotEnabled) {
    broker_.on(ApiKey::saslHandshake, [](const SeenRequest& request) {
        return Reaction::answer(request, SaslHandshakeResponse{33, {"GSSAPI", "OAUTHBEARER"}});
    });
    connect();
    const auto error = failure();
    EXPECT_EQ(error.code, ErrorCode::refused);
    EXPECT_THAT(error.what, HasSubstr("it enables GSSAPI, OAUTHBEARER"));
}

TEST_F(SaslTest, AListenerWithoutSasl) {
    broker_.on(ApiKey::saslHandshake, [](const SeenRequest& request) {
        return Reaction::answer(request, SaslHandshakeResponse{34, {}});
    });
    connect();
    EXPECT_THAT(failure().what, HasSubstr("knows no SASL"));
}

TEST_F(SaslTest, ABrokerThatDoesNotKnowThePassword) {
    server_.lieInSignature = true;
    connect();
    const auto error = failure();
    EXPECT_EQ(error.code, ErrorCode::refused) << error.text();
}

TEST_F(SaslTest, AChangedNonce) {
    server_.changeNonce = true;
    connect();
    EXPECT_NE(failure().code, ErrorCode::timeout);
    EXPECT_EQ(broker_.count(ApiKey::saslAuthenticate), 1U) << "no proof is sent";
}

TEST_F(SaslTest, AnIterationCountThatWouldTakeMinutes) {
    server_.iterations = "2147483647";
    connect();
    EXPECT_EQ(failure().code, ErrorCode::protocol);
    EXPECT_EQ(broker_.count(ApiKey::saslAuthenticate), 1U);
}

TEST_F(SaslTest, GarbageAndAnEmptyChallengeAreNoLogin) {
    for (const auto& bytes : {Bytes{}, Bytes{0xff, 0x00, 0x01}, Bytes{'v', '=', 'x'}}) {
        onAuthenticate({0, std::nullopt, bytes, 0});
        connect();
        EXPECT_EQ(failure().code, ErrorCode::protocol);
        connection_->close({});
    }
}

TEST_F(SaslTest, RoundsHaveAnEnd) {
    class Endless final : public SaslExchange {
        Result<Bytes> first() override { return Bytes{1}; }

        Result<std::optional<Bytes>> next(ByteView) override { return std::optional(Bytes{1}); }
    };

    SaslLogin login({"X", "user", {}, "c"}, std::make_unique<Endless>(), ScriptedBroker::modern());
    ASSERT_TRUE(login.begin().has_value());
    SeenRequest request{ApiKey::saslHandshake, 1, -1, {}};
    auto next = login.onFrame(ByteView(Reaction::answer(request, SaslHandshakeResponse{}).bytes).subspan(4));
    int rounds = 0;
    for (; next && rounds < 100; ++rounds) {
        request = {ApiKey::saslAuthenticate, 2, request.correlationId - 1, {}};
        next =
            login.onFrame(ByteView(Reaction::answer(request, SaslAuthenticateResponse{}).bytes).subspan(4));
    }
    ASSERT_FALSE(next.has_value());
    EXPECT_EQ(rounds, 16);
    EXPECT_THAT(next.error().what, HasSubstr("does not end"));
}

TEST_F(SaslTest, AFrameBeforeTheLoginIsBounded) {
    broker_.on(ApiKey::saslHandshake,
               [](const SeenRequest&) { return Reaction::raw(samples::fromHex("00200000")); });
    connect();
    EXPECT_THAT(failure().what, HasSubstr("announces a frame of 2097152 bytes"));
}

TEST_F(SaslTest, ASessionIsRenewedBeforeTheNextRequest) {
    lifetimeMs_ = 1;
    connect();
    for (std::size_t logins = 1; logins <= 3; ++logins) {
        EXPECT_FALSE(ask().has_value());
    }
    EXPECT_EQ(broker_.connections(), 1);
    EXPECT_GE(broker_.count(ApiKey::saslHandshake), 2U);
    EXPECT_EQ(broker_.count(ApiKey::describeTransactions), 3U);
}

TEST_F(SaslTest, ARefusedRenewalEndsTheConnectionWithItsReason) {
    lifetimeMs_ = 1;
    connect();
    EXPECT_FALSE(ask().has_value());
    onAuthenticate({58, "account locked", {}, 0});
    std::optional<Error> error;
    for (int i = 0; i < 1000 && !error; ++i) {
        error = ask();
    }
    ASSERT_TRUE(error.has_value());
    EXPECT_THAT(error->what, HasSubstr("account locked"));
}

TEST_F(SaslTest, ARenewalThatTheBrokerCutsLosesNoRequest) {
    lifetimeMs_ = 1;
    int handshakes = 0;
    broker_.on(ApiKey::saslHandshake, [&](const SeenRequest& request) {
        return ++handshakes == 2 ? Reaction::close()
                                 : Reaction::answer(request, SaslHandshakeResponse{0, {}});
    });
    connect();
    for (int i = 0; i < 1000 && broker_.connections() < 2; ++i) {
        EXPECT_FALSE(ask().has_value());
    }
    EXPECT_EQ(broker_.connections(), 2);
}

} // namespace
} // namespace bellwether::kafka::wire
