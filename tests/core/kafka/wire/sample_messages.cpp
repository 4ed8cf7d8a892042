// SPDX-License-Identifier: Apache-2.0
#include "sample_messages.h"

#include <charconv>
#include <stdexcept>

namespace bellwether::kafka::wire::samples {

ApiVersionsRequest apiVersionsRequest() {
    return {"bw", "0.1"};
}

ApiVersionsResponse apiVersionsResponse() {
    ApiVersionsResponse m;
    m.apis = {{18, {0, 4}}, {65, {0, 0}}};
    m.throttleTimeMs = 5;
    m.supportedFeatures = {{"tv", 0, 2}};
    m.finalizedFeaturesEpoch = 9;
    m.finalizedFeatures = {{"tv", 2, 2}};
    return m;
}

SaslHandshakeRequest saslHandshakeRequest() {
    return {"PLAIN"};
}

SaslHandshakeResponse saslHandshakeResponse() {
    return {33, {"A", "B"}};
}

SaslAuthenticateRequest saslAuthenticateRequest() {
    return {{0xaa, 0xbb}};
}

SaslAuthenticateResponse saslAuthenticateResponse() {
    return {58, "m", {0xff}, 5};
}

MetadataRequest metadataRequest() {
    MetadataRequest m;
    m.topics = {"t"};
    return m;
}

MetadataResponse metadataResponse() {
    MetadataResponse m;
    m.throttleTimeMs = 1;
    m.brokers = {{1, "h", 9092, "r"}, {2, "i", 9093, std::nullopt}};
    m.clusterId = "C";
    m.controllerId = 2;
    MetadataResponse::Topic topic;
    topic.name = "t";
    topic.isInternal = true;
    topic.partitions = {{5, 3, 1, 4, {1, 2}, {1}, {2}}};
    m.topics = {topic};
    return m;
}

FindCoordinatorRequest findCoordinatorRequest(std::int16_t version) {
    FindCoordinatorRequest m;
    m.keys = {"r"};
    if (version >= 4) {
        m.keys.push_back("s");
    }
    return m;
}

FindCoordinatorResponse findCoordinatorResponse(std::int16_t version) {
    FindCoordinatorResponse m;
    m.throttleTimeMs = 1;
    if (version >= 4) {
        m.coordinators = {{"r", 2, "h", 9092, 0, ""}, {"s", -1, "", -1, 15, "m"}};
    } else {
        m.coordinators = {{"", 2, "h", 9092, 15, "m"}};
    }
    return m;
}

DescribeTransactionsRequest describeTransactionsRequest() {
    return {{"r", "s"}};
}

DescribeTransactionsResponse describeTransactionsResponse() {
    DescribeTransactionsResponse m;
    m.throttleTimeMs = 1;
    m.states = {{0, "r", "Ongoing", 10'000, 1'700'000'000'000, 77, 3, {{"t", {0, 3}}}},
                {105, "s", "", 0, -1, -1, -1, {}}};
    return m;
}

DescribeProducersRequest describeProducersRequest() {
    return {{{"t", {0, 3}}}};
}

DescribeProducersResponse describeProducersResponse() {
    DescribeProducersResponse m;
    m.throttleTimeMs = 1;
    m.topics = {{"t", {{0, 0, std::nullopt, {{77, 3, 5, 1'700'000'000'000, 1, 42}}}, {3, 6, "m", {}}}}};
    return m;
}

ListTransactionsRequest listTransactionsRequest(std::int16_t version) {
    return {{"Ongoing"}, {77}, version >= 1 ? 1000 : -1};
}

ListTransactionsResponse listTransactionsResponse() {
    return {1, 0, {"X"}, {{"r", 77, "Empty"}}};
}

Bytes fromHex(std::string_view hex) {
    Bytes bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        std::uint8_t value = 0;
        if (std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16).ec != std::errc{}) {
            throw std::invalid_argument("not hex");
        }
        bytes.push_back(value);
    }
    return bytes;
}

std::string toHex(ByteView bytes) {
    std::string hex;
    static constexpr std::string_view kDigits = "0123456789abcdef";
    for (const auto byte : bytes) {
        hex += kDigits[byte >> 4U];
        hex += kDigits[byte & 0x0FU];
    }
    return hex;
}

} // namespace bellwether::kafka::wire::samples
