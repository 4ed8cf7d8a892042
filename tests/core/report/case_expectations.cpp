// SPDX-License-Identifier: Apache-2.0
#include "case_expectations.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>

#include "coordination/display_text.h"
#include "coordination/record_codec.h"
#include "report/answer.h"

namespace bellwether::testing_support {

namespace {

using Json = nlohmann::json;

class Check {
public:
    Check(const Json& answer, const CaseFile& file)
        : answer_(answer)
        , file_(file) {}

    void role(const std::string& name, const Json& expect) {
        role_ = name;
        const auto& roles = answer_.at("roles");
        const auto found = std::find_if(roles.begin(), roles.end(),
                                        [&name](const Json& role) { return role.at("role") == name; });
        if (found == roles.end()) {
            miss("the role", "an answer", nullptr);
            return;
        }
        const auto& said = *found;
        const auto allowed = expect.value("allowed", Json::array());
        const bool otherwise = std::find(allowed.begin(), allowed.end(), said.at("verdict")) != allowed.end();
        if (!otherwise) {
            same("verdict", expect.at("verdict"), said.at("verdict"));
        }
        for (const auto& [member, wanted] : expect.items()) {
            const bool goesWithTheVerdict = member != "allowed" && member != "never" && member != "verdict";
            if (member == "never") {
                never(wanted, said);
            } else if (goesWithTheVerdict && !(otherwise && said.at("verdict") != expect.at("verdict"))) {
                detail(member, wanted, said);
            }
        }
    }

    void findings(const Json& expect) {
        role_.clear();
        std::set<std::pair<Json, Json>> wanted;
        std::set<std::pair<Json, Json>> said;
        for (const auto& finding : expect) {
            wanted.emplace(finding.at("partition"), finding.at("offset"));
            for (const auto& [member, value] : finding.items()) {
                if (member != "partition" && member != "offset") {
                    miss("findings." + member, "a member that this test knows", value);
                }
            }
        }
        for (const auto& finding : answer_.at("findings")) {
            said.emplace(finding.at("partition"), finding.at("offset"));
            if (finding.at("part").get<std::string>().empty() ||
                finding.at("what").get<std::string>().empty()) {
                miss("a finding", "part and what", finding);
            }
        }
        if (wanted != said) {
            miss("findings", expect.dump(), answer_.at("findings"));
        }
    }

    [[nodiscard]] std::vector<std::string> lines() && { return std::move(lines_); }

private:
    void miss(const std::string& member, const std::string& wanted, const Json& said) {
        lines_.push_back(role_ + " " + member + ": wanted " + wanted + ", the answer says " + said.dump());
    }

    void same(const std::string& member, const Json& wanted, const Json& said) {
        if (wanted != said) {
            miss(member, wanted.dump(), said);
        }
    }

    void never(const Json& wanted, const Json& said) {
        for (const auto& word : wanted) {
            if (said.at("holder") == word || said.at("verdict") == word) {
                miss("never", "neither holder nor verdict " + word.dump(), said);
            }
        }
    }

    void detail(const std::string& member, const Json& wanted, const Json& said) {
        if (member == "holder" || member == "token" || member == "claimant" || member == "lastHolder" ||
            member == "expiredForMs") {
            same(member, wanted, said.at(member));
        } else if (member == "fenced") {
            same(member, sorted(wanted), sorted(said.at("fenced")));
        } else if (member == "lease") {
            for (const auto& [field, value] : wanted.items()) {
                const auto& lease = said.at("lease");
                same("lease." + field, value,
                     lease.is_object() && lease.contains(field) ? lease.at(field) : Json());
            }
        } else if (member == "roster") {
            auto roster = Json::array();
            for (const auto& row : said.at("roster")) {
                roster.push_back({row.at("member"), row.at("offset")});
            }
            same(member, wanted, roster);
        } else if (member == "rosterSize") {
            same(member, wanted, said.at("roster").size());
        } else if (member == "rank" || member == "challengesAt") {
            for (const auto& [name, value] : wanted.items()) {
                same(member + " of " + name, value, rosterMember(said, name, member));
            }
        } else if (member == "exportsRoundTrip") {
            same(member, wanted, namesRoundTrip(said));
        } else {
            miss(member, "a member that this test knows", wanted);
        }
    }

    static Json sorted(Json array) {
        std::sort(array.begin(), array.end());
        return array;
    }

    static Json rosterMember(const Json& said, const std::string& name, const std::string& member) {
        for (const auto& row : said.at("roster")) {
            if (row.at("member") == name) {
                return row.at(member);
            }
        }
        return "not in the roster";
    }

    /// The names of the export are, byte for byte, those of the record keys, and so is their escaped text.
    [[nodiscard]] bool namesRoundTrip(const Json& said) const {
        std::set<std::string> wanted;
        for (const auto& record : file_.records) {
            const auto key = decodeKey(record.key);
            if (key && key->member && key->role.str() == role_) {
                wanted.insert(key->member->str());
            }
        }
        std::set<std::string> names;
        for (const auto& row : said.at("roster")) {
            names.insert(row.at("member").get<std::string>());
        }
        const bool text = std::all_of(names.begin(), names.end(), [](const std::string& name) {
            return fromDisplayText(displayText(name)) == name;
        });
        return !wanted.empty() && names == wanted && text && said.at("role") == role_;
    }

    const Json& answer_;
    const CaseFile& file_;
    std::string role_;
    std::vector<std::string> lines_;
};

} // namespace

std::vector<std::filesystem::path> caseFiles() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BELLWETHER_TEST_DATA) + "/cases")) {
        const auto name = entry.path().filename().string();
        if (name.starts_with("C") && name.ends_with(".json")) {
            files.push_back(entry.path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

std::string contentOf(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) {
        throw std::runtime_error(path.string() + " cannot be opened");
    }
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

Json exported(const CaseAnswer& answer) {
    std::vector<const RoleView*> roles;
    for (const auto& role : answer.roles) {
        roles.push_back(&role);
    }
    return Json::parse(answerJson(roles, answer.findings));
}

std::vector<std::string> unmet(const Json& expect, const Json& answer, const CaseFile& file) {
    Check check(answer, file);
    auto findings = Json::array();
    for (const auto& [name, value] : expect.items()) {
        if (name == "findings" && value.is_array()) {
            findings = value;
        } else {
            check.role(name, value);
        }
    }
    check.findings(findings);
    return std::move(check).lines();
}

} // namespace bellwether::testing_support
