// SPDX-License-Identifier: Apache-2.0
#include "kafka/connection_diary.h"

#include <gtest/gtest.h>

namespace bellwether::kafka {
namespace {

SteadyTime at(std::int64_t millis) {
    return SteadyTime{Millis{millis}};
}

// The texts are what librdkafka 2.14 said of real ports.
TEST(ConnectionDiary, TellsTheTroublesApart) {
    struct Row {
        int code;
        std::string_view text;
        ConnectionTrouble expected;
    };

    const std::vector<Row> rows{
        {-195,
         "127.0.0.1:1/bootstrap: Connect to ipv4#127.0.0.1:1 failed: Connection refused (after 0ms in state "
         "CONNECT)",
         ConnectionTrouble::refused},
        {-193,
         "no-such-host.invalid:9092/bootstrap: Failed to resolve 'no-such-host.invalid:9092': Name or "
         "service not "
         "known (after 2ms in state CONNECT)",
         ConnectionTrouble::unresolved},
        {0,
         "127.0.0.1:9093/bootstrap: Disconnected: connection closed by peer: receive 0 after POLLIN (after "
         "2ms in state "
         "APIVERSION_QUERY)",
         ConnectionTrouble::tlsPortSpokenPlain},
        {-195,
         "ssl://127.0.0.1:9092/bootstrap: SSL handshake failed: Disconnected: SSL connection closed by peer: "
         "connecting to a PLAINTEXT broker listener? (after 1ms in state SSL_HANDSHAKE)",
         ConnectionTrouble::plainPortSpokenTls},
        {-195,
         "ssl://127.0.0.1:9092/bootstrap: Disconnected: SSL connection closed by peer (after 0ms in state "
         "SSL_HANDSHAKE)",
         ConnectionTrouble::plainPortSpokenTls},
        {-181,
         "ssl://127.0.0.1:9093/bootstrap: SSL handshake failed: error:0A000086:SSL routines::certificate "
         "verify "
         "failed: broker certificate could not be verified, verify that ssl.ca.location is correctly "
         "configured "
         "(after 16ms in state SSL_HANDSHAKE)",
         ConnectionTrouble::certificate},
        {-169,
         "sasl_plaintext://127.0.0.1:9092/bootstrap: SASL PLAIN mechanism handshake failed: Broker: Request "
         "not "
         "valid in current SASL state: broker's supported mechanisms:  (after 5ms in state AUTH_HANDSHAKE)",
         ConnectionTrouble::saslUnwanted},
        {-169,
         "sasl_ssl://127.0.0.1:9092/bootstrap: SASL authentication error: Authentication failed: Invalid "
         "username "
         "or password (after 242ms in state AUTH_REQ)",
         ConnectionTrouble::login},
        {-169,
         "sasl_plaintext://127.0.0.1:9092/bootstrap: SASL SCRAM-SHA-512 mechanism handshake failed: Broker: "
         "Unsupported SASL mechanism: broker's supported mechanisms: PLAIN (after 303ms in state "
         "AUTH_HANDSHAKE)",
         ConnectionTrouble::mechanism},
        {0,
         "ssl://127.0.0.1:9093/bootstrap: Certificate (subject=/CN=server, issuer=/CN=Test CA) verification "
         "callback failed: hostname mismatch",
         ConnectionTrouble::hostName},
        {0,
         "ssl://127.0.0.1:9093/bootstrap: Certificate (subject=/CN=server, issuer=/CN=Test CA) verification "
         "callback failed: certificate has expired",
         ConnectionTrouble::outdated},
        {0,
         "ssl://127.0.0.1:9093/bootstrap: Certificate (subject=/CN=server, issuer=/CN=Test CA) verification "
         "callback failed: unable to get local issuer certificate",
         ConnectionTrouble::certificate},
        {-195,
         "ssl://127.0.0.1:9093/bootstrap: Receive failed: error:0A000412:SSL routines::sslv3 alert bad "
         "certificate: "
         "SSL alert number 42 (after 0ms in state APIVERSION_QUERY)",
         ConnectionTrouble::clientCertificate},
        {-195,
         "ssl://127.0.0.1:9093/bootstrap: Receive failed: error:0A000416:SSL routines::sslv3 alert "
         "certificate "
         "unknown: SSL alert number 46 (after 4ms in state APIVERSION_QUERY)",
         ConnectionTrouble::clientRefused},
        {-195,
         "h:9/bootstrap: Disconnected: connection closed by peer: receive 0 after POLLIN (after 2ms in state "
         "UP)",
         ConnectionTrouble::lostAtOnce},
        {-195, "sasl_ssl://h:9/bootstrap: Disconnected: connection closed by peer (after 2ms in state UP)",
         ConnectionTrouble::lost},
        {0, "ssl://h:9/bootstrap: Disconnected (after 2ms in state APIVERSION_QUERY)",
         ConnectionTrouble::notKafka},
        {-195, "h:9092/1: Disconnected (after 60000ms in state UP)", ConnectionTrouble::lost},
        {-195, "something new", ConnectionTrouble::other},
        {-193, "something new", ConnectionTrouble::unresolved},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(classifyConnectionText(row.code, row.text), row.expected) << row.text;
    }
}

TEST(ConnectionDiary, EveryTroubleThatHasAClauseSaysWhatToDo) {
    for (int i = 0; i <= static_cast<int>(ConnectionTrouble::lost); ++i) {
        const auto trouble = static_cast<ConnectionTrouble>(i);
        if (trouble == ConnectionTrouble::other) {
            EXPECT_TRUE(connectionHint(trouble).empty());
            EXPECT_FALSE(isMisconfiguration(trouble));
            continue;
        }
        EXPECT_FALSE(connectionClause(trouble).empty()) << i;
        EXPECT_FALSE(connectionHint(trouble).empty()) << i;
    }
}

TEST(ConnectionDiary, AMisconfigurationSaysMoreThanNewerTroubles) {
    ConnectionDiary diary;
    EXPECT_FALSE(diary.telling());
    diary.note(0, "[thrd:h:1/bootstrap]: h:1/bootstrap: Disconnected (after 1ms in state APIVERSION_QUERY)",
               at(1));
    diary.note(-195, "h:1: Connection refused", at(2));
    diary.note(-195, "h:1: Disconnected (after 1ms in state UP)", at(3));
    ASSERT_TRUE(diary.telling());
    EXPECT_EQ(diary.telling()->trouble, ConnectionTrouble::tlsPortSpokenPlain);
    EXPECT_EQ(diary.telling()->text, "h:1/bootstrap: Disconnected (after 1ms in state APIVERSION_QUERY)");
}

TEST(ConnectionDiary, WhatIsWrongWithACertificateSaysMoreThanThatItFailed) {
    ConnectionDiary diary;
    diary.note(0,
               "ssl://h:1: Certificate (subject=/CN=a, issuer=/CN=b) verification callback failed: hostname "
               "mismatch",
               at(1));
    diary.note(-181, "ssl://h:1: certificate verify failed: broker certificate could not be verified", at(2));
    ASSERT_TRUE(diary.telling());
    EXPECT_EQ(diary.telling()->trouble, ConnectionTrouble::hostName);
    ConnectionDiary unknown;
    unknown.note(
        0, "ssl://h:1: Certificate (subject=/CN=a, issuer=/CN=b) verification callback failed: self-signed",
        at(1));
    unknown.note(-181, "ssl://h:1: certificate verify failed: broker certificate could not be verified",
                 at(2));
    EXPECT_NE(unknown.telling()->text.find("issuer=/CN=b"), std::string::npos);
}

TEST(ConnectionDiary, ABrokerThatHangsUpAtOnceAndAgainWantsALogin) {
    constexpr std::string_view kHangsUp =
        "h:1/bootstrap: Disconnected: closed by peer (after 2ms in state UP)";
    ConnectionDiary diary;
    diary.note(-195, kHangsUp, at(1));
    EXPECT_EQ(diary.telling()->trouble, ConnectionTrouble::lostAtOnce);
    EXPECT_FALSE(isMisconfiguration(ConnectionTrouble::lostAtOnce));
    diary.note(-195, "other:1/bootstrap: Disconnected: closed by peer (after 2ms in state UP)", at(2));
    EXPECT_FALSE(isMisconfiguration(diary.telling()->trouble)) << "two brokers that go down, each once";
    diary.note(-195, kHangsUp, at(3));
    EXPECT_EQ(diary.telling()->trouble, ConnectionTrouble::saslMissing);

    ConnectionDiary worked;
    worked.noteReached();
    worked.note(-195, kHangsUp, at(1));
    worked.note(-195, kHangsUp, at(2));
    EXPECT_EQ(worked.telling()->trouble, ConnectionTrouble::lost);
}

TEST(ConnectionDiary, SettingsThatHaveWorkedAreNotBlamedWhenABrokerDies) {
    ConnectionDiary diary;
    diary.noteReached();
    diary.note(0, "[thrd:h:1/bootstrap]: h:1/bootstrap: Disconnected (after 1ms in state APIVERSION_QUERY)",
               at(1));
    ASSERT_TRUE(diary.telling());
    EXPECT_EQ(diary.telling()->trouble, ConnectionTrouble::lost);
    EXPECT_NE(connectionHint(ConnectionTrouble::lost).find("broker is up"), std::string_view::npos);
}

TEST(ConnectionDiary, AnAnswerMakesTroublesHistory) {
    ConnectionDiary diary;
    diary.note(-195, "h:1: Connection refused", at(1));
    EXPECT_FALSE(diary.everReached());
    diary.noteReached();
    EXPECT_TRUE(diary.everReached());
    EXPECT_FALSE(diary.telling());
    diary.note(-195, "h:1: Connection refused", at(5));
    ASSERT_TRUE(diary.telling());
    EXPECT_EQ(diary.telling()->at, at(5));
}

TEST(ConnectionDiary, KeepsAFewEntriesOnly) {
    ConnectionDiary diary;
    diary.note(0, "h:1/bootstrap: Disconnected (after 1ms in state APIVERSION_QUERY)", at(0));
    for (int i = 1; i <= 100; ++i) {
        diary.note(-195, "h:1: Connection refused", at(i));
    }
    ASSERT_TRUE(diary.telling());
    EXPECT_EQ(diary.telling()->trouble, ConnectionTrouble::refused);
    EXPECT_EQ(diary.telling()->at, at(100));
}

TEST(ConnectionDiary, TakesTheThreadsNameOff) {
    EXPECT_EQ(withoutThreadName("[thrd:main]: text"), "text");
    EXPECT_EQ(withoutThreadName("text [thrd:main]: more"), "text [thrd:main]: more");
    EXPECT_EQ(withoutThreadName("[thrd:main"), "[thrd:main");
    EXPECT_EQ(withoutThreadName(""), "");
}

} // namespace
} // namespace bellwether::kafka
