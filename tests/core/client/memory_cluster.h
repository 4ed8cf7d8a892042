// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ports/transport.h"

namespace bellwether::test {

/// One partition and one transaction coordinator in memory: a mint moves the epoch, a write under any other
/// token than the newest is fenced.
struct MemoryCluster {
    std::vector<CoordinationEntry> log;
    std::map<std::string, FencingToken> epochs;
    std::int64_t readableTo = -1; ///< offsets at or above it are hidden; -1: all can be read

    void append(RecordKey key, std::variant<std::monostate, Registration, Lease> value) {
        RecordPosition position;
        position.offset = static_cast<std::int64_t>(log.size());
        log.push_back({{std::move(key), std::move(value), {}}, position});
    }

    FencingToken mint(const Role& role) {
        auto [at, fresh] = epochs.try_emplace(role.str(), FencingToken{4242, 0});
        if (!fresh) {
            ++at->second.producerEpoch;
        }
        return at->second;
    }

    [[nodiscard]] bool accepts(const Role& role, FencingToken token) const {
        const auto at = epochs.find(role.str());
        return at != epochs.end() && at->second == token;
    }

    void registerMember(const Role& role, const Registration& registration) {
        append({RecordKind::registration, role, registration.member}, registration);
    }

    void deregister(const Role& role, const MemberId& member) {
        append({RecordKind::registration, role, member}, std::monostate{});
    }

    void writeLease(const Role& role, const Lease& lease) {
        append({RecordKind::lease, role, std::nullopt}, lease);
    }

    /// Another member takes the role: mints and writes its lease.
    Lease lead(const Role& role, const MemberId& member, WallTime grantedAt, Millis duration) {
        Lease lease{member, mint(role), grantedAt, saturatingAdd(grantedAt, duration)};
        writeLease(role, lease);
        return lease;
    }

    [[nodiscard]] const CoordinationEntry& last() const { return log.back(); }

    [[nodiscard]] const Lease* lastLease() const { return std::get_if<Lease>(&log.back().record.value); }
};

/// A member's transport to it. `calls` is the order of what was asked; `failures` are handed out once each,
/// by call.
class MemoryTransport final : public CoordinationTransport {
public:
    explicit MemoryTransport(MemoryCluster& cluster)
        : cluster_(cluster) {}

    Result<FencingToken> acquireEpoch(const Role& role) override {
        if (auto error = called("mint")) {
            return fail(*error);
        }
        const FencingToken token = cluster_.mint(role);
        if (afterMint) {
            afterMint();
        }
        return token;
    }

    Result<std::vector<CoordinationEntry>> readRoleRecords(const Role& role) override {
        if (auto error = called("read")) {
            return fail(*error);
        }
        std::vector<CoordinationEntry> entries;
        for (const auto& entry : cluster_.log) {
            const bool hidden = cluster_.readableTo >= 0 && entry.position.offset >= cluster_.readableTo;
            if (entry.record.key.role == role && !hidden) {
                entries.push_back(entry);
            }
        }
        return entries;
    }

    Result<void> registerMember(const Role& role, const Registration& registration) override {
        if (auto error = called("register")) {
            return fail(*error);
        }
        cluster_.registerMember(role, registration);
        return {};
    }

    Result<void> deregisterMember(const Role& role, const MemberId& member) override {
        if (auto error = called("deregister")) {
            return fail(*error);
        }
        cluster_.deregister(role, member);
        return {};
    }

    Result<void> writeLease(const Role& role, FencingToken token, const Lease& lease) override {
        if (auto error = called("write")) {
            return fail(*error);
        }
        if (!cluster_.accepts(role, token)) {
            return fail(fence());
        }
        cluster_.writeLease(role, lease);
        return {};
    }

    Result<void> clearLease(const Role& role, FencingToken token) override {
        if (auto error = called("clear")) {
            return fail(*error);
        }
        if (!cluster_.accepts(role, token)) {
            return fail(fence());
        }
        cluster_.append({RecordKind::lease, role, std::nullopt}, std::monostate{});
        return {};
    }

    Result<std::optional<FencingToken>> describe(const Role& role) override {
        const auto at = cluster_.epochs.find(role.str());
        return at == cluster_.epochs.end() ? std::nullopt : std::optional(at->second);
    }

    void close() override {}

    static Error error(ErrorCode code, bool retriable) {
        Error error;
        error.code = code;
        error.what = "injected";
        error.retriable = retriable;
        return error;
    }

    static Error fence() {
        Error error = MemoryTransport::error(ErrorCode::fenced, false);
        error.fenced = true;
        error.kafkaCode = 47;
        return error;
    }

    void failNext(const std::string& call, Error error) { failures_[call].emplace_back(std::move(error)); }

    /// The next such call works; failures given after this one come after it.
    void passNext(const std::string& call) { failures_[call].emplace_back(std::nullopt); }

    std::vector<std::string> calls;
    std::function<void()> afterMint; ///< what others do between this member's mint and its write

private:
    std::optional<Error> called(const std::string& call) {
        calls.push_back(call);
        auto& waiting = failures_[call];
        if (waiting.empty()) {
            return std::nullopt;
        }
        std::optional<Error> next = waiting.front();
        waiting.erase(waiting.begin());
        return next;
    }

    MemoryCluster& cluster_;
    std::map<std::string, std::vector<std::optional<Error>>> failures_;
};

} // namespace bellwether::test
