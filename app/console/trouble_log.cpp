// SPDX-License-Identifier: GPL-3.0-or-later
#include "trouble_log.h"

#include <algorithm>

#include <fmt/format.h>

#include "ui/format/display.h"

namespace bellwether::console {

TroubleLog::TroubleLog(Writer writer)
    : writer_(std::move(writer)) {}

void TroubleLog::note(const Snapshot& snapshot) {
    const auto& now = snapshot.connection.problem;
    if (now) {
        std::string text = ui::sentence(now->text()).toStdString();
        if (said_.size() < kMostFindings && said_.insert(text).second) {
            writer_("bellwether: " + text);
        }
    } else if (!said_.empty()) {
        said_.clear();
        writer_("bellwether: the trouble is over");
    }
    noteFindings(snapshot);
}

void TroubleLog::noteFindings(const Snapshot& snapshot) {
    const std::uint64_t fresh = snapshot.findingsTotal - std::min(findingsSeen_, snapshot.findingsTotal);
    findingsSeen_ = snapshot.findingsTotal;
    const std::size_t count = std::min<std::size_t>(fresh, snapshot.findings.size());
    for (std::size_t i = snapshot.findings.size() - count; i < snapshot.findings.size(); ++i) {
        if (findingsWritten_ > kMostFindings) {
            return;
        }
        if (++findingsWritten_ > kMostFindings) {
            writer_("bellwether: more findings are in the window");
            return;
        }
        const Finding& finding = snapshot.findings[i];
        const std::string what = ui::sentence(finding.what).toStdString();
        writer_(fmt::format(
            "bellwether: a record is not taken at face value: {}: {} ({}[{}]@{}): see the findings",
            finding.part, what, snapshot.connection.topic, finding.position.partition,
            finding.position.offset));
    }
}

} // namespace bellwether::console
