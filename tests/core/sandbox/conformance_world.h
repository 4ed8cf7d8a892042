// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "coordination/role_partition.h"
#include "ports/authority.h"
#include "ports/log_consumer.h"
#include "ports/transport.h"

namespace bellwether::conformance {

/// A transaction somebody else left open in a role's partition, with one record written.
class OpenTransaction {
public:
    virtual ~OpenTransaction() = default;
    [[nodiscard]] virtual Role transactionalId() const = 0;
    /// Returns when readers can see the outcome.
    virtual void end(bool commit) = 0;
};

/// A cluster, and the three ports to it, that a suite runs on.
class World {
public:
    virtual ~World() = default;
    [[nodiscard]] virtual std::unique_ptr<CoordinationTransport> transport() = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<LogConsumer>> consumer(Isolation isolation) = 0;
    [[nodiscard]] virtual std::shared_ptr<Authority> authority() = 0;
    [[nodiscard]] virtual std::string topic() const = 0;
    /// A role that nobody has used in this cluster.
    [[nodiscard]] virtual Role freshRole() = 0;
    /// Whether the commits of transport() move the epoch that the coordinator describes.
    [[nodiscard]] virtual bool commitsMoveEpoch() const = 0;

    /// How long a condition may take to come true.
    [[nodiscard]] virtual Millis patience() const { return Millis{30'000}; }

    /// Writes one record to the role's partition in a transaction of another id and leaves it open.
    [[nodiscard]] virtual std::unique_ptr<OpenTransaction> openTransaction(const Role& role, std::string key,
                                                                           std::string value) = 0;

    /// Makes the coordinator forget the role's id; false when this world cannot in reasonable time.
    [[nodiscard]] virtual bool expireId(const Role&) { return false; }
};

struct WorldKind {
    std::string name;
    std::function<std::unique_ptr<World>()> make;
};

inline std::ostream& operator<<(std::ostream& out, const WorldKind& kind) {
    return out << kind.name;
}

inline std::string nameOf(const testing::TestParamInfo<WorldKind>& info) {
    return info.param.name;
}

inline MemberId member(std::string_view name) {
    return *MemberId::of(name);
}

inline Lease leaseOf(std::string_view name, FencingToken token, std::int64_t grantedAt = 1'700'000'000'000) {
    return {member(name), token, wallTime(grantedAt), wallTime(grantedAt + 30'000)};
}

/// What a reader saw of one partition.
struct Reading {
    std::vector<ConsumedRecord> records;
    std::optional<std::int64_t> end; ///< the last reachedEnd
};

class Conformance : public testing::TestWithParam<WorldKind> {
protected:
    void SetUp() override {
        world = GetParam().make();
        ASSERT_NE(world, nullptr) << "the world did not start";
    }

    std::unique_ptr<LogConsumer> openConsumer(Isolation isolation) {
        auto consumer = world->consumer(isolation);
        if (!consumer) {
            throw std::runtime_error(consumer.error().text());
        }
        return std::move(*consumer);
    }

    std::int32_t partitionOf(const Role& role) {
        const auto consumer = openConsumer(Isolation::readCommitted);
        const auto count = consumer->partitionCount(world->patience());
        EXPECT_TRUE(count) << (count ? "" : count.error().text());
        return rolePartition(role, count.value_or(1));
    }

    PartitionBounds boundsOf(std::int32_t partition, Isolation isolation) {
        const auto consumer = openConsumer(isolation);
        const auto bounds = consumer->bounds({partition}, world->patience());
        if (!bounds || bounds->size() != 1) {
            ADD_FAILURE() << "no bounds of partition " << partition
                          << (bounds ? "" : ": " + bounds.error().text());
            return {};
        }
        return bounds->front();
    }

    /// Polls until the end of the partition at or behind `end` is reported.
    Reading pollTo(LogConsumer& consumer, std::int32_t partition, std::int64_t end) {
        Reading reading;
        const auto deadline = std::chrono::steady_clock::now() + world->patience();
        while (std::chrono::steady_clock::now() < deadline && reading.end.value_or(-1) < end) {
            auto batch = consumer.poll(Millis{100}, 500);
            if (!batch) {
                ADD_FAILURE() << batch.error().text();
                return reading;
            }
            for (ConsumedRecord& record : batch->records) {
                reading.records.push_back(std::move(record));
            }
            for (const PartitionOffset& reached : batch->reachedEnd) {
                if (reached.partition == partition) {
                    reading.end = reached.offset;
                }
            }
        }
        EXPECT_GE(reading.end.value_or(-1), end) << "the end of the partition was not reached";
        return reading;
    }

    /// Everything a fresh reader sees of the partition from `from` to its end now.
    Reading readPartition(std::int32_t partition, Isolation isolation, std::int64_t from = 0) {
        const std::int64_t end = boundsOf(partition, isolation).end;
        const auto consumer = openConsumer(isolation);
        EXPECT_TRUE(consumer->assign({{partition, from}}));
        return pollTo(*consumer, partition, end);
    }

    std::vector<CoordinationEntry> recordsOf(CoordinationTransport& transport, const Role& role) {
        auto entries = transport.readRoleRecords(role);
        if (!entries) {
            ADD_FAILURE() << entries.error().text();
            return {};
        }
        return std::move(*entries);
    }

    FencingToken mint(CoordinationTransport& transport, const Role& role) {
        const auto token = transport.acquireEpoch(role);
        EXPECT_TRUE(token) << (token ? "" : token.error().text());
        return token.value_or(FencingToken::none());
    }

    std::unique_ptr<World> world;
};

class TransportConformance : public Conformance {};

class ConsumerConformance : public Conformance {};

class AuthorityConformance : public Conformance {};

} // namespace bellwether::conformance
