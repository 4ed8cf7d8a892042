// SPDX-License-Identifier: Apache-2.0
#include "ctl/live_roles.h"

#include <algorithm>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "ctl/exit_code.h"
#include "ctl/role_table.h"
#include "ctl/settled_snapshot.h"
#include "feed/role_feed.h"
#include "report/answer.h"
#include "report/pinned_text.h"
#include "world.h"

namespace bellwether::ctl {

namespace {

using Roles = std::vector<std::shared_ptr<const RoleView>>;

/// By the name's own bytes first, then as people see and copy it.
Roles::const_iterator findRole(const Roles& roles, const std::string& name) {
    const auto named = [&roles](const std::string& bytes) {
        return std::find_if(roles.begin(), roles.end(),
                            [&](const auto& role) { return role->role.str() == bytes; });
    };
    const auto exact = named(name);
    return exact != roles.end() ? exact : named(fromDisplayText(name));
}

void print(const Snapshot& snapshot, const Roles& roles, const LiveRolesOptions& options,
           Terminal& terminal) {
    std::vector<const RoleView*> views;
    for (const auto& role : roles) {
        views.push_back(role.get());
    }
    std::vector<Finding> findings = snapshot.findings;
    if (options.role) {
        // A finding names a partition, not a role: those of other partitions cannot concern this one.
        std::erase_if(findings,
                      [&](const Finding& f) { return f.position.partition != views.front()->partition; });
    }
    auto pinned = snapshot.pinned;
    if (options.role) {
        std::erase_if(pinned,
                      [&](const PinnedLog& log) { return log.partition != views.front()->partition; });
    }
    if (options.format != Format::text) {
        terminal.out << answerJson(views, findings, pinned, options.format == Format::json ? 1 : -1) << '\n';
    } else if (options.role) {
        terminal.out << answerText(views, findings, snapshot.takenAt);
    } else {
        terminal.out << roleTable(snapshot, terminal.colour);
    }
    if (options.format == Format::text) {
        const PinnedPlace place{snapshot.connection.endpoint, snapshot.connection.topic, snapshot.takenAt,
                                rfc3339Utc};
        for (const auto& log : pinned) {
            const auto words = wordsOf(log, place);
            terminal.out << fmt::format("\n{}\n  {}\n  {}\n", words.what, words.since, words.hint);
        }
    }
    terminal.out.flush();
}

/// Why the answer is not whole, and the code for it; kOk when it is.
int judgeWhole(const Snapshot& snapshot, const Roles& roles, Terminal& terminal) {
    if (snapshot.connection.phase != ConnectionPhase::live) {
        const std::string how = fmt::format("the answer is incomplete, the connection is {}",
                                            toString(snapshot.connection.phase));
        complain(terminal,
                 snapshot.connection.problem ? how + ": " + snapshot.connection.problem->text() : how);
        return kIncomplete;
    }
    const auto unknown = std::count_if(roles.begin(), roles.end(), [](const auto& role) {
        return role->stale || role->verdict.kind == VerdictKind::unknown;
    });
    if (unknown > 0) {
        complain(terminal,
                 fmt::format("the answer is incomplete: {} of {} roles could not be judged; the reason of "
                             "each says why",
                             unknown, roles.size()));
        return kIncomplete;
    }
    return kOk;
}

} // namespace

int printSnapshot(const Snapshot& snapshot, const LiveRolesOptions& options, Terminal& terminal) {
    const ConnectionView& connection = snapshot.connection;
    if (!connection.lastGoodRead) {
        if (connection.problem) {
            complain(terminal, *connection.problem);
            return exitCodeOf(connection.problem->code) == kUsage ? kUsage : kCluster;
        }
        complain(terminal,
                 fmt::format(
                     "no answer within {} ({}, topic {}): see that a broker listens there, or give a longer "
                     "--timeout",
                     durationInWords(options.timeout), connection.endpoint, displayText(connection.topic)));
        return kCluster;
    }
    Roles roles = snapshot.roles;
    if (options.role) {
        const auto found = findRole(roles, *options.role);
        if (found == roles.end()) {
            complain(terminal,
                     fmt::format("no record of role {} (topic {} on {}): `bellwetherctl roles` lists the "
                                 "roles that have any",
                                 displayText(*options.role), displayText(connection.topic),
                                 connection.endpoint));
            return kIncomplete;
        }
        roles = Roles{*found};
    }
    print(snapshot, roles, options, terminal);
    return judgeWhole(snapshot, roles, terminal);
}

int showLiveRoles(app::World& world, const LiveRolesOptions& options, Terminal& terminal,
                  std::stop_token stop) {
    FeedOptions feedOptions;
    feedOptions.endpoint = world.endpoint;
    feedOptions.topic = world.topic;
    // Below the time for the whole answer, so that a question that got none can be told.
    feedOptions.requestTimeout = std::min(feedOptions.requestTimeout, options.timeout / 2);
    RoleFeed feed(feedOptions, world.consumers, world.authority, world.clock);
    feed.start();
    const auto snapshot =
        waitForSettled(feed, {options.timeout, WaitForSettled{}.patience, world.rolesToCome}, stop);
    feed.stop();
    if (stop.stop_requested()) {
        return kInterrupted;
    }
    return printSnapshot(*snapshot, options, terminal);
}

} // namespace bellwether::ctl
