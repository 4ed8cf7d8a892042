// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <QTemporaryDir>
#include <QTest>

#include "console_options.h"
#include "display_check.h"
#include "scenes.h"
#include "screenshot.h"
#include "trouble_log.h"

using namespace bellwether;
using namespace bellwether::console;

namespace {

ParsedOptions parse(std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(), "bellwether");
    return parseOptions(static_cast<int>(arguments.size()), arguments.data());
}

Environment environmentOf(std::map<std::string, std::string> variables) {
    return [variables = std::move(variables)](const char* name) {
        const auto found = variables.find(name);
        return found == variables.end() ? std::string() : found->second;
    };
}

} // namespace

class OptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void theSandboxIsTheDefault() {
        const ParsedOptions parsed = parse({});
        QVERIFY(parsed.options.has_value());
        QVERIFY(parsed.options->world.bootstrap == app::kSandboxBootstrap);
        QVERIFY(parsed.options->world.topic == kDefaultTopic);
        QVERIFY(!parsed.options->theme && !parsed.options->screenshot);
        QVERIFY(parsed.options->zone == ui::ZoneChoice::local);
    }

    void everythingAtOnce() {
        QTemporaryDir folder;
        const std::string file = folder.filePath(QStringLiteral("client.properties")).toStdString();
        std::ofstream(file) << "# a comment\nsecurity.protocol = SSL\nssl.ca.location=/etc/ca.pem\n";
        const ParsedOptions parsed = parse({"--bootstrap",
                                            "a:1,b:2",
                                            "-F",
                                            file.c_str(),
                                            "-X",
                                            "ssl.ca.location=/other.pem",
                                            "-X",
                                            "sasl.password=p,a=b",
                                            "--topic",
                                            "t",
                                            "--theme",
                                            "dark",
                                            "--utc",
                                            "--screenshot",
                                            "x.png",
                                            "--screenshot-after",
                                            "2.5",
                                            "--size",
                                            "1600x900",
                                            "--scale",
                                            "2"});
        QVERIFY2(parsed.options.has_value(), parsed.output.c_str());
        const ConsoleOptions& options = *parsed.options;
        QVERIFY(options.world.bootstrap == "a:1,b:2");
        QVERIFY(options.world.properties.at("security.protocol") == "SSL");
        QVERIFY(options.world.properties.at("ssl.ca.location") == "/other.pem"); // -X goes before the file
        QVERIFY(options.world.properties.at("sasl.password") == "p,a=b");
        QVERIFY(options.world.topic == "t");
        QVERIFY(options.theme == ui::ThemeChoice::dark);
        QVERIFY(options.zone == ui::ZoneChoice::utc);
        QCOMPARE(options.screenshot->width, 1'600);
        QCOMPARE(options.screenshot->height, 900);
        QCOMPARE(options.screenshot->scale, 2);
        QCOMPARE(options.screenshot->after, 2.5);
    }

    void wrongUsageIsCodeTwoAndSaysWhat() {
        const std::vector<std::pair<std::vector<const char*>, const char*>> wrong{
            {{"--theme", "pink"}, "--theme"},
            {{"--nonsense"}, "--nonsense"},
            {{"-X", "noequals"}, "-X"},
            {{"-F", "/does/not/exist"}, "/does/not/exist"},
            {{"--screenshot", "x", "--size", "10x10"}, "--size"},
            {{"--screenshot", "x", "--size", "1280x720x"}, "--size"},
            {{"--size", "1280x720"}, "--screenshot"},
            {{"--screenshot", "x", "--scale", "9"}, "--scale"},
        };
        for (const auto& [arguments, named] : wrong) {
            const ParsedOptions parsed = parse(arguments);
            QVERIFY2(!parsed.options, named);
            QCOMPARE(parsed.exitCode, 2);
            QVERIFY2(parsed.output.find(named) != std::string::npos, parsed.output.c_str());
        }
        // What stands after -X may be a secret.
        QVERIFY(parse({"-X", "secretword"}).output.find("secretword") == std::string::npos);
    }

    void helpIsNoFailure() {
        const ParsedOptions parsed = parse({"--help"});
        QVERIFY(!parsed.options);
        QCOMPARE(parsed.exitCode, 0);
        for (const char* option : {"--bootstrap", "-F", "-X", "--topic", "--theme", "--utc", "--screenshot",
                                   "--version", "sandbox"}) {
            QVERIFY2(parsed.output.find(option) != std::string::npos, option);
        }
    }

    void displays() {
        QVERIFY(displayProblem(environmentOf({})).has_value());
        QVERIFY(displayProblem(environmentOf({{"QT_QPA_PLATFORM", "xcb"}})).has_value());
        QVERIFY(displayProblem(environmentOf({{"QT_QPA_PLATFORM", "xcb"}, {"WAYLAND_DISPLAY", "wayland-0"}}))
                    .has_value());
        QVERIFY(
            displayProblem(environmentOf({{"QT_QPA_PLATFORM", "wayland"}, {"DISPLAY", ":0"}})).has_value());
        QVERIFY(displayProblem(environmentOf({{"DISPLAY", ":98765"}}))->find(":98765") != std::string::npos);
        QVERIFY(!displayProblem(environmentOf({{"QT_QPA_PLATFORM", "offscreen"}})));
        QVERIFY(!displayProblem(environmentOf({{"WAYLAND_DISPLAY", "wayland-0"}})));
        QVERIFY(!displayProblem(environmentOf({{"DISPLAY", "remote.example:10.0"}})));
    }

    void aPictureNeedsJudgedRoles() {
        QVERIFY(missingForPicture(test::calmScene()).empty());
        QVERIFY(missingForPicture(test::calmScene(), test::calmScene().roles.size()).empty());
        QVERIFY(!missingForPicture(test::calmScene(), test::calmScene().roles.size() + 1).empty());
        QVERIFY(!missingForPicture(test::emptyScene()).empty());
        QVERIFY(!missingForPicture(test::readingScene()).empty());
        QVERIFY(!missingForPicture(test::lostScene()).empty());
        QVERIFY(!missingForPicture(test::everyVerdictScene()).empty()); // one is unknown
    }

    void troublesAreSaidOnce() {
        std::vector<std::string> lines;
        TroubleLog log([&lines](const std::string& line) { lines.push_back(line); });
        log.note(test::calmScene());
        QVERIFY(lines.empty());
        log.note(test::lostScene());
        log.note(test::lostScene());
        QCOMPARE(lines.size(), std::size_t{1});
        QVERIFY(lines[0].find("connection refused (kafka-1.example:9092): check") != std::string::npos);
        log.note(test::calmScene());
        QCOMPARE(lines.size(), std::size_t{2});
    }

    void aFloodOfFindingsIsCutShort() {
        std::vector<std::string> lines;
        TroubleLog log([&lines](const std::string& line) { lines.push_back(line); });
        Snapshot scene = test::findingsScene();
        scene.findingsTotal = scene.findings.size();
        log.note(scene);
        QCOMPARE(lines.size(), std::size_t(TroubleLog::kMostFindings) + 1);
        QVERIFY(lines[0].find("__coordination_state[0]@1000") != std::string::npos);
        scene.findingsTotal += 5;
        log.note(scene);
        QCOMPARE(lines.size(), std::size_t(TroubleLog::kMostFindings) + 1);
    }
};

QTEST_GUILESS_MAIN(OptionsTest)
#include "options_test.moc"
