// SPDX-License-Identifier: Apache-2.0
#include "report/pinned_text.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "coordination/display_text.h"

namespace bellwether {

namespace {

constexpr std::size_t kMostNames = 3;

std::string namesOf(const std::vector<Role>& roles) {
    std::string text;
    const auto shown = std::min(roles.size(), kMostNames);
    for (std::size_t i = 0; i < shown; ++i) {
        text += (i == 0 ? "" : ", ") + displayText(roles[i].str());
    }
    return roles.size() > shown ? fmt::format("{} and {} more", text, roles.size() - shown) : text;
}

std::string recordsText(const PinnedLog& log) {
    if (log.records == 0) {
        return log.recordsExact ? "no record of a role waits" : "records wait";
    }
    return fmt::format("{}{} {}", log.recordsExact ? "" : "at least ", log.records,
                       log.records == 1 ? "record waits" : "records wait");
}

std::string whoOf(const OpenTransaction& open) {
    std::vector<std::string> known;
    if (open.transactionalId) {
        known.push_back("transactional id " + displayText(*open.transactionalId));
    }
    if (open.role && (!open.transactionalId || *open.transactionalId != open.role->str())) {
        known.push_back("role " + displayText(open.role->str()));
    }
    if (open.member) {
        known.push_back("member " + displayText(open.member->str()));
    }
    return known.empty() ? open.producer.text()
                         : fmt::format("{} ({})", open.producer.text(), fmt::join(known, ", "));
}

std::string endOf(const PinnedLog& log, const OpenTransaction& open, const PinnedPlace& place) {
    if (open.hanging) {
        return fmt::format("its coordinator says it is over, so no timeout ends it; this does: "
                           "kafka-transactions.sh --bootstrap-server {} abort --topic {} --partition {} "
                           "--start-offset {}",
                           place.endpoint, displayText(place.topic), log.partition, open.startOffset);
    }
    if (open.startedAt && open.timeout) {
        const auto end = saturatingAdd(*open.startedAt, *open.timeout);
        return fmt::format("the coordinator {} {}",
                           end > place.now ? "aborts it at" : "should have aborted it at",
                           place.instant(end));
    }
    if (!open.transactionalId) {
        return "no coordinator names its transactional id: it has expired, or may not be described";
    }
    return "it ends at the latest with its transaction timeout";
}

} // namespace

PinnedWords wordsOf(const PinnedLog& log, const PinnedPlace& place) {
    PinnedWords words;
    words.what = fmt::format("Partition {} is held back at offset {}: {}", log.partition,
                             log.lastStableOffset, recordsText(log));
    // Without a duration that grows: what stands still can be read and copied.
    words.since = "seen since " + place.instant(log.seenSince);
    if (log.open.empty()) {
        words.what += "; no leader says behind whom";
    } else {
        const auto& oldest = log.open.front();
        words.what += " behind " + whoOf(oldest);
        if (log.open.size() > 1) {
            words.what += fmt::format(" and {} more open {}", log.open.size() - 1,
                                      log.open.size() == 2 ? "transaction" : "transactions");
        }
        if (oldest.startedAt) {
            words.since +=
                fmt::format(", begun {} by the coordinator's clock", place.instant(*oldest.startedAt));
        } else if (oldest.firstRecordAt) {
            words.since += fmt::format(", its first record is of {}", place.instant(*oldest.firstRecordAt));
        }
        words.hint = endOf(log, oldest, place);
    }
    if (!log.hidden.empty()) {
        words.hint += fmt::format("{}members do not see the newest of {}", words.hint.empty() ? "" : "; ",
                                  namesOf(log.hidden));
    }
    if (!log.undecided.empty()) {
        words.hint += fmt::format("; not decided: {}", namesOf(log.undecided));
    }
    return words;
}

} // namespace bellwether
