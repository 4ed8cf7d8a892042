// SPDX-License-Identifier: Apache-2.0
#include "ctl/command_line.h"

#include <algorithm>
#include <exception>
#include <map>
#include <ostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "ctl/cluster_options.h"
#include "ctl/exit_code.h"
#include "ctl/explain.h"
#include "ctl/join.h"
#include "ctl/live_roles.h"
#include "kafka/kafka_config.h"

namespace bellwether::ctl {

namespace {

constexpr const char* kFooter = R"(
Durations: a number with ms, s, m or h, such as 500ms or 30s. Names are taken as typed.
Environment: BELLWETHER_BOOTSTRAP stands in for -b; NO_COLOR turns colour off.

Exit codes:
  0    done
  1    the answer is incomplete or negative (a file or a role is missing, something could not be judged)
  2    usage: an option, a name or a property file is not legal
  3    the cluster was not reached, or refused (no topic, no right)
  4    join: the role was lost (with --once), or another process uses the member's name
  5    a fault of this program
  130  stopped by a signal before there was an answer

Examples:
  bellwetherctl -b sandbox roles
  bellwetherctl -b 127.0.0.1:9092 join controller --member node-1
  bellwetherctl explain capture.json -o json)";

const std::map<std::string, Format> kFormats{
    {"text", Format::text}, {"json", Format::json}, {"jsonl", Format::jsonl}};

/// What was typed, and the options and verbs that fill it.
class Invocation {
public:
    explicit Invocation(Terminal& terminal)
        : terminal_(terminal) {
        app_.name("bellwetherctl");
        app_.footer(kFooter);
        app_.set_version_flag("--version", [] {
            return fmt::format("bellwetherctl {}\nlibrdkafka {}", BELLWETHER_VERSION,
                               kafka::librdkafkaVersion());
        });
        app_.require_subcommand(0, 1); // so that an unknown verb is named
        addClusterOptions();
        addExplain();
        addLiveRoles();
        addJoin();
    }

    int run(std::vector<std::string> arguments, std::stop_token stop) {
        std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
        try {
            app_.parse(std::move(arguments));
        } catch (const CLI::ParseError& error) {
            return answerParseError(error);
        }
        if (app_.get_subcommands().empty()) {
            complain(terminal_, "no verb was given: see bellwetherctl --help");
            return kUsage;
        }
        if (explain_->parsed()) {
            return explainFiles(explainOptions_, terminal_);
        }
        std::vector<Error> notes;
        auto world = worldOptions(cluster_, notes);
        for (const auto& note : notes) {
            complain(terminal_, "warning: " + note.text());
        }
        if (!world) {
            return refuse(world.error());
        }
        if (join_->parsed()) {
            return joinRole(std::move(*world), joinOptions_, terminal_, std::move(stop));
        }
        liveRolesOptions_.timeout = world->timeout;
        if (describe_->parsed()) {
            liveRolesOptions_.role = describedRole_;
        }
        const auto opened = app::openWorld(*world);
        if (!opened) {
            return refuse(opened.error());
        }
        return showLiveRoles(**opened, liveRolesOptions_, terminal_, std::move(stop));
    }

private:
    void addClusterOptions() {
        app_.add_option("-b,--bootstrap", cluster_.settings.bootstrap,
                        "the cluster: HOST:PORT[,HOST:PORT...], or the word sandbox for the embedded one")
            ->envname("BELLWETHER_BOOTSTRAP");
        app_.add_option("-F", cluster_.settings.file,
                        "file of client properties: librdkafka's, or a Java client.properties")
            ->type_name("FILE");
        app_.add_option("--file-form", cluster_.settings.form,
                        "how to read -F, where its names do not tell: librdkafka or java")
            ->type_name("FORM");
        // One per -X: a value may hold commas and blanks.
        app_.add_option("-X", cluster_.settings.properties,
                        "one librdkafka property; may be repeated, wins over -F")
            ->type_name("NAME=VALUE")
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
        app_.add_option("--topic", cluster_.topic, "the coordination topic")->capture_default_str();
        app_.add_option("--timeout", cluster_.timeout, "bound on every question to the cluster")
            ->capture_default_str();
    }

