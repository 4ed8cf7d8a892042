// SPDX-License-Identifier: Apache-2.0
#include "java_admin.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

#include "process.h"

namespace bellwether::bench {

namespace {

const std::string kSupport = BELLWETHER_SOURCE_DIR "/tests/support/";

Nanos read(brokertest::Process& java, Sums& told) {
    const auto line = java.line(std::chrono::seconds{120});
    std::int64_t nanos = 0;
    if (!line || !(std::istringstream(*line) >> nanos >> told.ids >> told.producerIds >> told.epochs)) {
        throw std::runtime_error("Java's Admin gave no answer");
    }
    return Nanos{nanos};
}

} // namespace

JavaAdmin::JavaAdmin(std::string bootstrap, std::string kafkaVersion, std::string prefix, std::size_t count)
    : bootstrap_(std::move(bootstrap))
    , prefix_(std::move(prefix))
    , count_(count) {
    jars_ = brokertest::run({kSupport + "kafka-artifacts", kafkaVersion});
    while (!jars_.empty() && jars_.back() == '\n') {
        jars_.pop_back();
    }
    std::string folder = (std::filesystem::temp_directory_path() / "bellwether-bench-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) {
        throw std::runtime_error("no temporary folder can be made");
    }
    classes_ = folder;
    (void)brokertest::run(
        {"javac", "-cp", jars_ + "/*", "-d", classes_.string(), kSupport + "kafka/DescribeMany.java"});
}

JavaAdmin::~JavaAdmin() {
    std::error_code ignored; // a folder in the temporary place is no reason to fail
    std::filesystem::remove_all(classes_, ignored);
}

std::vector<std::string> JavaAdmin::command(const std::string& verb) const {
    return {"java",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            "-cp",
            jars_ + "/*:" + classes_.string(),
            "DescribeMany",
            bootstrap_,
            verb,
            prefix_,
            std::to_string(count_)};
}

void JavaAdmin::mint() {
    (void)brokertest::run(command("mint"));
}

Nanos JavaAdmin::coldProcess(Sums& told) {
    const auto begun = std::chrono::steady_clock::now();
    brokertest::Process java(command("describe"));
    (void)read(java, told);
    const auto took = std::chrono::steady_clock::now() - begun;
    java.endInput();
    (void)java.wait();
    return std::chrono::duration_cast<Nanos>(took);
}

Nanos JavaAdmin::nextRound(Sums& told) {
    if (warm_) {
        warm_->say("again");
    } else {
        warm_ = std::make_unique<brokertest::Process>(command("describe"));
    }
    return read(*warm_, told);
}

} // namespace bellwether::bench
