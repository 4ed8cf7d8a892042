// SPDX-License-Identifier: Apache-2.0
#include "scenes.h"

#include <algorithm>
#include <limits>

#include "coordination/display_text.h"

namespace bellwether::test {

namespace {

MemberId member(const std::string& name) {
    return MemberId::of(name).value();
}

Error trouble(ErrorCode code, std::string what, std::string where, std::string hint) {
    Error error;
    error.code = code;
    error.what = std::move(what);
    error.where = std::move(where);
    error.hint = std::move(hint);
    return error;
}

LeaseRecord leaseOf(const RoleScript& script) {
    LeaseRecord record{{member(script.holder), script.token, kSceneNow - script.grantedAgo, {}}, {}};
    record.lease.deadline = saturatingAdd(record.lease.grantedAt, script.duration);
    record.position = {3, 4'711, record.lease.grantedAt, TimestampType::createTime};
    return record;
}

std::string reasonOf(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::authoritative:
        return "lease token = coordinator token; lease live; topic read to the end";
    case VerdictKind::overdue:
        return "lease token = coordinator token, but the lease ran out; a challenger may come";
    case VerdictKind::claimed: return "a later mint fenced the author of the lease; nobody has written since";
    case VerdictKind::claiming: return "node-2 writes a lease under the newer epoch since offset 4790";
    case VerdictKind::vacant:
        return "released: the newest record of the role is a lease tombstone at offset 4801";
    case VerdictKind::contradictory:
        return "the lease is newer than the coordinator: another cluster, a restored one, or a forged record";
    case VerdictKind::inDoubt:
        return "the last write was aborted, by its author or by timeout; the next renewal decides";
    case VerdictKind::unknown: break;
    }
    return "the coordinator did not answer for 31 s: connection refused (127.0.0.1:9094)";
}

Verdict verdictOf(const RoleScript& script) {
    Verdict verdict;
    verdict.kind = script.kind;
    verdict.reason = reasonOf(script.kind);
    verdict.token = script.token;
    verdict.lease = leaseOf(script);
    verdict.lastHolder = member(script.holder);
    switch (script.kind) {
    case VerdictKind::authoritative:
    case VerdictKind::overdue:
    case VerdictKind::inDoubt: verdict.holder = member(script.holder); break;
    case VerdictKind::claiming:
        verdict.claimant = member("node-2");
        verdict.fenced = {member(script.holder)};
        break;
    case VerdictKind::vacant: verdict.lease.reset(); break;
    case VerdictKind::unknown:
    case VerdictKind::claimed:
    case VerdictKind::contradictory: break;
    }
    return verdict;
}

void addMembers(RoleView& view, const RoleScript& script) {
    for (int i = 0; i < script.members; ++i) {
        const std::string name = i == 0 ? script.holder : script.memberPrefix + std::to_string(i + 1);
        RosterView row{{member(name), kSceneNow - Millis{3'600'000 - i * 61'000}, {}}, i, i == 0, {}, {}, {}};
        row.entry.position = {3, 4'711 + i * 79, row.entry.registeredAt, TimestampType::createTime};
        row.now = i == 0 ? SuccessionAction::hold : SuccessionAction::wait;
        if (i == 0 && script.kind == VerdictKind::overdue) {
            row.now = SuccessionAction::challenge;
        }
        if (i > 0) {
            row.challengesAt = saturatingAdd(leaseOf(script).lease.deadline, Millis{i * 5'000});
            row.skew = SkewBound{SkewReference::console, Millis{55 - i * 20}, std::nullopt, 12};
        } else {
            row.skew = SkewBound{SkewReference::broker, Millis{40}, Millis{-3}, 120};
        }
        view.roster.push_back(std::move(row));
    }
}

TimelineSegment segment(SegmentKind kind, Millis fromAgo, std::optional<Millis> toAgo,
                        const std::string& holder = {}) {
    TimelineSegment made;
    made.kind = kind;
    made.from = kSceneNow - fromAgo;
    if (toAgo) {
        made.to = kSceneNow - *toAgo;
    }
    if (!holder.empty()) {
        made.holder = member(holder);
        made.token = FencingToken{4242, 7};
    }
    return made;
}

} // namespace

std::shared_ptr<const RoleView> makeRole(const RoleScript& script, Millis stalenessBound) {
    RoleView view{Role::of(script.name).value(), 3, verdictOf(script), {}, {}, {}, {}, {}, {}, false, 1};
    view.coordinator.kind = CoordinatorAnswer::Kind::described;
    view.coordinator.token = script.token;
    view.coordinator.state =
        script.kind == VerdictKind::claiming ? TransactionState::ongoing : TransactionState::completeCommit;
    view.coordinator.transactionStart = kSceneNow - Millis{1'200};
    view.coordinator.asOf = kSceneNow - script.age;
    view.coordinator.askedAt = kSceneSteady - script.age - Millis{3};
    view.coordinator.answeredAt = kSceneSteady - script.age;
    if (script.kind != VerdictKind::vacant) {
        view.visibleLease = leaseOf(script);
    }
    addMembers(view, script);
    view.verdictSince = kSceneNow - script.since;
    view.topicAsOf = kSceneNow - script.age;
    view.topicAsOfSteady = kSceneSteady - script.age;
    view.stale = script.age > stalenessBound;
    return std::make_shared<const RoleView>(std::move(view));
}

std::shared_ptr<const TimelineLane> makeLane(const RoleScript& script) {
    TimelineLane lane{Role::of(script.name).value(), {}};
    lane.segments = {segment(SegmentKind::led, Millis{280'000}, Millis{172'000}, script.memberPrefix + "3"),
                     segment(SegmentKind::vacant, Millis{172'000}, Millis{141'000}),
                     segment(SegmentKind::changing, Millis{141'000}, Millis{139'000}),
                     segment(SegmentKind::led, Millis{139'000}, Millis{96'000}, script.memberPrefix + "2"),
                     segment(SegmentKind::notObserved, Millis{96'000}, Millis{70'000})};
    lane.segments.front().beganBefore = true;
    switch (script.kind) {
    case VerdictKind::authoritative:
    case VerdictKind::overdue:
        lane.segments.push_back(segment(SegmentKind::led, Millis{70'000}, std::nullopt, script.holder));
        break;
    case VerdictKind::claimed:
    case VerdictKind::claiming:
        lane.segments.push_back(segment(SegmentKind::led, Millis{70'000}, Millis{20'000}, script.holder));
        lane.segments.push_back(segment(SegmentKind::changing, Millis{20'000}, std::nullopt));
        break;
    case VerdictKind::vacant:
        lane.segments.push_back(segment(SegmentKind::vacant, Millis{70'000}, std::nullopt));
        break;
    case VerdictKind::contradictory:
        lane.segments.push_back(segment(SegmentKind::contradictory, Millis{70'000}, std::nullopt));
        break;
    case VerdictKind::inDoubt:
        lane.segments.push_back(segment(SegmentKind::inDoubt, Millis{70'000}, std::nullopt));
        break;
    case VerdictKind::unknown:
        lane.segments.push_back(segment(SegmentKind::notObserved, Millis{70'000}, std::nullopt));
        break;
    }
    return std::make_shared<const TimelineLane>(std::move(lane));
}

Snapshot emptyScene() {
    Snapshot snapshot;
    snapshot.sequence = 1;
    snapshot.takenAt = kSceneNow;
    snapshot.takenAtSteady = kSceneSteady;
    snapshot.watchingSince = kSceneNow - Millis{280'000};
    snapshot.connection.phase = ConnectionPhase::live;
    snapshot.connection.endpoint = "kafka-1.example:9092,kafka-2.example:9092";
    snapshot.connection.topic = std::string(kDefaultTopic);
    snapshot.connection.partitions = 16;
    snapshot.connection.lastGoodRead = kSceneNow - Millis{400};
    ClusterInfo cluster;
    cluster.clusterId = "4L6g3nShT-eMCtK--X86sw";
    cluster.controllerId = 1;
    cluster.brokers = {{1, "kafka-1.example", 9092, true},
                       {2, "kafka-2.example", 9092, true},
                       {3, "kafka-3.example", 9092, true}};
    cluster.transactionVersion = std::int16_t{2};
    snapshot.connection.cluster = std::move(cluster);
    return snapshot;
}

void addRole(Snapshot& snapshot, const RoleScript& script) {
    const auto at = std::lower_bound(
        snapshot.roles.begin(), snapshot.roles.end(), script.name,
        [](const auto& view, const std::string& name) { return compareNatural(view->role.str(), name) < 0; });
    const auto index = at - snapshot.roles.begin();
    snapshot.roles.insert(at, makeRole(script, snapshot.stalenessBound));
    snapshot.timeline.insert(snapshot.timeline.begin() + index, makeLane(script));
}

Snapshot calmScene() {
    Snapshot snapshot = emptyScene();
    int number = 1;
    for (const char* name :
         {"controller", "dispatcher", "compactor-2", "compactor-10", "billing", "ingest-eu-west"}) {
        RoleScript script;
        script.name = name;
        script.holder = "node-" + std::to_string(1 + number % 4);
        script.memberPrefix = "standby-";
        script.token = {4'200 + number, static_cast<std::int16_t>(number)};
        script.since = Millis{number * 97'000};
        addRole(snapshot, script);
        ++number;
    }
    return snapshot;
}

Snapshot oneRoleScene() {
    Snapshot snapshot = emptyScene();
    addRole(snapshot, {.name = "controller"});
    return snapshot;
}

Snapshot everyVerdictScene() {
    Snapshot snapshot = emptyScene();
    const std::pair<const char*, VerdictKind> cast[] = {
        {"controller", VerdictKind::authoritative}, {"dispatcher", VerdictKind::claimed},
        {"billing", VerdictKind::claiming},         {"compactor", VerdictKind::vacant},
        {"ingest", VerdictKind::overdue},           {"ledger", VerdictKind::contradictory},
        {"mailer", VerdictKind::inDoubt},           {"reports", VerdictKind::unknown}};
    for (const auto& [name, kind] : cast) {
        RoleScript script;
        script.name = name;
        script.kind = kind;
        if (kind == VerdictKind::overdue) {
            script.grantedAgo = Millis{34'000};
        }
        if (kind == VerdictKind::unknown) {
            script.age = Millis{31'000};
        }
        addRole(snapshot, script);
    }
    return snapshot;
}

Snapshot lostScene() {
    Snapshot snapshot = emptyScene();
    for (const char* name : {"controller", "dispatcher", "billing"}) {
        RoleScript script;
        script.name = name;
        script.age = Millis{42'000};
        script.grantedAgo = Millis{48'000};
        addRole(snapshot, script);
    }
    snapshot.connection.phase = ConnectionPhase::lost;
    snapshot.connection.lastGoodRead = kSceneNow - Millis{42'000};
    snapshot.connection.problem = trouble(
        ErrorCode::unreachable, "no broker answers: connection refused", "kafka-1.example:9092",
        "check that the cluster runs and that this machine may connect to it; trying again by itself");
    return snapshot;
}

Snapshot steppedScene() {
    Snapshot snapshot = calmScene();
    snapshot.clockStepped = true;
    return snapshot;
}

Snapshot absurdScene() {
    Snapshot snapshot = emptyScene();
    addRole(snapshot,
            {.name = "far-future", .token = {9'007'199'254'740'993, 32'766}, .duration = Millis::max()});
    addRole(snapshot, {.name = "long-gone", .kind = VerdictKind::overdue, .grantedAgo = Millis{1'950'000}});
    addRole(snapshot, {.name = "backwards", .kind = VerdictKind::overdue, .duration = Millis{-5'000}});
    addRole(snapshot, {.name = "before-time", .kind = VerdictKind::overdue, .duration = Millis::min()});
    addRole(snapshot, {.name = "slow", .duration = Millis{45'000}});
    return snapshot;
}

Snapshot hostileScene() {
    Snapshot snapshot = emptyScene();
    addRole(snapshot, {.name = "two\nlines\tand\rmore"});
    addRole(snapshot, {.name = "<b>bold</b> &amp; <img src=x>"});
    addRole(snapshot, {.name = "right\u202Eto\u202Dleft"});
    addRole(snapshot, {.name = "=HYPERLINK(\"http://x\")"});
    addRole(snapshot, {.name = "back\\slash \\n"});
    addRole(snapshot, {.name = std::string(249, 'w')});
    addRole(snapshot, {.name = "漢字の役割", .holder = "节点-1"});
    addRole(snapshot, {.name = "long-holder", .holder = std::string(249, 'm')});
    addRole(snapshot, {.name = "\x01\x02\x7f", .holder = "\u200b\u200d"});
    return snapshot;
}

Snapshot findingsScene() {
    Snapshot snapshot = calmScene();
    for (int i = 0; i < 40; ++i) {
        Finding finding;
        finding.position = {i % 16, 1'000 + i, kSceneNow - Millis{i * 10'000}, TimestampType::createTime};
        finding.part = i % 3 == 0 ? "key" : (i % 3 == 1 ? "lease value" : "registration value");
        finding.what = i % 2 == 0 ? "3 trailing bytes" : "version 9 is not known";
        snapshot.findings.push_back(std::move(finding));
    }
    snapshot.findingsTotal = 12'345;
    return snapshot;
}

Snapshot pinnedScene() {
    Snapshot snapshot = everyVerdictScene();
    PinnedLog waiting;
    waiting.partition = 3;
    waiting.lastStableOffset = 4'790;
    waiting.highWatermark = 4'812;
    waiting.records = 17;
    waiting.seenSince = kSceneNow - Millis{21'000};
    OpenTransaction open;
    open.producer = {4'242, 7};
    open.startOffset = 4'790;
    open.transactionalId = "scheduler";
    open.role = Role::of("scheduler").value();
    open.member = member("node-2");
    open.startedAt = kSceneNow - Millis{24'000};
    open.timeout = Millis{60'000};
    waiting.open = {open};
    waiting.hidden = {Role::of("scheduler").value(), Role::of("ingest").value()};
    waiting.undecided = {Role::of("ingest").value()};
    PinnedLog hanging = waiting;
    hanging.partition = 11;
    hanging.undecided.clear();
    hanging.hidden = {Role::of("reports").value()};
    hanging.seenSince = kSceneNow - Millis{3'600'000};
    hanging.open[0].transactionalId = "billing-sink-3";
    hanging.open[0].role.reset();
    hanging.open[0].member.reset();
    hanging.open[0].startedAt.reset();
    hanging.open[0].firstRecordAt = kSceneNow - Millis{7'200'000};
    hanging.open[0].hanging = true;
    snapshot.pinned = {waiting, hanging};
    return snapshot;
}

Snapshot manyScene(int roles, int members) {
    Snapshot snapshot = emptyScene();
    RoleScript script;
    script.members = members;
    for (int i = 0; i < roles; ++i) {
        script.name = "role-" + std::to_string(i);
        script.kind = i % 4'999 == 17 ? VerdictKind::vacant : VerdictKind::authoritative;
        script.holder = "node-" + std::to_string(i % 7);
        script.memberPrefix = "standby-";
        script.token = {1'000 + i, static_cast<std::int16_t>(i % 100)};
        snapshot.roles.push_back(makeRole(script));
        snapshot.timeline.push_back(makeLane(script));
    }
    return snapshot;
}

Snapshot connectingScene() {
    Snapshot snapshot = emptyScene();
    snapshot.connection.phase = ConnectionPhase::connecting;
    snapshot.connection.cluster.reset();
    snapshot.connection.lastGoodRead.reset();
    return snapshot;
}

Snapshot cannotConnectScene() {
    Snapshot snapshot = connectingScene();
    snapshot.connection.problem =
        trouble(ErrorCode::unreachable, "the peer answers with TLS on a plain connection",
                "kafka-1.example:9093", "set -X security.protocol=SSL, or use the plain port");
    return snapshot;
}

Snapshot noTopicScene() {
    Snapshot snapshot = emptyScene();
    snapshot.connection.problem =
        trouble(ErrorCode::topicMissing, "the coordination topic does not exist", std::string(kDefaultTopic),
                "start a member, or name another topic with --topic");
    snapshot.connection.phase = ConnectionPhase::degraded;
    return snapshot;
}

Snapshot readingScene() {
    Snapshot snapshot = emptyScene();
    snapshot.connection.phase = ConnectionPhase::reading;
    snapshot.connection.recordsRead = 1'234'567;
    snapshot.connection.recordsKnown = 2'000'000;
    return snapshot;
}

} // namespace bellwether::test
