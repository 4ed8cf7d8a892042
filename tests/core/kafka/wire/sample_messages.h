// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "kafka/wire/messages.h"

// One filled message of each kind; golden_test.cpp holds their bytes.
namespace bellwether::kafka::wire::samples {

ApiVersionsRequest apiVersionsRequest();
ApiVersionsResponse apiVersionsResponse();
SaslHandshakeRequest saslHandshakeRequest();
SaslHandshakeResponse saslHandshakeResponse();
SaslAuthenticateRequest saslAuthenticateRequest();
SaslAuthenticateResponse saslAuthenticateResponse();
MetadataRequest metadataRequest();
MetadataResponse metadataResponse();
FindCoordinatorRequest findCoordinatorRequest(std::int16_t version);
FindCoordinatorResponse findCoordinatorResponse(std::int16_t version);
DescribeTransactionsRequest describeTransactionsRequest();
DescribeTransactionsResponse describeTransactionsResponse();
DescribeProducersRequest describeProducersRequest();
DescribeProducersResponse describeProducersResponse();
ListTransactionsRequest listTransactionsRequest(std::int16_t version);
ListTransactionsResponse listTransactionsResponse();

Bytes fromHex(std::string_view hex);
std::string toHex(ByteView bytes);

} // namespace bellwether::kafka::wire::samples
