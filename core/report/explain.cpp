// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "coordination/role_partition.h"
#include "coordination/verdict.h"
#include "feed/pinned_log.h"
#include "feed/role_view.h"
#include "report/case_file.h"

namespace bellwether {

namespace {

/// What the two readers of the console would have of one role: the committed fold and the rest of the log.
struct Evident {
    explicit Evident(const Role& role, std::int32_t home)
        : state(role)
        , partition(home) {}

    RoleState state;
    std::int32_t partition;
    std::vector<TailLease> tail;
    std::vector<UntrustedLease> untrusted;
};

class Explanation {
public:
    explicit Explanation(const CaseFile& file)
        : file_(file) {}

    CaseAnswer run() {
        for (const auto& [name, answer] : file_.coordinator) {
            if (const auto role = Role::of(name)) {
                evident(*role);
            }
        }
        for (const auto* record : inLogOrder()) {
            take(*record);
        }
        for (const auto& [name, role] : roles_) {
            answer_.roles.push_back(judged(role));
        }
        std::sort(answer_.roles.begin(), answer_.roles.end(), [](const RoleView& a, const RoleView& b) {
            return compareNatural(a.role.str(), b.role.str()) < 0;
        });
        return std::move(answer_);
    }

private:
    [[nodiscard]] std::vector<const CaseFile::Record*> inLogOrder() const {
        std::vector<const CaseFile::Record*> records;
        records.reserve(file_.records.size());
        for (const auto& record : file_.records) {
            records.push_back(&record);
        }
        std::sort(records.begin(), records.end(), [](const auto* a, const auto* b) {
            return std::pair(a->position.partition, a->position.offset) <
                   std::pair(b->position.partition, b->position.offset);
        });
        return records;
    }

    Evident& evident(const Role& role) {
        return roles_.try_emplace(role.str(), role, rolePartition(role, file_.partitions)).first->second;
    }

    void report(const CaseFile::Record& record, const DecodeProblem& problem) {
        answer_.findings.push_back({record.position, problem.part, problem.what});
    }

    void take(const CaseFile::Record& record) {
        const auto key = decodeKey(record.key);
        if (!key) {
            report(record, key.error());
            return;
        }
        auto& role = evident(key->role);
        if (record.position.partition != role.partition) {
            report(record,
                   {"partition", fmt::format("misplaced record: rule says partition {}", role.partition)});
            distrust(role, record, *key);
            return;
        }
        const auto decoded = decodeRecord(record.key, record.value);
        if (!decoded) {
            report(record, decoded.error());
            distrust(role, record, *key);
            return;
        }
        for (const auto& remark : decoded->remarks) {
            report(record, remark);
        }
        const bool stable = record.position.offset < lastStableOffset(role.partition);
        if (stable && record.status == CaseFile::Status::committed) {
            role.state.apply(*decoded, record.position);
        } else if (decoded->key.kind == RecordKind::lease) {
            const auto* lease = std::get_if<Lease>(&decoded->value);
            const bool aborted = stable && record.status == CaseFile::Status::aborted;
            role.tail.push_back({lease == nullptr ? std::nullopt : std::optional(*lease), record.position,
                                 aborted ? TailLease::Fate::aborted : TailLease::Fate::undecided});
        }
    }

    /// A lease that is no use as a fact may still be the newest: the verdict has to know of it.
    void distrust(Evident& role, const CaseFile::Record& record, const RecordKey& key) const {
        const bool aborted = record.status == CaseFile::Status::aborted &&
                             record.position.offset < lastStableOffset(record.position.partition);
        if (key.kind != RecordKind::lease || aborted) {
            return;
        }
        const bool misplaced = record.position.partition != role.partition;
        UntrustedLease untrusted{record.position, std::nullopt, "misplaced", misplaced};
        if (const auto decoded = decodeRecord(record.key, record.value); !decoded) {
            untrusted.why = decoded.error().part + ": " + decoded.error().what;
        } else if (const auto* lease = std::get_if<Lease>(&decoded->value)) {
            untrusted.token = lease->token;
        } else {
            return; // a misplaced tombstone releases nobody
        }
        role.untrusted.push_back(std::move(untrusted));
    }

    [[nodiscard]] std::int64_t lastStableOffset(std::int32_t partition) const {
        const auto bounds = file_.log.find(partition);
        return bounds == file_.log.end() ? 0 : bounds->second.lastStableOffset;
    }

    /// The partition's producers: those of the file, else what its open records imply.
    [[nodiscard]] std::optional<std::vector<PartitionProducer>> producersOf(std::int32_t partition) const {
        if (!file_.producers.empty()) {
            const auto told = file_.producers.find(partition);
            return told == file_.producers.end() ? std::nullopt : std::optional(told->second);
        }
        std::map<FencingToken, std::int64_t> since;
        for (const auto& record : file_.records) {
            const bool open =
                record.status == CaseFile::Status::open && record.position.partition == partition;
            if (open && record.producer) {
                const auto [entry, added] = since.try_emplace(*record.producer, record.position.offset);
                entry->second = std::min(entry->second, record.position.offset);
            }
        }
        std::vector<PartitionProducer> producers;
        for (const auto& [token, offset] : since) {
            producers.push_back({token, offset, std::nullopt});
        }
        return producers;
    }

    [[nodiscard]] std::optional<std::string> roleOf(std::int64_t producerId) const {
        for (const auto& [name, answer] : file_.coordinator) {
            if (answer.kind == CoordinatorAnswer::Kind::described && answer.token.producerId == producerId) {
                return name;
            }
        }
        return std::nullopt;
    }

    [[nodiscard]] RoleView judged(const Evident& role) const {
        Evidence evidence;
        evidence.state = &role.state;
        evidence.now = file_.now;
        evidence.tail = role.tail;
        evidence.untrusted = role.untrusted;
        evidence.producers = producersOf(role.partition);
        if (evidence.producers) {
            evidence.pinnedBy = pinnedBy(*evidence.producers, role.state.role(),
                                         [this](std::int64_t id) { return roleOf(id); });
        }
        if (const auto told = file_.coordinator.find(role.state.role().str());
            told != file_.coordinator.end()) {
            evidence.coordinator = told->second;
        }
        return makeRoleView(evidence, judge(evidence), role.partition, file_.timing);
    }

    const CaseFile& file_;
    std::map<std::string, Evident> roles_;
    CaseAnswer answer_;
};

} // namespace

CaseAnswer explain(const CaseFile& file) {
    return Explanation(file).run();
}

} // namespace bellwether
