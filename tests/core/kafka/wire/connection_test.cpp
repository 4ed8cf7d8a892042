// SPDX-License-Identifier: Apache-2.0
// One connection against a scripted peer. The test's own thread runs the I/O loop until the answers are in.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kafka/wire/ask.h"
#include "sample_messages.h"
#include "scripted_broker.h"

namespace bellwether::kafka::wire {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr auto kLong = 20s;

class ConnectionTest : public testing::Test {
protected:
    void connectTo(const HostPort& peer, ConnectionOptions options = {}) {
        connection_ = std::make_shared<Connection>(io_, names_, peer, std::move(options));
    }

    void TearDown() override {
        if (connection_) {
            connection_->close({});
        }
        names_->close();
        io_.restart();
        io_.run();
    }

    void describe(std::string role, std::chrono::steady_clock::duration timeout = kLong) {
        ++open_;
        ask<DescribeTransactionsResponse>(connection_, DescribeTransactionsRequest{{std::move(role)}},
                                          std::chrono::steady_clock::now() + timeout,
                                          [this](const auto& answer) {
                                              results_.push_back(answer);
                                              --open_;
                                          });
    }

    void runUntilAnswered() {
        io_.restart();
        while (open_ > 0) {
            ASSERT_GT(io_.run_one(), 0U) << "nothing left to wait for, and no answer";
        }
    }

    const Error& errorOf(std::size_t index) {
        EXPECT_FALSE(results_.at(index).has_value());
        static const Error none;
        return results_.at(index).has_value() ? none : results_.at(index).error();
    }

    static ScriptedBroker::Script describing() {
        return [](const SeenRequest& request) {
            DescribeTransactionsResponse response;
            for (const auto& id : request.as<DescribeTransactionsRequest>().transactionalIds) {
                response.states.push_back({0, id, "Empty", 10'000, -1, 7, 1, {}});
            }
            return Reaction::answer(request, response);
        };
    }

    asio::io_context io_;
    std::shared_ptr<NameLookup> names_ = std::make_shared<NameLookup>(io_);
    std::shared_ptr<Connection> connection_;
    std::vector<Result<Answer<DescribeTransactionsResponse>>> results_;
    int open_ = 0;
};

TEST_F(ConnectionTest, RequestsArePipelinedOverOneConnection) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions, describing());
    connectTo(broker.address());
    for (int i = 0; i < 50; ++i) {
        describe("r" + std::to_string(i));
    }
    runUntilAnswered();
    ASSERT_EQ(results_.size(), 50U);
    for (std::size_t i = 0; i < results_.size(); ++i) {
        ASSERT_TRUE(results_[i].has_value()) << results_[i].error().text();
        EXPECT_EQ(results_[i]->message.states.at(0).transactionalId, "r" + std::to_string(i));
        EXPECT_LE(results_[i]->sentAt, results_[i]->receivedAt);
    }
    EXPECT_EQ(broker.connections(), 1);
    EXPECT_EQ(broker.count(ApiKey::apiVersions), 1U);
}

TEST_F(ConnectionTest, AnswersByteByByte) {
    ScriptedBroker broker(1);
    broker.pieces(1);
    broker.on(ApiKey::describeTransactions, describing());
    connectTo(broker.address());
    describe("a");
    describe("b");
    runUntilAnswered();
    ASSERT_TRUE(results_[0].has_value() && results_[1].has_value());
    EXPECT_EQ(results_[1]->message.states.at(0).transactionalId, "b");
}

TEST_F(ConnectionTest, SentAtIsTheMomentOfTheWriteNotOfTheCall) {
    ScriptedBroker broker(1);
    std::atomic<std::chrono::steady_clock::rep> negotiated{0};
    broker.on(ApiKey::apiVersions, [&](const SeenRequest& request) {
        negotiated = std::chrono::steady_clock::now().time_since_epoch().count();
        return Reaction::answer(request, ScriptedBroker::modern());
    });
    broker.on(ApiKey::describeTransactions, describing());
    connectTo(broker.address());
    describe("a"); // called before the broker was even connected to
    runUntilAnswered();
    ASSERT_TRUE(results_[0].has_value());
    EXPECT_GE(results_[0]->sentAt.time_since_epoch().count(), negotiated.load());
}

TEST_F(ConnectionTest, ANameIsLookedUp) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions, describing());
    connectTo({"localhost", broker.port()});
    describe("a");
    runUntilAnswered();
    EXPECT_TRUE(results_[0].has_value()) << results_[0].error().text();
}

TEST_F(ConnectionTest, AnUnknownNameSaysSo) {
    connectTo({"no-such-host.invalid", 9092});
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::unreachable);
    EXPECT_THAT(errorOf(0).text(), HasSubstr("no-such-host.invalid cannot be resolved"));
}

