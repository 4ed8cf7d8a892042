// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <iterator>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "coordination/time.h"
#include "report/answer.h"

namespace bellwether {

namespace {

/// A name that is more than one plain word stands in quotes, so that it cannot pass for the text around it.
std::string shown(const std::string& name) {
    const auto text = displayText(name);
    const bool plain = std::all_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return std::isalnum(byte) != 0 || byte >= 0x80 ||
               std::string_view("-_.@/+").find(c) != std::string_view::npos;
    });
    return plain ? text : "\"" + text + "\"";
}

/// Prose on one line. Names in it are escaped already, so the backslashes stay as they are.
std::string oneLine(std::string_view prose) {
    std::string line;
    while (true) {
        const auto slash = prose.find('\\');
        line += displayText(prose.substr(0, slash));
        if (slash == std::string_view::npos) {
            return line;
        }
        line += '\\';
        prose.remove_prefix(slash + 1);
    }
}

std::string fromNow(WallTime instant, WallTime now) {
    const auto left = saturatingSubtract(instant, now);
    if (left == Millis{0}) {
        return "now";
    }
    return left > Millis{0} ? "in " + durationInWords(left) : durationInWords(left) + " ago";
}

std::string instantText(WallTime instant, WallTime now) {
    return fmt::format("{} ({})", rfc3339Utc(instant), fromNow(instant, now));
}

class Page {
public:
    explicit Page(WallTime now)
        : now_(now) {}

    void role(const RoleView& view) {
        headline(view);
        line("why", oneLine(view.verdict.reason) + (view.verdict.askAgain ? " (ask again)" : ""));
        if (!view.verdict.fenced.empty()) {
            line("fenced", names(view.verdict.fenced) + ": cannot commit any more");
        }
        leases(view);
        coordinator(view.coordinator);
        roster(view);
        out_ += '\n';
    }

    void findings(const std::vector<Finding>& findings) {
        out_ += findings.empty() ? std::string("findings: none\n")
                                 : fmt::format("findings: {}\n", findings.size());
        for (const auto& finding : findings) {
            append("  partition {} offset {}: {}: {}\n", finding.position.partition, finding.position.offset,
                   oneLine(finding.part), oneLine(finding.what));
        }
    }

    std::string take() { return std::move(out_); }

private:
    template<typename... Args>
    void append(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    }

    void line(std::string_view label, std::string_view text) { append("  {:<12} {}\n", label, text); }

    static std::string names(const std::vector<MemberId>& members) {
        std::string text;
        for (const auto& member : members) {
            text += (text.empty() ? "" : ", ") + shown(member.str());
        }
        return text;
    }

    void headline(const RoleView& view) {
        const auto& verdict = view.verdict;
        std::string word(toString(verdict.kind));
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
        append("{}  {}{}", shown(view.role.str()), word, view.stale ? " (old data)" : "");
        if (verdict.holder) {
            append("  {} {}", verdict.kind == VerdictKind::inDoubt ? "presumed holder" : "holder",
                   shown(verdict.holder->str()));
            if (verdict.token) {
                append(" under {}", verdict.token->text());
            }
            out_ += verdict.writingNow ? ", writing now" : "";
        }
        if (verdict.claimant) {
            append("  claimant {}", shown(verdict.claimant->str()));
        }
        if (verdict.lastHolder) {
            append("  last holder {}", shown(verdict.lastHolder->str()));
        }
        if (verdict.expiredFor) {
            append("  expired for {}", durationInWords(*verdict.expiredFor));
        }
        out_ += '\n';
    }

    void lease(std::string_view label, const LeaseRecord& record, std::string_view note) {
        const auto& lease = record.lease;
        line(label, fmt::format("{} under {}, partition {} offset {}{}", shown(lease.member.str()),
                                lease.token.text(), record.position.partition, record.position.offset, note));
        line("  granted", instantText(lease.grantedAt, now_) + " by the holder's clock");
        line("  deadline", instantText(lease.deadline, now_) + " by the holder's clock");
    }

    void leases(const RoleView& view) {
        const auto& decisive = view.verdict.lease;
        if (decisive) {
            lease("lease", *decisive, view.verdict.leaseHidden ? ", hidden from readers until now" : "");
        }
        if (view.visibleLease && view.visibleLease != decisive) {
            lease("readers see", *view.visibleLease, "");
        }
        if (!decisive && !view.visibleLease) {
            line("lease", "none");
        }
    }

    void coordinator(const CoordinatorAnswer& answer) {
        switch (answer.kind) {
        case CoordinatorAnswer::Kind::notAsked: line("coordinator", "has not answered"); return;
        case CoordinatorAnswer::Kind::unknownId:
            line("coordinator",
                 "knows no such transactional id (error 105), as of " + instantText(answer.asOf, now_));
            return;
        case CoordinatorAnswer::Kind::failed:
            line("coordinator", (answer.error ? oneLine(answer.error->text()) : std::string("failed")) +
                                    ", as of " + instantText(answer.asOf, now_));
            return;
        case CoordinatorAnswer::Kind::described:
            line("coordinator", fmt::format("{} {}, as of {}", toString(answer.state), answer.token.text(),
                                            instantText(answer.asOf, now_)));
            return;
        }
    }

    void roster(const RoleView& view) {
        if (view.roster.empty()) {
            line("roster", "nobody is registered");
        }
        for (std::size_t i = 0; i < view.roster.size(); ++i) {
            const auto& row = view.roster[i];
            auto text = fmt::format("{}, offset {}, registered {}", shown(row.entry.member.str()),
                                    row.entry.position.offset, rfc3339Utc(row.entry.registeredAt));
            if (row.holdsLease) {
                text += ", holds the lease that readers see";
            } else if (row.rank) {
                text += fmt::format(", rank {}", *row.rank);
            }
            if (row.challengesAt) {
                text += ", challenges from " + instantText(*row.challengesAt, now_);
            }
            line(i == 0 ? "roster" : "", text);
        }
    }

    WallTime now_;
    std::string out_;
};

} // namespace

std::string answerText(const std::vector<const RoleView*>& roles, const std::vector<Finding>& findings,
                       WallTime now) {
    Page page(now);
    for (const auto* view : roles) {
        page.role(*view);
    }
    page.findings(findings);
    return page.take();
}

} // namespace bellwether
