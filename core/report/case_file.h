// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coordination/evidence.h"
#include "coordination/lease_timing.h"
#include "feed/snapshot.h"

namespace bellwether {

/// A log of a few partitions, the coordinators' answers and a wall time: what a test case and a capture of a
/// live cluster have in common. The form is described in docs/capture-format.md.
struct CaseFile {
    enum class Status {
        committed, ///< also non-transactional writes
        open,
        aborted,
        undecided, ///< captures: at or above the last stable offset, fate not known
    };

    struct Record {
        RecordPosition position;
        std::optional<std::string> key;   ///< bytes
        std::optional<std::string> value; ///< bytes
        Status status = Status::committed;
        std::optional<FencingToken> producer;
    };

    struct LogBounds {
        std::int64_t lastStableOffset = 0;
        std::int64_t highWatermark = 0;
    };

    std::string id;
    std::string title;
    std::string topic{kDefaultTopic};
    std::int32_t partitions = 1;
    LeaseTiming timing;
    WallTime now{};
    std::map<std::int32_t, LogBounds> log;
    std::vector<Record> records;
    std::map<std::string, CoordinatorAnswer> coordinator; ///< by role name (bytes)
    /// By partition; optional in the file. Without it producers are derived from open records.
    std::map<std::int32_t, std::vector<PartitionProducer>> producers;
};

/// Errors name the file, the JSON path and what was expected. Unknown members are ignored.
[[nodiscard]] Result<CaseFile> parseCaseFile(std::string_view json, std::string_view nameForErrors);
[[nodiscard]] Result<CaseFile> loadCaseFile(const std::filesystem::path& path);

/// What the console would say of the file's roles: the same decode, fold and judge as for a live cluster.
struct CaseAnswer {
    std::vector<RoleView> roles; ///< in natural order of names
    std::vector<Finding> findings;
};

[[nodiscard]] CaseAnswer explain(const CaseFile& file);

} // namespace bellwether
