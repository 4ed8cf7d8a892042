// SPDX-License-Identifier: Apache-2.0
#include "cluster_settings.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <system_error>

#include <cerrno>
#include <sys/stat.h>

#include <fmt/format.h>

#include "coordination/display_text.h"
#include "kafka/kafka_config.h"
#include "settings/bounded_file.h"
#include "settings/pem_text.h"
#include "settings_review.h"
#include "unknown_property.h"

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

constexpr auto kTyped = "-X";

struct OtherWay {
    std::string_view name;
    std::string_view other;
};

/// Different ways to name one thing: whoever says it again on the command line means that way.
constexpr std::array<OtherWay, 14> kOtherWays{{{"ssl.ca.location", "ssl.ca.pem"},
                                               {"ssl.ca.pem", "ssl.ca.location"},
                                               {"ssl.certificate.location", "ssl.certificate.pem"},
                                               {"ssl.certificate.location", "ssl.keystore.location"},
                                               {"ssl.certificate.pem", "ssl.certificate.location"},
                                               {"ssl.certificate.pem", "ssl.keystore.location"},
                                               {"ssl.key.location", "ssl.key.pem"},
                                               {"ssl.key.location", "ssl.keystore.location"},
                                               {"ssl.key.pem", "ssl.key.location"},
                                               {"ssl.key.pem", "ssl.keystore.location"},
                                               {"ssl.keystore.location", "ssl.certificate.location"},
                                               {"ssl.keystore.location", "ssl.certificate.pem"},
                                               {"ssl.keystore.location", "ssl.key.location"},
                                               {"ssl.keystore.location", "ssl.key.pem"}}};

/// Java's alone, though librdkafka knows the name so as to refuse it.
bool isOnlyJavas(const std::string& name) {
    return name == "sasl.jaas.config" || name == "ssl.truststore.location" ||
           name == "ssl.truststore.password";
}

Error noteOf(std::string what, std::string where, std::string hint) {
    Error note;
    note.code = ErrorCode::invalidArgument;
    note.what = std::move(what);
    note.where = std::move(where);
    note.hint = std::move(hint);
    return note;
}

/// Of librdkafka's strings; it cuts blanks in front of each.
std::string_view withoutBlanksInFront(std::string_view value) {
    const auto first = value.find_first_not_of(" \t\n\v\f\r");
    return first == std::string_view::npos ? std::string_view{} : value.substr(first);
}

Result<std::string> readText(const std::string& path) {
    constexpr std::size_t kMost = 1'024 * 1'024;
    auto text = settings::readBounded(path, kMost);
    if (!text) {
        return fail(ErrorCode::invalidArgument,
                    fmt::format("the property file cannot be read: {}", text.error().what), path,
                    "give -F a file of librdkafka properties or a Java client.properties");
    }
    return text;
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

/// Of a key in base64, say: it is not repeated.
bool isNoName(std::string_view name) {
    constexpr std::size_t kLongestWord = 32;
    return name.starts_with("-----") ||
           (name.size() > kLongestWord && name.find_first_of("._-") == std::string_view::npos);
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
        const bool secret = text->find("password") != std::string::npos ||
                            text->find("secret") != std::string::npos ||
                            text->find("PRIVATE KEY") != std::string::npos ||
                            text->find("sasl.oauthbearer.") != std::string::npos;
        if (secret && othersCanRead(typed.file)) {
            out_.notes.push_back(noteOf("the property file holds a secret and others can read it", typed.file,
                                        fmt::format("chmod 600 {}", typed.file)));
        }
        named_.insert(read->names.begin(), read->names.end());
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
            if (auto taken = take({property.substr(0, equals), property.substr(equals + 1), kTyped});
                !taken) {
                return taken;
            }
        }
        return {};
    }

    Result<ClusterSettings> finish(const std::string& bootstrap) {
        for (auto& [name, error] : ofOtherClients_) {
            if (!named_.contains(name)) {
                return fail(std::move(error));
            }
        }
        if (!bootstrap.empty()) {
            out_.bootstrap = bootstrap;
        }
        if (auto done = reviewSettings(out_, where_); !done) {
            return fail(std::move(done).error());
        }
        return std::move(out_);
    }

private:
    Result<void> take(settings::Property property) {
        const auto& name = property.name;
        named_.insert(name);
        if (name == "bootstrap.servers" || name == "metadata.broker.list") {
            out_.bootstrap = std::move(property.value);
        } else if (std::find(kOurOwn.begin(), kOurOwn.end(), name) != kOurOwn.end()) {
            out_.notes.push_back(noteOf(fmt::format("{} is ignored: Bellwether sets it itself", name),
                                        property.where, "take it out"));
        } else if (isOnlyJavas(name) || !kafka::isProperty(name)) {
            return unknown(property);
        } else {
            return known(std::move(property));
        }
        return {};
    }

    Result<void> unknown(const settings::Property& property) {
        if (isNoName(property.name)) {
            return fail(ErrorCode::invalidArgument, "a line that sets no property", property.where,
                        "is it of a value on several lines, a key's say? Write that on one line");
        }
        const auto likeness = likenessOf(property.name);
        const auto shown = displayText(property.name);
        auto note = noteOf(likeness.ofJava ? fmt::format("\"{}\" is a property of Java's clients", shown)
                                           : fmt::format("unknown property \"{}\"", shown),
                           property.where,
                           likeness.ofJava ? "give it in a file of theirs, with -F FILE --file-form java"
                           : likeness.nearest.empty() ? "librdkafka's CONFIGURATION page lists the names"
                                                      : fmt::format("did you mean {}?", likeness.nearest));
        if (likeness.ofSecurity) {
            note.what += "; going on without it could go on unprotected";
            return fail(std::move(note));
        }
        if (!likeness.behindPrefix.empty()) {
            auto error = note;
            error.what += "; going on without it could go on unprotected";
            error.hint = fmt::format("it is another client's; give {} without a prefix too",
                                     displayText(likeness.behindPrefix));
            ofOtherClients_.emplace_back(likeness.behindPrefix, std::move(error));
        }
        note.what += " is ignored";
        out_.notes.push_back(std::move(note));
        return {};
    }

    Result<void> known(settings::Property property) {
        if (const auto value = withoutBlanksInFront(property.value); value.size() != property.value.size()) {
            out_.notes.push_back(
                noteOf(fmt::format("the blanks in front of the value of {} are cut, as librdkafka does",
                                   property.name),
                       property.where, "a password that begins with a blank cannot be used"));
            property.value = std::string(value);
        }
        if (property.name.ends_with(".pem")) {
            property.value = settings::withLineEnds(property.value);
        }
        // Two names of one setting must not meet: the later one counts.
        const auto name = kafka::propertyBehind(property.name);
        if (auto legal = kafka::checkProperty(property.name, property.value); !legal) {
            auto error = std::move(legal).error();
            error.where = property.where;
            return fail(std::move(error));
        }
        for (const auto& [way, other] : kOtherWays) {
            const auto before = where_.find(std::string(other));
            if (way == name && before != where_.end() && before->second != property.where &&
                property.where == kTyped) {
                out_.properties.erase(before->first);
                where_.erase(before);
            }
        }
        where_[name] = property.where;
        out_.properties.insert_or_assign(name, std::move(property.value));
        return {};
    }

    ClusterSettings out_;
    std::set<std::string> named_;
    std::map<std::string, std::string> where_;                  ///< of each property
    std::vector<std::pair<std::string, Error>> ofOtherClients_; ///< by the name without a prefix
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
