// SPDX-License-Identifier: Apache-2.0
#include "ctl/role_table.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "ctl/terminal.h"

namespace bellwether::ctl {

namespace {

constexpr std::size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;

/// Code points, which is what a monospaced terminal counts for most scripts.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string_view colourOf(const RoleView& role) {
    if (role.stale) {
        return "90";
    }
    switch (role.verdict.kind) {
    case VerdictKind::authoritative: return "32";
    case VerdictKind::overdue:
    case VerdictKind::claimed:
    case VerdictKind::claiming: return "33";
    case VerdictKind::vacant:
    case VerdictKind::contradictory: return "31";
    case VerdictKind::inDoubt: return "34";
    case VerdictKind::unknown: break;
    }
    return "90";
}

std::string deadlineText(const RoleView& role, WallTime now) {
    const auto& lease = role.verdict.lease;
    if (!lease) {
        return "-";
    }
    const Millis left = saturatingSubtract(lease->lease.deadline, now);
    const std::string words = durationInWords(left);
    return fmt::format("{} ({})", rfc3339Utc(lease->lease.deadline),
                       left > Millis{0} ? "in " + words : "expired " + words + " ago");
}

Row rowOf(const RoleView& role, WallTime now) {
    std::string verdict(toString(role.verdict.kind));
    if (role.stale) {
        verdict += " (stale)";
    }
    return {std::move(verdict),
            displayText(role.role.str()),
            role.verdict.holder ? displayText(role.verdict.holder->str()) : "-",
            role.verdict.token ? role.verdict.token->text() : "-",
            deadlineText(role, now),
            oneLine(role.verdict.reason)};
}

std::string footer(const Snapshot& snapshot) {
    const ConnectionView& connection = snapshot.connection;
    std::string text = fmt::format(
        "{} {}, {} on {}, as of {}", snapshot.roles.size(), snapshot.roles.size() == 1 ? "role" : "roles",
        displayText(connection.topic), connection.endpoint, rfc3339Utc(snapshot.takenAt));
    if (snapshot.findingsTotal > 0) {
        text += fmt::format(", {} {} not taken at face value (-o json lists them)", snapshot.findingsTotal,
                            snapshot.findingsTotal == 1 ? "record" : "records");
    }
    return text + "\n";
}

} // namespace

std::string roleTable(const Snapshot& snapshot, bool colour) {
    std::vector<Row> rows{{"VERDICT", "ROLE", "HOLDER", "TOKEN", "DEADLINE", "REASON"}};
    for (const auto& role : snapshot.roles) {
        rows.push_back(rowOf(*role, snapshot.takenAt));
    }
    std::array<std::size_t, kColumns> widths{};
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < kColumns; ++i) {
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    std::string text;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        for (std::size_t i = 0; i < kColumns; ++i) {
            const std::string& cell = rows[r][i];
            const bool coloured = colour && r > 0 && i == 0;
            text +=
                coloured ? fmt::format("\x1b[{}m{}\x1b[0m", colourOf(*snapshot.roles[r - 1]), cell) : cell;
            if (i + 1 < kColumns) {
                text.append(widths[i] - width(cell) + 2, ' ');
            }
        }
        text += '\n';
    }
    return text + footer(snapshot);
}

} // namespace bellwether::ctl