TEST_F(ConnectionTest, FallsBackToTheVersionOfApiVersionsThatTheBrokerNames) {
    ScriptedBroker broker(1);
    std::vector<std::int16_t> asked;
    broker.on(ApiKey::apiVersions, [&](const SeenRequest& request) {
        asked.push_back(request.version);
        auto versions = ScriptedBroker::modern();
        versions.apis[2].versions = {0, 2};
        if (request.version > 2) {
            versions.errorCode = 35;
            return Reaction::frame(request, encode(versions, 0).value());
        }
        return Reaction::answer(request, versions);
    });
    broker.on(ApiKey::describeTransactions, describing());
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_TRUE(results_[0].has_value()) << results_[0].error().text();
    EXPECT_EQ(asked, (std::vector<std::int16_t>{3, 2}));
}

TEST_F(ConnectionTest, FallsBackToVersion0WhenTheBrokerNamesNone) {
    ScriptedBroker broker(1);
    std::vector<std::int16_t> asked;
    broker.on(ApiKey::apiVersions, [&](const SeenRequest& request) {
        asked.push_back(request.version);
        if (request.version != 0) {
            return Reaction::frame(request, samples::fromHex("002300000000"));
        }
        return Reaction::answer(request, ScriptedBroker::modern());
    });
    broker.on(ApiKey::describeTransactions, describing());
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_TRUE(results_[0].has_value()) << results_[0].error().text();
    EXPECT_EQ(asked, (std::vector<std::int16_t>{3, 0}));
}

TEST_F(ConnectionTest, ARequestNotAdvertisedIsUnsupportedAndNotSent) {
    ScriptedBroker broker(1);
    auto old = ScriptedBroker::modern();
    old.apis = {{3, {0, 8}}, {18, {0, 3}}};
    broker.advertise(old);
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::unsupported);
    EXPECT_THAT(errorOf(0).what, HasSubstr("does not advertise DescribeTransactions"));
    EXPECT_EQ(errorOf(0).where, broker.bootstrap());
    EXPECT_EQ(broker.count(ApiKey::describeTransactions), 0U);
}

TEST_F(ConnectionTest, ASilentPeerCostsEachRequestItsOwnDeadline) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions, [](const SeenRequest&) { return Reaction::silence(); });
    connectTo(broker.address());
    describe("a", 100ms);
    describe("b", 200ms);
    runUntilAnswered();
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(errorOf(i).code, ErrorCode::timeout);
        EXPECT_THAT(errorOf(i).what, HasSubstr("DescribeTransactions"));
        EXPECT_TRUE(errorOf(i).retriable);
    }
    EXPECT_EQ(connection_->healthRank(), 2);
}

TEST_F(ConnectionTest, WhatWaitsBehindASilentPeerIsAskedAgainOnANewConnection) {
    ScriptedBroker broker(1);
    int asked = 0;
    broker.on(ApiKey::describeTransactions, [&](const SeenRequest& request) {
        return ++asked <= 2 ? Reaction::silence() : describing()(request);
    });
    connectTo(broker.address());
    describe("a", 100ms);
    describe("b");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::timeout);
    ASSERT_TRUE(results_[1].has_value()) << results_[1].error().text();
    EXPECT_EQ(results_[1]->message.states.at(0).transactionalId, "b");
    EXPECT_EQ(broker.connections(), 2);
}

TEST_F(ConnectionTest, APeerSilentFromTheStart) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::apiVersions, [](const SeenRequest&) { return Reaction::silence(); });
    ConnectionOptions options;
    options.setupTimeout = Millis{100};
    connectTo(broker.address(), options);
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::timeout);
    EXPECT_THAT(errorOf(0).text(), HasSubstr("no answer to ApiVersions within 100 ms"));
}

TEST_F(ConnectionTest, ACloseFailsEverythingOutstanding) {
    for (const bool reset : {false, true}) {
        results_.clear();
        ScriptedBroker broker(1);
        broker.on(ApiKey::describeTransactions, [&](const SeenRequest&) {
            return Reaction{{}, true, reset};
        });
        connectTo(broker.address());
        describe("a");
        describe("b");
        runUntilAnswered();
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_EQ(errorOf(i).code, ErrorCode::unreachable);
            EXPECT_EQ(errorOf(i).where, broker.bootstrap());
        }
        connection_->close({});
    }
}

TEST_F(ConnectionTest, ACloseInTheMiddleOfAFrame) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
        auto reaction = describing()(request);
        reaction.bytes.resize(reaction.bytes.size() - 3);
        reaction.hangUp = true;
        return reaction;
    });
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::unreachable);
}