    CLI::App* addVerb(const std::string& name, const std::string& description) {
        CLI::App* verb = app_.add_subcommand(name, description);
        verb->fallthrough();
        return verb;
    }

    static void addFormat(CLI::App* verb, Format& format, const std::vector<std::string>& words) {
        std::map<std::string, Format> formats;
        for (const auto& word : words) {
            formats.emplace(word, kFormats.at(word));
        }
        verb->add_option("-o,--output", format, "how to print")
            ->type_name(fmt::format("{}", fmt::join(words, "|")))
            ->transform(CLI::CheckedTransformer(formats).description(""));
    }

    void addExplain() {
        explain_ = addVerb("explain", "say of recorded logs what the console would say of their roles");
        explain_->add_option("FILE", explainOptions_.files, "capture or case file; - is standard input")
            ->required();
        addFormat(explain_, explainOptions_.format, {"text", "json", "jsonl"});
    }

    void addLiveRoles() {
        roles_ = addVerb("roles", "the table of all roles of the topic");
        addFormat(roles_, liveRolesOptions_.format, {"text", "json", "jsonl"});
        describe_ = addVerb("describe", "everything that is known of one role");
        describe_->add_option("ROLE", describedRole_, "the role, as typed or as `roles` shows it")
            ->required();
        addFormat(describe_, liveRolesOptions_.format, {"text", "json", "jsonl"});
    }

    void addJoin() {
        join_ = addVerb("join",
                        "be a member of a role until stopped; Ctrl+C resigns and deregisters, a second one "
                        "goes at once as a crash would");
        join_->add_option("ROLE", joinOptions_.role, "the role to compete for")->required();
        join_->add_option("-m,--member", joinOptions_.member, "the member's name")->required();
        join_->add_option("--lease", joinOptions_.lease, "lease duration")->capture_default_str();
        join_->add_option("--renew", joinOptions_.renew, "renew interval")->capture_default_str();
        join_->add_option("--stagger", joinOptions_.stagger, "challenge stagger per rank")
            ->capture_default_str();
        join_
            ->add_option("--clock-offset", joinOptions_.clockOffset,
                         "shift of this member's wall clock, e.g. -3s")
            ->capture_default_str();
        join_->add_option("--hold-for", joinOptions_.holdFor, "leave after having led for so long");
        join_->add_flag("--once", joinOptions_.once,
                        "end with code 4 when the role is lost instead of waiting again");
        join_->add_flag("--no-deregister", joinOptions_.noDeregister, "stay in the roster at the end");
        addFormat(join_, joinOptions_.format, {"text", "jsonl"});
    }

    int answerParseError(const CLI::ParseError& error) {
        if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
            static_cast<void>(app_.exit(error, terminal_.out, terminal_.err)); // --help and --version
            return kOk;
        }
        complain(terminal_, fmt::format("{}: see bellwetherctl --help", error.what()));
        return kUsage;
    }

    int refuse(const Error& error) {
        complain(terminal_, error);
        return exitCodeOf(error.code);
    }

    Terminal& terminal_;
    CLI::App app_{"Looks at leadership fenced by Kafka's transaction coordinator, and takes part in it."};
    CLI::App* explain_ = nullptr;
    CLI::App* roles_ = nullptr;
    CLI::App* describe_ = nullptr;
    CLI::App* join_ = nullptr;
    ClusterOptions cluster_;
    ExplainOptions explainOptions_;
    LiveRolesOptions liveRolesOptions_;
    std::string describedRole_;
    JoinOptions joinOptions_;
};

} // namespace

int runCommandLine(const std::vector<std::string>& arguments, Terminal& terminal, std::stop_token stop) {
    try {
        return Invocation(terminal).run(arguments, std::move(stop));
    } catch (const std::exception& fault) {
        complain(terminal, fmt::format("unexpected fault: {}: please report it", fault.what()));
        return kInternal;
    }
}

} // namespace bellwether::ctl
