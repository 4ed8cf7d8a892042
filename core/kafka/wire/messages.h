// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kafka/wire/api.h"
#include "kafka/wire/reader.h"

/// The messages this client speaks, as plain structs named after Kafka's protocol guide
/// (common/message/*.json of kafka-clients are the source). Fields that a version does not carry keep their
/// defaults.
namespace bellwether::kafka::wire {

struct ApiVersionsRequest {
    static constexpr ApiKey kApi = ApiKey::apiVersions;
    static constexpr std::string_view kName = "ApiVersions request";
    std::string softwareName;    ///< v3+
    std::string softwareVersion; ///< v3+
};

struct ApiVersionsResponse {
    static constexpr ApiKey kApi = ApiKey::apiVersions;
    static constexpr std::string_view kName = "ApiVersions response";

    struct Api {
        std::int16_t key = 0;
        VersionRange versions;
    };

    struct SupportedFeature {
        std::string name;
        std::int16_t minVersion = 0;
        std::int16_t maxVersion = 0;
    };

    struct FinalizedFeature {
        std::string name;
        std::int16_t maxVersionLevel = 0;
        std::int16_t minVersionLevel = 0;
    };

    std::int16_t errorCode = 0;
    std::vector<Api> apis;
    std::int32_t throttleTimeMs = 0;                 ///< v1+
    std::vector<SupportedFeature> supportedFeatures; ///< v3+; v3 leaves out those that start at 0
    std::int64_t finalizedFeaturesEpoch = -1;        ///< v3+
    std::vector<FinalizedFeature> finalizedFeatures; ///< v3+

    [[nodiscard]] std::optional<VersionRange> versionsOf(ApiKey api) const noexcept;
};

struct SaslHandshakeRequest {
    static constexpr ApiKey kApi = ApiKey::saslHandshake;
    static constexpr std::string_view kName = "SaslHandshake request";
    std::string mechanism;
};

struct SaslHandshakeResponse {
    static constexpr ApiKey kApi = ApiKey::saslHandshake;
    static constexpr std::string_view kName = "SaslHandshake response";
    std::int16_t errorCode = 0;
    std::vector<std::string> mechanisms; ///< those the listener enables
};

struct SaslAuthenticateRequest {
    static constexpr ApiKey kApi = ApiKey::saslAuthenticate;
    static constexpr std::string_view kName = "SaslAuthenticate request";
    Bytes authBytes;
};

struct SaslAuthenticateResponse {
    static constexpr ApiKey kApi = ApiKey::saslAuthenticate;
    static constexpr std::string_view kName = "SaslAuthenticate response";
    std::int16_t errorCode = 0;
    std::optional<std::string> errorMessage;
    Bytes authBytes;
    std::int64_t sessionLifetimeMs = 0; ///< v1+; 0: the session does not end (KIP-368)
};

struct MetadataRequest {
    static constexpr ApiKey kApi = ApiKey::metadata;
    static constexpr std::string_view kName = "Metadata request";
    /// Empty: brokers only. Nothing: every topic.
    std::optional<std::vector<std::string>> topics = std::vector<std::string>{};
    bool allowAutoTopicCreation = false;
};

struct MetadataResponse {
    static constexpr ApiKey kApi = ApiKey::metadata;
    static constexpr std::string_view kName = "Metadata response";

    struct Broker {
        std::int32_t nodeId = -1;
        std::string host;
        std::int32_t port = 0;
        std::optional<std::string> rack;
    };

    struct Partition {
        std::int16_t errorCode = 0;
        std::int32_t index = 0;
        std::int32_t leaderId = -1;
        std::int32_t leaderEpoch = -1; ///< v7+
        std::vector<std::int32_t> replicas;
        std::vector<std::int32_t> inSync;
        std::vector<std::int32_t> offline; ///< v5+
    };

    struct Topic {
        std::int16_t errorCode = 0;
        std::optional<std::string> name; ///< null only in v12+
        bool isInternal = false;
        std::vector<Partition> partitions;
    };

    std::int32_t throttleTimeMs = 0;
    std::vector<Broker> brokers;
    std::optional<std::string> clusterId;
    std::int32_t controllerId = -1;
    std::vector<Topic> topics;
    std::int16_t errorCode = 0; ///< v13+
};

struct FindCoordinatorRequest {
    static constexpr ApiKey kApi = ApiKey::findCoordinator;
    static constexpr std::string_view kName = "FindCoordinator request";
    static constexpr std::int8_t kTransaction = 1;
    std::int8_t keyType = kTransaction;
    std::vector<std::string> keys; ///< exactly one below v4
};

struct FindCoordinatorResponse {
    static constexpr ApiKey kApi = ApiKey::findCoordinator;
    static constexpr std::string_view kName = "FindCoordinator response";