TEST_F(ConnectionTest, ConnectsAgainAfterAClose) {
    ScriptedBroker broker(1);
    int asked = 0;
    broker.on(ApiKey::describeTransactions, [&](const SeenRequest& request) {
        return ++asked == 1 ? Reaction::close() : describing()(request);
    });
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_FALSE(results_[0].has_value());
    describe("b");
    runUntilAnswered();
    EXPECT_TRUE(results_[1].has_value()) << results_[1].error().text();
    EXPECT_EQ(broker.connections(), 2);
    EXPECT_EQ(broker.count(ApiKey::apiVersions), 2U) << "negotiated once per connection";
}

TEST_F(ConnectionTest, NobodyListens) {
    HostPort gone;
    {
        ScriptedBroker broker(1);
        gone = broker.address();
    }
    connectTo(gone);
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::unreachable);
    EXPECT_THAT(errorOf(0).what, HasSubstr("cannot connect"));
}

TEST_F(ConnectionTest, APortThatClosesWithoutAWordMayBeATlsPort) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::apiVersions, [](const SeenRequest&) { return Reaction::close(); });
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::unreachable);
    EXPECT_THAT(errorOf(0).text(), HasSubstr("without an answer"));
    EXPECT_THAT(errorOf(0).hint, HasSubstr("security.protocol=SSL"));
}

TEST_F(ConnectionTest, APortThatClosesAfterNegotiationMayWantSasl) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions, [](const SeenRequest&) { return Reaction::close(); });
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_THAT(errorOf(0).hint, HasSubstr("SASL_PLAINTEXT"));
}

TEST_F(ConnectionTest, ATlsAlertAndHttpAreNamed) {
    for (const auto* hex : {"15030300020246", "485454502f312e3120343030"}) {
        results_.clear();
        ScriptedBroker broker(1);
        broker.on(ApiKey::apiVersions,
                  [&](const SeenRequest&) { return Reaction::raw(samples::fromHex(hex)); });
        connectTo(broker.address());
        describe("a");
        runUntilAnswered();
        EXPECT_EQ(errorOf(0).code, ErrorCode::protocol);
        EXPECT_THAT(errorOf(0).what, HasSubstr("does not speak Kafka in plain text"));
        EXPECT_THAT(errorOf(0).hint, HasSubstr("security.protocol=SSL"));
        EXPECT_EQ(errorOf(0).where, broker.bootstrap());
        connection_->close({});
    }
}

TEST_F(ConnectionTest, APeerThatTalksFirst) {
    ScriptedBroker broker(1);
    broker.greet(samples::fromHex("53534820322e300d0a")); // "SSH 2.0"
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::protocol);
    EXPECT_THAT(errorOf(0).what, HasSubstr("announces a frame of"));
}

TEST_F(ConnectionTest, AHugeFrameEndsTheConnection) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions,
              [](const SeenRequest&) { return Reaction::raw(samples::fromHex("7fffffff")); });
    connectTo(broker.address());
    describe("a");
    describe("b");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::protocol);
    EXPECT_THAT(errorOf(0).what, HasSubstr("2147483647"));
    EXPECT_EQ(errorOf(1).code, ErrorCode::protocol);
}

TEST_F(ConnectionTest, AnAnswerOutOfTurnIsAProtocolError) {
    ScriptedBroker broker(1);
    broker.on(ApiKey::describeTransactions, [](const SeenRequest& request) {
        return Reaction::answer(request, samples::describeTransactionsResponse(), 1);
    });
    connectTo(broker.address());
    describe("a");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::protocol);
    EXPECT_THAT(errorOf(0).what, HasSubstr("correlation id"));
}

TEST_F(ConnectionTest, GarbageInAFrameFailsThatRequest) {
    ScriptedBroker broker(1);
    int asked = 0;
    broker.on(ApiKey::describeTransactions, [&](const SeenRequest& request) {
        return ++asked == 1 ? Reaction::frame(request, samples::fromHex("00000000ffffffff0f"))
                            : describing()(request);
    });
    connectTo(broker.address());
    describe("a");
    describe("b");
    runUntilAnswered();
    EXPECT_EQ(errorOf(0).code, ErrorCode::protocol);
    EXPECT_THAT(errorOf(0).what, HasSubstr("TransactionStates"));
    EXPECT_EQ(errorOf(0).where, broker.bootstrap());
    EXPECT_TRUE(results_[1].has_value());
}

TEST_F(ConnectionTest, ClosingCallsEveryHandlerOnce) {
    ScriptedBroker broker(1);
    connectTo(broker.address());
    describe("a");
    describe("b");
    Error error;
    error.code = ErrorCode::closed;
    connection_->close(error);
    describe("c");
    runUntilAnswered();
    ASSERT_EQ(results_.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(errorOf(i).code, ErrorCode::closed);
    }
}

} // namespace
} // namespace bellwether::kafka::wire
