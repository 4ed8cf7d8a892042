// SPDX-License-Identifier: Apache-2.0
// Settings to credentials, and what a wrong setting is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "kafka/wire/sasl_oauth.h"
#include "kafka/wire/security.h"

namespace bellwether::kafka::wire {
namespace {

using testing::HasSubstr;
using Properties = std::map<std::string, std::string>;

struct Wrong {
    Properties properties;
    ErrorCode code;
    std::string says;
};

TEST(Security, WhatIsWrongNamesItsProperty) {
    asio::io_context io;
    const std::string sasl = "SASL_PLAINTEXT";
    const Wrong wrongs[] = {
        {{{"security.protocol", "TLS"}}, ErrorCode::invalidArgument, "security.protocol"},
        {{{"security.protocol", sasl}, {"sasl.mechanism", "CRAM-MD5"}},
         ErrorCode::invalidArgument,
         "CRAM-MD5"},
        {{{"security.protocol", sasl}, {"sasl.mechanisms", "PLAIN"}, {"sasl.mechanism", "SCRAM-SHA-256"}},
         ErrorCode::invalidArgument,
         "sasl.mechanisms"},
        {{{"security.protocol", sasl}, {"sasl.mechanism", "PLAIN"}},
         ErrorCode::invalidArgument,
         "sasl.username"},
        {{{"security.protocol", sasl}, {"sasl.mechanism", "SCRAM-SHA-512"}, {"sasl.username", "a"}},
         ErrorCode::invalidArgument,
         "sasl.password"},
        {{{"security.protocol", sasl}, {"sasl.mechanism", "OAUTHBEARER"}},
         ErrorCode::unsupported,
         "sasl.oauthbearer.method"},
        {{{"security.protocol", sasl},
          {"sasl.mechanism", "OAUTHBEARER"},
          {"sasl.oauthbearer.method", "oidc"}},
         ErrorCode::invalidArgument,
         "sasl.oauthbearer.client.id"},
        {{{"security.protocol", sasl},
          {"sasl.mechanism", "OAUTHBEARER"},
          {"enable.sasl.oauthbearer.unsecure.jwt", "true"}},
         ErrorCode::invalidArgument,
         "principal is missing"},
    };
    for (const auto& each : wrongs) {
        const auto made = makeSecurity(io, each.properties);
        ASSERT_FALSE(made.has_value()) << each.says;
        EXPECT_EQ(made.error().code, each.code) << made.error().text();
        EXPECT_THAT(made.error().text(), HasSubstr(each.says));
        EXPECT_FALSE(made.error().hint.empty()) << made.error().text();
    }
}

TEST(Security, AnyCaseAndBothNamesOfTheMechanism) {
    asio::io_context io;
    EXPECT_EQ(makeSecurity(io, {}).value().credentials, nullptr);
    for (const auto* name : {"sasl.mechanism", "sasl.mechanisms"}) {
        const auto made = makeSecurity(io, {{"security.protocol", "sasl_plaintext"},
                                            {name, "plain"},
                                            {"sasl.username", "ann"},
                                            {"sasl.password", "secret"}});
        ASSERT_TRUE(made.has_value()) << made.error().text();
        ASSERT_NE(made->credentials, nullptr);
        EXPECT_EQ(made->credentials->mechanism(), "PLAIN");
        EXPECT_THAT(made->credentials->who(), HasSubstr("ann"));
        EXPECT_THAT(made->credentials->who() + made->credentials->hint(), testing::Not(HasSubstr("secret")));
    }
}

TEST(Security, TheUnsecuredToken) {
    const auto settings =
        parseUnsecuredToken("principal=ann scope=a,b lifeSeconds=60 scopeClaimName=s extension_team=blue");
    ASSERT_TRUE(settings.has_value()) << settings.error().text();
    const auto token = makeUnsecuredToken(*settings, wallTime(1'700'000'000'500));
    EXPECT_EQ(token.expires, wallTime(1'700'000'060'000));
    // {"alg":"none"} . {"exp":1700000060,"iat":1700000000,"s":["a","b"],"sub":"ann"} . nothing
    EXPECT_EQ(token.token,
              "eyJhbGciOiJub25lIn0."
              "eyJleHAiOjE3MDAwMDAwNjAsImlhdCI6MTcwMDAwMDAwMCwicyI6WyJhIiwiYiJdLCJzdWIiOiJhbm4ifQ.");
    const auto exchange = makeOauthExchange(token);
    const auto first = exchange->first().value();
    EXPECT_EQ(std::string(first.begin(), first.end()), "n,,\x01"
                                                       "auth=Bearer " +
                                                           token.token +
                                                           "\x01"
                                                           "team=blue\x01\x01");
    EXPECT_FALSE(exchange->next({}).value().has_value()) << "an empty answer ends it";
}

TEST(Security, ARefusedTokenIsAcknowledgedOnce) {
    const auto exchange = makeOauthExchange({"t", "ann", {}, {}});
    const Bytes json{'{', '}'};
    EXPECT_EQ(exchange->next(json).value(), (Bytes{1}));
    EXPECT_FALSE(exchange->next(json).has_value());
    EXPECT_FALSE(exchange->next({}).has_value()) << "no success after a refusal";
}

} // namespace
} // namespace bellwether::kafka::wire
