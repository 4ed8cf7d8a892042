// SPDX-License-Identifier: Apache-2.0
#include "ctl/explain.h"

#include <istream>
#include <iterator>
#include <ostream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "coordination/display_text.h"
#include "coordination/ids.h"
#include "ctl/exit_code.h"
#include "report/answer.h"
#include "report/case_file.h"

namespace bellwether::ctl {

namespace {

constexpr std::string_view kStandardInput = "-";

Result<CaseFile> load(const std::string& file, Terminal& terminal) {
    if (file != kStandardInput) {
        return loadCaseFile(file);
    }
    const std::string text(std::istreambuf_iterator<char>(terminal.in), {});
    return parseCaseFile(text, "standard input");
}

std::vector<const RoleView*> pointers(const std::vector<RoleView>& roles) {
    std::vector<const RoleView*> pointers;
    pointers.reserve(roles.size());
    for (const auto& role : roles) {
        pointers.push_back(&role);
    }
    return pointers;
}

/// The answer with the file's name in front.
std::string named(const std::string& answer, const std::string& file, int indent) {
    nlohmann::ordered_json object;
    object["file"] = isUtf8(file) ? file : displayText(file);
    object.update(nlohmann::ordered_json::parse(answer));
    return object.dump(indent, ' ', true); // ASCII alone: names reach a terminal
}

void print(const CaseFile& loaded, const std::string& file, bool several, Format format, std::ostream& out) {
    const CaseAnswer answer = explain(loaded);
    const auto roles = pointers(answer.roles);
    if (format == Format::text) {
        if (several) {
            out << "== " << displayText(file) << '\n';
        }
        out << answerText(roles, answer.findings, loaded.now);
        return;
    }
    const int indent = format == Format::json ? 1 : -1;
    const std::string json = answerJson(roles, answer.findings, {}, indent);
    out << (several ? named(json, file, indent) : json) << '\n';
}

} // namespace

int explainFiles(const ExplainOptions& options, Terminal& terminal) {
    int code = kOk;
    const bool several = options.files.size() > 1;
    bool first = true;
    for (const auto& file : options.files) {
        const auto loaded = load(file, terminal);
        if (!loaded) {
            complain(terminal, loaded.error());
            code = kIncomplete;
            continue;
        }
        if (!first && options.format == Format::text) {
            terminal.out << '\n';
        }
        first = false;
        print(*loaded, file, several, options.format, terminal.out);
        if (!terminal.out.flush()) {
            break;
        }
    }
    return code;
}

} // namespace bellwether::ctl
