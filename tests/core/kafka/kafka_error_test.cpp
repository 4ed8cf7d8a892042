// SPDX-License-Identifier: Apache-2.0
#include "kafka/kafka_error.h"

#include <gtest/gtest.h>

namespace bellwether::kafka {
namespace {

// Codes of rdkafka.h by number: broker codes are positive, the library's own negative.
constexpr int kLowest = -200;
constexpr int kHighest = 200;
constexpr int kLocalFenced = -144;

const Place kPlace{"127.0.0.1:9092", "__coordination_state", 3, {}, "lead"};

Error errorOf(int code) {
    return toError(Fault{code, "text", false, false, false}, "writing the lease", kPlace);
}

TEST(KafkaError, OnlyTheTwoBrokerCodesAndTheLibrarysOwnAreAFence) {
    for (int code = kLowest; code <= kHighest; ++code) {
        const auto error = errorOf(code);
        const bool fence = code == 47 || code == 90 || code == kLocalFenced;
        EXPECT_EQ(error.fenced, fence) << code;
        EXPECT_EQ(error.code == ErrorCode::fenced, fence) << code;
        EXPECT_EQ(isFence(code), fence) << code;
    }
}

TEST(KafkaError, AFenceIsAFenceWhateverTheFlags) {
    for (int flags = 0; flags < 8; ++flags) {
        const Fault fault{47, "x", (flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0};
        const auto error = toError(fault, "writing the lease", kPlace);
        EXPECT_EQ(error.code, ErrorCode::fenced);
        EXPECT_TRUE(error.fenced);
        EXPECT_FALSE(error.retriable);
        EXPECT_EQ(error.fatal, fault.fatal);
        EXPECT_EQ(error.requiresAbort, fault.requiresAbort);
        EXPECT_EQ(error.kafkaCode, 47);
    }
}

TEST(KafkaError, TheTextOfAFenceNamesNoOtherLeader) {
    const auto error = errorOf(90);
    EXPECT_EQ(error.what.rfind("token lost", 0), 0U) << error.what;
    EXPECT_NE(error.what.find("90 PRODUCER_FENCED"), std::string::npos) << error.what;
    EXPECT_NE(error.hint.find("transaction.timeout.ms"), std::string::npos) << error.hint;
}

TEST(KafkaError, OnlyCode49MeansThatTheIdExpired) {
    for (int code = kLowest; code <= kHighest; ++code) {
        EXPECT_EQ(errorOf(code).code == ErrorCode::idExpired, code == 49) << code;
    }
    EXPECT_NE(errorOf(49).hint.find("transactional.id.expiration.ms"), std::string::npos);
}

TEST(KafkaError, EachKindOfFailureHasItsCode) {
    struct Row {
        int code;
        ErrorCode expected;
        bool retriable;
    };

    const std::vector<Row> rows{
        {3, ErrorCode::topicMissing, false},
        {-188, ErrorCode::topicMissing, false},
        {-190, ErrorCode::topicMissing, false},
        {29, ErrorCode::refused, false},
        {31, ErrorCode::refused, false},
        {53, ErrorCode::refused, false},
        {58, ErrorCode::refused, false},
        {-169, ErrorCode::refused, false},
        {14, ErrorCode::busy, true},
        {15, ErrorCode::busy, true},
        {16, ErrorCode::busy, true},
        {51, ErrorCode::busy, true},
        {6, ErrorCode::broker, true},
        {74, ErrorCode::broker, true},
        {75, ErrorCode::broker, true},
        {19, ErrorCode::broker, true},
        {7, ErrorCode::timeout, true},
        {-185, ErrorCode::timeout, true},
        {-192, ErrorCode::timeout, true},
        {-195, ErrorCode::unreachable, true},
        {-187, ErrorCode::unreachable, true},
        {-193, ErrorCode::unreachable, true},
        {-181, ErrorCode::unreachable, true},
        {35, ErrorCode::unsupported, false},
        {-199, ErrorCode::protocol, false},
        {-197, ErrorCode::closed, false},
        {-152, ErrorCode::closed, false},
        {59, ErrorCode::broker, false},
        {48, ErrorCode::broker, false},
        {-186, ErrorCode::internal, false},
    };
    for (const auto& row : rows) {
        const auto error = errorOf(row.code);
        EXPECT_EQ(error.code, row.expected) << row.code << " " << toString(error.code);
        EXPECT_EQ(error.retriable, row.retriable) << row.code;
        EXPECT_EQ(error.kafkaCode, row.code);
        EXPECT_FALSE(error.what.empty());
        EXPECT_EQ(error.where, "role lead, __coordination_state[3], 127.0.0.1:9092");
    }
}

TEST(KafkaError, HintsNameTheCommandOrTheSetting) {
    EXPECT_NE(errorOf(3).hint.find("kafka-topics.sh --create --topic __coordination_state"),
              std::string::npos);
    EXPECT_NE(errorOf(53).hint.find("kafka-acls.sh"), std::string::npos);
    EXPECT_NE(errorOf(53).hint.find("--transactional-id 'lead'"), std::string::npos);
    EXPECT_NE(errorOf(29).hint.find("--topic __coordination_state"), std::string::npos);
    EXPECT_NE(errorOf(58).hint.find("sasl.username"), std::string::npos);
    EXPECT_NE(errorOf(19).hint.find("min.insync.replicas"), std::string::npos);
    EXPECT_NE(errorOf(50).hint.find("transaction.max.timeout.ms"), std::string::npos);
}

TEST(KafkaError, ThePlaceLeavesOutWhatIsNotKnownAndShowsNamesSafely) {
    EXPECT_EQ(Place{}.text(), "");
    EXPECT_EQ((Place{"h:1", {}, {}, {}, {}}.text()), "h:1");
    EXPECT_EQ((Place{"h:1", "t", 0, 17, "a\nb"}.text()), "role a\\nb, t[0]@17, h:1");
}

TEST(KafkaError, ATimeoutIsExplainedByWhatTheConnectionsSaid) {
    ConnectionDiary diary;
    const auto bare = timeoutError("reading the role", kPlace, Millis{5000});
    EXPECT_EQ(explainConnection(bare, diary), bare);

    diary.note(-195, "127.0.0.1:9092/bootstrap: Connect to ipv4#127.0.0.1:9092 failed: Connection refused",
               SteadyTime{});
    const auto refused = explainConnection(bare, diary);
    EXPECT_EQ(refused.code, ErrorCode::unreachable);
    EXPECT_TRUE(refused.retriable);
    EXPECT_NE(refused.what.find("nobody listens"), std::string::npos) << refused.what;
    EXPECT_NE(refused.hint.find("bootstrap.servers"), std::string::npos);

    diary.note(0,
               "h:1/bootstrap: Disconnected: connection closed by peer (after 1ms in state APIVERSION_QUERY)",
               SteadyTime{});
    const auto tls = explainConnection(bare, diary);
    EXPECT_FALSE(tls.retriable);
    EXPECT_NE(tls.hint.find("security.protocol=ssl"), std::string::npos) << tls.hint;

    // What a broker answered is no matter of connections.
    const auto missing = errorOf(3);
    EXPECT_EQ(explainConnection(missing, diary), missing);

    diary.noteReached();
    EXPECT_EQ(explainConnection(bare, diary), bare);
}

TEST(KafkaError, APassphraseThatDoesNotFitIsNamed) {
    const auto key =
        settingsError("ssl.key.location failed: ../ssl/ssl_rsa.c:385:SSL_CTX_use_PrivateKey_file "
                      "error:0A080009:SSL routines::PEM lib",
                      "h:1");
    EXPECT_EQ(key.code, ErrorCode::invalidArgument);
    EXPECT_EQ(key.where, "h:1");
    EXPECT_NE(key.what.find("wrong passphrase"), std::string::npos) << key.what;
    EXPECT_NE(key.hint.find("ssl.key.password"), std::string::npos) << key.hint;
    const auto store = settingsError("Failed to parse ssl.keystore.location PKCS#12 file: /f.p12: "
                                     "error:11800071:PKCS12 routines::mac verify failure",
                                     "h:1");
    EXPECT_NE(store.what.find("wrong passphrase"), std::string::npos) << store.what;
    EXPECT_NE(store.hint.find("ssl.keystore.password"), std::string::npos) << store.hint;
    const auto file =
        settingsError("ssl.ca.location failed: error:80000002:system library::No such file", "h:1");
    EXPECT_EQ(file.what.find("passphrase"), std::string::npos) << file.what;
    EXPECT_NE(file.what.find("No such file"), std::string::npos) << file.what;
}

} // namespace
} // namespace bellwether::kafka
