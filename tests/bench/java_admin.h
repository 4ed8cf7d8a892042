// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "figures.h"

namespace bellwether::brokertest {
class Process;
}

namespace bellwether::bench {

/// tests/support/kafka/DescribeMany.java, compiled once, on the jars of one Kafka release and with the JVM's
/// usual compilers: what Java does at its best. Failures throw std::runtime_error.
class JavaAdmin {
public:
    JavaAdmin(std::string bootstrap, std::string kafkaVersion, std::string prefix, std::size_t count);
    ~JavaAdmin();

    void mint();
    /// A process of its own: from exec to its answer.
    [[nodiscard]] Nanos coldProcess(Sums& told);
    /// The next round of a process that goes on, by its own clock; call it a few times before it counts as
    /// warm.
    [[nodiscard]] Nanos nextRound(Sums& told);

private:
    [[nodiscard]] std::vector<std::string> command(const std::string& verb) const;

    std::string bootstrap_;
    std::string prefix_;
    std::size_t count_;
    std::string jars_;
    std::filesystem::path classes_;
    std::unique_ptr<brokertest::Process> warm_;
};

} // namespace bellwether::bench
