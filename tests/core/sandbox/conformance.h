// SPDX-License-Identifier: Apache-2.0
#pragma once

// What any implementation of the three ports keeps. A test program includes this once, derives a World, and
// runs:
//
//   using namespace bellwether::conformance;
//   const auto kWorlds = testing::Values(WorldKind{"Kafka40", [] { return std::make_unique<MyWorld>(); }});
//   INSTANTIATE_TEST_SUITE_P(Kafka, TransportConformance, kWorlds, nameOf);
//   INSTANTIATE_TEST_SUITE_P(Kafka, ConsumerConformance, kWorlds, nameOf);
//   INSTANTIATE_TEST_SUITE_P(Kafka, AuthorityConformance, kWorlds, nameOf);
//
// The World is built anew for each test; one that stands for a running cluster hands out fresh roles.
// Partitions are shared with other roles, but nobody else may write to the topic while a test runs.
#include "conformance_authority.h"
#include "conformance_consumer.h"
#include "conformance_transport.h"
#include "conformance_world.h"
