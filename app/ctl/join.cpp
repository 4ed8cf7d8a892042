// SPDX-License-Identifier: Apache-2.0
#include "ctl/join.h"

#include <utility>

#include <fmt/format.h>

#include "ctl/duration.h"
#include "ctl/exit_code.h"
#include "ctl/member_run.h"

namespace bellwether::ctl {

namespace {

Result<Millis> duration(std::string_view option, const std::string& text) {
    auto parsed = parseDuration(text);
    if (!parsed) {
        parsed.error().where = std::string(option);
    }
    return parsed;
}

Result<MemberRunOptions> memberRunOptions(const JoinOptions& typed) {
    auto role = Role::of(typed.role);
    auto member = MemberId::of(typed.member);
    const auto lease = duration("--lease", typed.lease);
    const auto renew = duration("--renew", typed.renew);
    const auto stagger = duration("--stagger", typed.stagger);
    if (!role) {
        return fail(role.error());
    }
    if (!member) {
        return fail(member.error());
    }
    for (const auto* parsed : {&lease, &renew, &stagger}) {
        if (!*parsed) {
            return fail(parsed->error());
        }
    }
    MemberRunOptions options{std::move(*role), std::move(*member), LeaseTiming{*lease, *renew, *stagger},
                             std::nullopt,     typed.once,         !typed.noDeregister};
    if (const auto valid = validate(options.timing); !valid) {
        return fail(valid.error());
    }
    if (!typed.holdFor.empty()) {
        const auto holdFor = duration("--hold-for", typed.holdFor);
        if (!holdFor) {
            return fail(holdFor.error());
        }
        if (*holdFor < Millis{0}) {
            return fail(ErrorCode::invalidArgument, "--hold-for is negative", "command line",
                        "write for example 30s");
        }
        options.holdFor = *holdFor;
    }
    return options;
}

int exitCodeOf(MemberRunEnd end, const MemberRun& member, Terminal& terminal) {
    switch (end) {
    case MemberRunEnd::left: return kOk;
    case MemberRunEnd::lost: complain(terminal, *member.error()); return kRoleLost;
    case MemberRunEnd::leftUnclean:
    case MemberRunEnd::failed: complain(terminal, *member.error()); break;
    }
    return ctl::exitCodeOf(member.error()->code);
}

} // namespace

int joinRole(app::WorldOptions worldOptions, const JoinOptions& options, Terminal& terminal,
             std::stop_token stop) {
    const auto refuse = [&terminal](const Error& error) {
        complain(terminal, error);
        return static_cast<int>(ctl::exitCodeOf(error.code));
    };
    auto runOptions = memberRunOptions(options);
    if (!runOptions) {
        return refuse(runOptions.error());
    }
    const auto clockOffset = duration("--clock-offset", options.clockOffset);
    if (!clockOffset) {
        return refuse(clockOffset.error());
    }
    if (const auto doubt = warning(runOptions->timing)) {
        complain(terminal, "warning: " + *doubt);
    }
    worldOptions.clockOffset = *clockOffset;
    const auto world = app::openWorld(worldOptions);
    if (!world) {
        return refuse(world.error());
    }
    const auto transport = (*world)->makeTransport();
    if (!transport) {
        return refuse(transport.error());
    }
    auto sink = printEvents(terminal, options.format, runOptions->role, runOptions->member);
    MemberRun member(**transport, *(*world)->clock, std::move(*runOptions), std::move(sink));
    const MemberRunEnd end = member.run(stop);
    (*transport)->close();
    return exitCodeOf(end, member, terminal);
}

} // namespace bellwether::ctl
