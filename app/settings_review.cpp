// SPDX-License-Identifier: Apache-2.0
#include "settings_review.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "settings/stores.h"

namespace bellwether::app {

namespace {

constexpr std::array<std::string_view, 9> kOfTls{
    "ssl.ca.location",       "ssl.ca.pem",       "ssl.certificate.location",
    "ssl.certificate.pem",   "ssl.key.location", "ssl.key.pem",
    "ssl.keystore.location", "ssl.crl.location", "ssl.key.password"};

constexpr std::array<std::string_view, 7> kOfLogin{"sasl.username",
                                                   "sasl.password",
                                                   "sasl.oauthbearer.client.id",
                                                   "sasl.oauthbearer.client.secret",
                                                   "sasl.oauthbearer.token.endpoint.url",
                                                   "sasl.oauthbearer.config",
                                                   "sasl.kerberos.keytab"};

constexpr auto kRelogin = "sasl.kerberos.min.time.before.relogin";
constexpr auto kFirstWait = "reconnect.backoff.ms";
constexpr auto kLongestWait = "reconnect.backoff.max.ms";

class Review {
public:
    Review(ClusterSettings& settings, const std::map<std::string, std::string>& where)
        : settings_(settings)
        , where_(where)
        , protocol_(word(valueOf("security.protocol"))) {}

    Result<void> run() {
        const bool encrypts = protocol_.ends_with("ssl");
        if (!encrypts) {
            ineffective(kOfTls, "the connection is not encrypted", "SSL or SASL_SSL");
        }
        if (!protocol_.starts_with("sasl")) {
            ineffective(kOfLogin, "nobody logs in", "SASL_SSL");
        } else {
            ticket();
        }
        waits();
        return encrypts ? keyStore() : Result<void>{};
    }

private:
    static std::string word(std::string text) {
        std::erase_if(text, [](unsigned char c) { return std::isspace(c) != 0; });
        std::transform(text.begin(), text.end(), text.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        return text;
    }

    [[nodiscard]] std::string valueOf(const std::string& name) const {
        const auto found = settings_.properties.find(name);
        return found == settings_.properties.end() ? std::string{} : found->second;
    }

    [[nodiscard]] std::string whereIs(const std::string& name) const {
        const auto found = where_.find(name);
        return found == where_.end() ? std::string{} : found->second;
    }

    [[nodiscard]] long long numberOf(const std::string& name) const {
        const auto text = valueOf(name);
        long long number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }

    void note(std::string what, std::string where, std::string hint) {
        Error note;
        note.code = ErrorCode::invalidArgument;
        note.what = std::move(what);
        note.where = std::move(where);
        note.hint = std::move(hint);
        settings_.notes.push_back(std::move(note));
    }

    template<typename Names>
    void ineffective(const Names& names, std::string_view why, std::string_view instead) {
        std::vector<std::string> set;
        for (const auto name : names) {
            if (!valueOf(std::string(name)).empty()) {
                set.emplace_back(name);
            }
        }
        if (set.empty()) {
            return;
        }
        const auto said = protocol_.empty() ? std::string("security.protocol is not set")
                                            : fmt::format("security.protocol is {}", protocol_);
        note(fmt::format("{} {} no effect, {}: {}", fmt::join(set, ", "), set.size() == 1 ? "has" : "have",
                         why, said),
             whereIs(protocol_.empty() ? set.front() : "security.protocol"),
             fmt::format("if that is not meant, set security.protocol={}", instead));
    }

    /// librdkafka runs kinit with a keytab, and makes no handle where it has none to name; the ticket that is
    /// there already does without.
    void ticket() {
        const auto mechanism = valueOf("sasl.mechanisms");
        if ((!mechanism.empty() && mechanism != "GSSAPI") || !valueOf("sasl.kerberos.keytab").empty() ||
            !valueOf("sasl.kerberos.kinit.cmd").empty()) {
            return;
        }
        if (numberOf(kRelogin) != 0) {
            note(fmt::format("{} is ignored: without a keytab the ticket is used that is there", kRelogin),
                 whereIs(kRelogin), "keep the ticket fresh with kinit, or name sasl.kerberos.keytab");
        }
        settings_.properties[kRelogin] = "0";
    }

    /// As Java does: the first wait goes before the longest.
    void waits() {
        if (!valueOf(kLongestWait).empty() && numberOf(kFirstWait) > numberOf(kLongestWait)) {
            note(fmt::format("{} is raised to {}, the value of {}", kLongestWait, valueOf(kFirstWait),
                             kFirstWait),
                 whereIs(kLongestWait), fmt::format("set it to that of {} or more", kFirstWait));
            settings_.properties[kLongestWait] = valueOf(kFirstWait);
        }
    }

    Result<void> keyStore() {
        const auto path = valueOf("ssl.keystore.location");
        // With providers named, the legacy one say, librdkafka reads more than is checked here.
        if (path.empty() || !valueOf("ssl.providers").empty()) {
            return {};
        }
        const settings::Property property{"ssl.keystore.location", path, whereIs("ssl.keystore.location")};
        const auto bytes = settings::readStore(path, property);
        if (!bytes) {
            return fail(bytes.error());
        }
        if (settings::kindOfStore(*bytes) == settings::StoreKind::jks) {
            return fail(settings::jksError(path, property));
        }
        return settings::checkKeyStore(*bytes, valueOf("ssl.keystore.password"), path, property);
    }

    ClusterSettings& settings_;
    const std::map<std::string, std::string>& where_;
    std::string protocol_;
};

} // namespace

Result<void> reviewSettings(ClusterSettings& settings, const std::map<std::string, std::string>& where) {
    return Review(settings, where).run();
}

} // namespace bellwether::app