    struct Coordinator {
        std::string key; ///< empty below v4, where the request had one key
        std::int32_t nodeId = -1;
        std::string host;
        std::int32_t port = 0;
        std::int16_t errorCode = 0;
        std::optional<std::string> errorMessage;
    };

    std::int32_t throttleTimeMs = 0;
    std::vector<Coordinator> coordinators; ///< exactly one below v4
};

struct DescribeTransactionsRequest {
    static constexpr ApiKey kApi = ApiKey::describeTransactions;
    static constexpr std::string_view kName = "DescribeTransactions request";
    std::vector<std::string> transactionalIds;
};

struct DescribeTransactionsResponse {
    static constexpr ApiKey kApi = ApiKey::describeTransactions;
    static constexpr std::string_view kName = "DescribeTransactions response";

    struct Topic {
        std::string name;
        std::vector<std::int32_t> partitions;
    };

    struct State {
        std::int16_t errorCode = 0;
        std::string transactionalId;
        std::string state;
        std::int32_t timeoutMs = 0;
        std::int64_t startTimeMs = -1;
        std::int64_t producerId = -1;
        std::int16_t producerEpoch = -1;
        std::vector<Topic> topics;
    };

    std::int32_t throttleTimeMs = 0;
    std::vector<State> states;
};

struct DescribeProducersRequest {
    static constexpr ApiKey kApi = ApiKey::describeProducers;
    static constexpr std::string_view kName = "DescribeProducers request";

    struct Topic {
        std::string name;
        std::vector<std::int32_t> partitions;
    };

    std::vector<Topic> topics;
};

struct DescribeProducersResponse {
    static constexpr ApiKey kApi = ApiKey::describeProducers;
    static constexpr std::string_view kName = "DescribeProducers response";

    struct Producer {
        std::int64_t producerId = -1;
        std::int32_t producerEpoch = -1; ///< 32 bits here, 16 everywhere else
        std::int32_t lastSequence = -1;
        std::int64_t lastTimestamp = -1;
        std::int32_t coordinatorEpoch = 0;
        std::int64_t transactionStartOffset = -1;
    };

    struct Partition {
        std::int32_t index = 0;
        std::int16_t errorCode = 0;
        std::optional<std::string> errorMessage;
        std::vector<Producer> producers;
    };

    struct Topic {
        std::string name;
        std::vector<Partition> partitions;
    };

    std::int32_t throttleTimeMs = 0;
    std::vector<Topic> topics;
};

struct ListTransactionsRequest {
    static constexpr ApiKey kApi = ApiKey::listTransactions;
    static constexpr std::string_view kName = "ListTransactions request";
    std::vector<std::string> states;       ///< empty: all
    std::vector<std::int64_t> producerIds; ///< empty: all
    std::int64_t durationMs = -1;          ///< v1+; negative: all
};

struct ListTransactionsResponse {
    static constexpr ApiKey kApi = ApiKey::listTransactions;
    static constexpr std::string_view kName = "ListTransactions response";

    struct State {
        std::string transactionalId;
        std::int64_t producerId = -1;
        std::string state;
    };

    std::int32_t throttleTimeMs = 0;
    std::int16_t errorCode = 0;
    std::vector<std::string> unknownStateFilters;
    std::vector<State> states;
};

/// The body of a message, without header and length. Fails with `invalidArgument` when a string or the number
/// of keys does not fit that version. Defined for every struct above.
template<typename Message>
[[nodiscard]] Result<Bytes> encode(const Message& message, std::int16_t version);

/// The inverse; the whole of `body` must be the message. Fails with `protocol`, naming message and field.
template<typename Message>
[[nodiscard]] Result<Message> decode(ByteView body, std::int16_t version);

/// Request header v1 or v2 (flexible requests) followed by the body, with the frame's length in front.
[[nodiscard]] Bytes requestFrame(ApiKey api, std::int16_t version, std::int32_t correlationId,
                                 const std::string& clientId, ByteView body);

/// The correlation id of a response frame (without its length).
[[nodiscard]] Result<std::int32_t> correlationIdOf(ByteView frame);
/// Where the body starts in a response frame: behind header v0 or v1.
[[nodiscard]] Result<std::size_t> responseBodyOffset(ApiKey api, std::int16_t version, ByteView frame);

} // namespace bellwether::kafka::wire
