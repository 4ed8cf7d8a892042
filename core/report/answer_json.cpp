// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "coordination/time.h"
#include "report/answer.h"

namespace bellwether {

namespace {

using Json = nlohmann::ordered_json;

Json nameOrNull(const std::optional<MemberId>& member) {
    return member ? Json(member->str()) : Json(nullptr);
}

Json instantOrNull(const std::optional<WallTime>& instant) {
    return instant ? Json(toMillis(*instant)) : Json(nullptr);
}

Json millisOrNull(const std::optional<Millis>& duration) {
    return duration ? Json(duration->count()) : Json(nullptr);
}

Json leaseJson(const std::optional<LeaseRecord>& record) {
    if (!record) {
        return nullptr;
    }
    return {{"member", record->lease.member.str()},           {"token", record->lease.token.text()},
            {"grantedAt", toMillis(record->lease.grantedAt)}, {"deadline", toMillis(record->lease.deadline)},
            {"partition", record->position.partition},        {"offset", record->position.offset}};
}

Json coordinatorJson(const CoordinatorAnswer& answer) {
    constexpr int kTransactionalIdNotFound = 105;
    if (answer.kind == CoordinatorAnswer::Kind::notAsked) {
        return nullptr;
    }
    const bool described = answer.kind == CoordinatorAnswer::Kind::described;
    Json json{{"state", nullptr},         {"producerId", nullptr},
              {"producerEpoch", nullptr}, {"asOf", toMillis(answer.asOf)},
              {"error", nullptr},         {"problem", nullptr}};
    if (described) {
        json["state"] = std::string(toString(answer.state));
        json["producerId"] = answer.token.producerId;
        json["producerEpoch"] = answer.token.producerEpoch;
    } else if (answer.kind == CoordinatorAnswer::Kind::unknownId) {
        json["error"] = kTransactionalIdNotFound;
    } else if (answer.error) {
        json["error"] = answer.error->kafkaCode == 0 ? Json(nullptr) : Json(answer.error->kafkaCode);
        json["problem"] = answer.error->text();
    }
    return json;
}

Json skewJson(const std::optional<SkewBound>& skew) {
    if (!skew) {
        return nullptr;
    }
    return {{"reference", std::string(toString(skew->reference))},
            {"upperBoundMs", skew->upperBound.count()},
            {"lowerBoundMs", millisOrNull(skew->lowerBound)},
            {"samples", skew->samples}};
}

Json rosterJson(const std::vector<RosterView>& roster) {
    auto json = Json::array();
    for (const auto& row : roster) {
        json.push_back({{"member", row.entry.member.str()},
                        {"offset", row.entry.position.offset},
                        {"rank", row.rank ? Json(*row.rank) : Json(nullptr)},
                        {"registeredAt", toMillis(row.entry.registeredAt)},
                        {"challengesAt", instantOrNull(row.challengesAt)},
                        {"holdsLease", row.holdsLease},
                        {"now", std::string(toString(row.now))},
                        {"skew", skewJson(row.skew)}});
    }
    return json;
}

Json roleJson(const RoleView& view) {
    const auto& verdict = view.verdict;
    auto fenced = Json::array();
    for (const auto& member : verdict.fenced) {
        fenced.push_back(member.str());
    }
    return {{"role", view.role.str()},
            {"verdict", std::string(toString(verdict.kind))},
            {"row", std::string(toString(verdict.row))},
            {"reason", verdict.reason},
            {"holder", nameOrNull(verdict.holder)},
            {"token", verdict.token ? Json(verdict.token->text()) : Json(nullptr)},
            {"claimant", nameOrNull(verdict.claimant)},
            {"fenced", std::move(fenced)},
            {"lastHolder", nameOrNull(verdict.lastHolder)},
            {"lease", leaseJson(verdict.lease)},
            {"leaseHidden", verdict.leaseHidden},
            {"visibleLease", leaseJson(view.visibleLease)},
            {"expiredForMs", millisOrNull(verdict.expiredFor)},
            {"writingNow", verdict.writingNow},
            {"askAgain", verdict.askAgain},
            {"coordinator", coordinatorJson(view.coordinator)},
            {"roster", rosterJson(view.roster)},
            {"partition", view.partition},
            {"topicAsOf", toMillis(view.topicAsOf)},
            {"stale", view.stale},
            {"since", instantOrNull(view.verdictSince)}};
}

Json namesJson(const std::vector<Role>& roles) {
    Json names = Json::array();
    for (const auto& role : roles) {
        names.push_back(role.str());
    }
    return names;
}

Json openJson(const OpenTransaction& open) {
    return {{"producerId", open.producer.producerId},
            {"producerEpoch", open.producer.producerEpoch},
            {"startOffset", open.startOffset},
            {"transactionalId", open.transactionalId ? Json(*open.transactionalId) : Json(nullptr)},
            {"role", open.role ? Json(open.role->str()) : Json(nullptr)},
            {"member", nameOrNull(open.member)},
            {"startedAt", instantOrNull(open.startedAt)},
            {"firstRecordAt", instantOrNull(open.firstRecordAt)},
            {"timeoutMs", millisOrNull(open.timeout)},
            {"hanging", open.hanging}};
}

Json pinnedJson(const PinnedLog& log) {
    Json open = Json::array();
    for (const auto& each : log.open) {
        open.push_back(openJson(each));
    }
    return {{"partition", log.partition},
            {"lastStableOffset", log.lastStableOffset},
            {"highWatermark", log.highWatermark},
            {"records", log.records},
            {"recordsExact", log.recordsExact},
            {"seenSince", toMillis(log.seenSince)},
            {"open", std::move(open)},
            {"hidden", namesJson(log.hidden)},
            {"undecided", namesJson(log.undecided)}};
}

} // namespace

std::string answerJson(const std::vector<const RoleView*>& roles, const std::vector<Finding>& findings,
                       const std::vector<PinnedLog>& pinned, int indent) {
    Json answer{{"roles", Json::array()}, {"findings", Json::array()}, {"pinned", Json::array()}};
    for (const auto& log : pinned) {
        answer["pinned"].push_back(pinnedJson(log));
    }
    for (const auto* view : roles) {
        answer["roles"].push_back(roleJson(*view));
    }
    for (const auto& finding : findings) {
        answer["findings"].push_back({{"partition", finding.position.partition},
                                      {"offset", finding.position.offset},
                                      {"part", finding.part},
                                      {"what", finding.what}});
    }
    // Names are data: written in ASCII they cannot steer a terminal, and every reader gets the same code
    // points. A broker's own error text can hold anything, also bytes that are no UTF-8.
    return answer.dump(indent, ' ', true, Json::error_handler_t::replace);
}

} // namespace bellwether
