// SPDX-License-Identifier: Apache-2.0
#include "cluster_settings.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

#include <cerrno>
#include <sys/stat.h>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "kafka/kafka_config.h"

namespace bellwether::app {

namespace {

/// What the members' safety and the readers' truth rest on.
constexpr std::array<std::string_view, 14> kOurOwn{"transactional.id",         "isolation.level",
                                                   "enable.idempotence",       "acks",
                                                   "request.required.acks",    "group.id",
                                                   "group.instance.id",        "enable.auto.commit",
                                                   "enable.auto.offset.store", "auto.offset.reset",
                                                   "enable.partition.eof",     "transaction.timeout.ms",
                                                   "allow.auto.create.topics", "auto.commit.interval.ms"};

constexpr std::array<std::string_view, 7> kSecrets{"sasl.password",
                                                   "ssl.key.password",
                                                   "ssl.keystore.password",
                                                   "ssl.key.pem",
                                                   "sasl.oauthbearer.client.secret",
                                                   "sasl.oauthbearer.config",
                                                   "ssl.truststore.password"};

Error noteOf(std::string what, std::string where, std::string hint) {
    Error note;
    note.code = ErrorCode::invalidArgument;
    note.what = std::move(what);
    note.where = std::move(where);
    note.hint = std::move(hint);
    return note;
}

bool isOfSecurity(std::string_view name) {
    return name.starts_with("ssl.") || name.starts_with("sasl.") || name.starts_with("security.") ||
           name.starts_with("https.") || name.starts_with("enable.ssl.") || name.starts_with("enable.sasl.");
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
        row[j] = j;
    }
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto replaced = diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
        }
    }
    return row[b.size()];
}

std::string nearestHint(std::string_view name) {
    std::string nearest;
    std::size_t least = 4; // further away is another word
    for (auto& known : kafka::propertyNames()) {
        if (const auto distance = editDistance(name, known); distance < least) {
            least = distance;
            nearest = std::move(known);
        }
    }
    return nearest.empty() ? "librdkafka's CONFIGURATION page lists the names"
                           : fmt::format("did you mean {}?", nearest);
}

Result<std::string> readText(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    // Through the stream's own operator: it turns a read error (a folder, say) into a state instead of an
    // exception.
    if (!file || (!(text << file.rdbuf()) && errno != 0)) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("the property file cannot be read: {}", std::generic_category().message(errno)), path,
            "give -F a file of librdkafka properties or a Java client.properties");
    }
    return text.str();
}

Result<std::optional<settings::FileForm>> formOf(const std::string& text) {
    if (text.empty()) {
        return std::nullopt;
    }
    if (text == "java" || text == "librdkafka") {
        return text == "java" ? settings::FileForm::java : settings::FileForm::librdkafka;
    }
    return fail(ErrorCode::invalidArgument,
                fmt::format("\"{}\" is no form of a property file", displayText(text)), "--file-form",
                "write java or librdkafka");
}

bool othersCanRead(const std::string& path) {
    struct stat facts {};

    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && (facts.st_mode & 0077U) != 0;
}

class Gathering {
public:
    Result<void> file(const TypedSettings& typed) {
        const auto form = formOf(typed.form);
        if (!form) {
            return fail(form.error());
        }
        if (typed.file.empty()) {
            return {};
        }
        const auto text = readText(typed.file);
        if (!text) {
            return fail(text.error());
        }
        auto read = settings::readClientFile(*text, typed.file, *form);
        if (!read) {
            return fail(std::move(read).error());
        }
        for (auto& note : read->notes) {
            out_.notes.push_back(std::move(note));
        }
        const bool secret =
            std::any_of(read->properties.begin(), read->properties.end(), [](const auto& each) {
                return std::find(kSecrets.begin(), kSecrets.end(), each.name) != kSecrets.end();
            });
        if (secret && othersCanRead(typed.file)) {
            out_.notes.push_back(noteOf("the property file holds a secret and others can read it", typed.file,
                                        fmt::format("chmod 600 {}", typed.file)));
        }
        for (auto& property : read->properties) {
            if (auto taken = take(std::move(property)); !taken) {
                return taken;
            }
        }
        return {};
    }

    Result<void> typed(const std::vector<std::string>& properties) {
        for (const auto& property : properties) {
            const auto equals = property.find('=');
            if (equals == std::string::npos || equals == 0) {
                // The text is not repeated: it may hold a secret.
                return fail(ErrorCode::invalidArgument, "-X takes one property of the form name=value",
                            "command line", "write for example -X security.protocol=SASL_SSL");
            }
            if (auto taken = take({property.substr(0, equals), property.substr(equals + 1), "-X"}); !taken) {
                return taken;
            }
        }
        return {};
    }

    ClusterSettings finish(const std::string& bootstrap) {
        if (!bootstrap.empty()) {
            out_.bootstrap = bootstrap;
        }
        return std::move(out_);
    }

private:
    Result<void> take(settings::Property property) {
        const auto& name = property.name;
        if (name == "bootstrap.servers" || name == "metadata.broker.list") {
            out_.bootstrap = std::move(property.value);
        } else if (std::find(kOurOwn.begin(), kOurOwn.end(), name) != kOurOwn.end()) {
            out_.notes.push_back(noteOf(fmt::format("{} is ignored: Bellwether sets it itself", name),
                                        property.where, "take it out"));
        } else if (!kafka::isProperty(name)) {
            auto note = noteOf(fmt::format("unknown property \"{}\"", displayText(name)), property.where,
                               nearestHint(name));
            if (isOfSecurity(name)) {
                return fail(std::move(note)); // going on would be without it
            }
            note.what += " is ignored";
            out_.notes.push_back(std::move(note));
        } else if (auto legal = kafka::checkProperty(name, property.value); !legal) {
            auto error = std::move(legal).error();
            error.where = property.where;
            return fail(std::move(error));
        } else {
            // Two names of one setting must not meet: the later one counts.
            if (name == "sasl.mechanism") {
                property.name = "sasl.mechanisms";
            }
            out_.properties.insert_or_assign(property.name, std::move(property.value));
        }
        return {};
    }

    ClusterSettings out_;
};

} // namespace

Result<ClusterSettings> readClusterSettings(const TypedSettings& typed) {
    Gathering gathering;
    if (auto done = gathering.file(typed); !done) {
        return fail(std::move(done).error());
    }
    if (auto done = gathering.typed(typed.properties); !done) {
        return fail(std::move(done).error());
    }
    return gathering.finish(typed.bootstrap);
}

} // namespace bellwether::app
