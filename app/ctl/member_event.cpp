// SPDX-License-Identifier: Apache-2.0
#include "ctl/member_event.h"

#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "coordination/display_text.h"

namespace bellwether::ctl {

namespace {

std::string textLine(const MemberEvent& event, const Role& role, const MemberId& member) {
    std::string line =
        fmt::format("{} {} {} {} {}", rfc3339Utc(event.at), displayText(role.str()),
                    displayText(member.str()), event.token ? event.token->text() : "-", toString(event.kind));
    if (event.until) {
        line += fmt::format(" until {}", rfc3339Utc(*event.until));
    }
    if (!event.detail.empty()) {
        line += fmt::format(" ({})", oneLine(event.detail));
    }
    return line;
}

std::string jsonLine(const MemberEvent& event, const Role& role, const MemberId& member) {
    nlohmann::ordered_json object;
    object["time"] = rfc3339Utc(event.at);
    object["at"] = toMillis(event.at);
    object["role"] = role.str();
    object["member"] = member.str();
    object["token"] = event.token ? nlohmann::ordered_json(event.token->text()) : nlohmann::ordered_json();
    object["event"] = toString(event.kind);
    object["until"] = event.until ? nlohmann::ordered_json(toMillis(*event.until)) : nlohmann::ordered_json();
    object["detail"] = event.detail;
    // A broker's text may be no UTF-8; a replaced byte beats a lost line.
    return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

} // namespace

std::string_view toString(MemberEventKind kind) noexcept {
    switch (kind) {
    case MemberEventKind::registered: return "registered";
    case MemberEventKind::waiting: return "waiting";
    case MemberEventKind::lostRace: return "lost_race";
    case MemberEventKind::leading: return "leading";
    case MemberEventKind::renewed: return "renewed";
    case MemberEventKind::fenced: return "fenced";
    case MemberEventKind::idExpired: return "id_expired";
    case MemberEventKind::trouble: return "trouble";
    case MemberEventKind::deregistered: return "deregistered";
    case MemberEventKind::resigned: return "resigned";
    case MemberEventKind::failed: return "failed";
    }
    return "trouble";
}

MemberEventSink printEvents(Terminal& terminal, Format format, Role role, MemberId member) {
    return [&terminal, format, role = std::move(role), member = std::move(member)](const MemberEvent& event) {
        terminal.out << (format == Format::text ? textLine(event, role, member)
                                                : jsonLine(event, role, member))
                     << '\n'
                     << std::flush;
        return terminal.out.good();
    };
}

} // namespace bellwether::ctl
