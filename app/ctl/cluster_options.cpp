// SPDX-License-Identifier: Apache-2.0
#include "ctl/cluster_options.h"

#include <fstream>
#include <sstream>
#include <system_error>

#include <cerrno>

#include <fmt/format.h>

#include "ctl/duration.h"

namespace bellwether::ctl {

namespace {

Result<std::map<std::string, std::string>> readPropertyFile(const std::string& path) {
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    // Through the stream's own operator: it turns a read error (a folder, say) into a state instead of an
    // exception.
    if (!file || (!(text << file.rdbuf()) && errno != 0)) {
        return fail(
            ErrorCode::invalidArgument,
            fmt::format("the property file cannot be read: {}", std::generic_category().message(errno)), path,
            "give -F a file of librdkafka properties, one name=value per line");
    }
    return app::parseProperties(text.str(), path);
}

} // namespace

Result<app::WorldOptions> worldOptions(const ClusterOptions& typed) {
    app::WorldOptions options;
    if (!typed.propertyFile.empty()) {
        auto properties = readPropertyFile(typed.propertyFile);
        if (!properties) {
            return fail(properties.error());
        }
        options.properties = std::move(*properties);
    }
    for (const auto& property : typed.properties) {
        const auto equals = property.find('=');
        if (equals == std::string::npos || equals == 0) {
            // The text is not repeated: it may hold a secret.
            return fail(ErrorCode::invalidArgument, "-X takes one property of the form name=value",
                        "command line", "write for example -X security.protocol=SASL_SSL");
        }
        options.properties.insert_or_assign(property.substr(0, equals), property.substr(equals + 1));
    }
    for (const char* name : {"bootstrap.servers", "metadata.broker.list"}) {
        const auto at = options.properties.find(name);
        if (at != options.properties.end()) {
            options.bootstrap = at->second;
            options.properties.erase(at);
        }
    }
    if (!typed.bootstrap.empty()) {
        options.bootstrap = typed.bootstrap;
    }
    if (options.bootstrap.empty()) {
        return fail(ErrorCode::invalidArgument, "no cluster was named", "command line",
                    "give -b HOST:PORT, or -b sandbox for the embedded one");
    }
    const auto timeout = parseDuration(typed.timeout);
    if (!timeout) {
        return fail(timeout.error());
    }
    if (*timeout <= Millis{0}) {
        return fail(ErrorCode::invalidArgument, "--timeout has to be positive", "command line",
                    "write for example 10s");
    }
    options.timeout = *timeout;
    options.topic = typed.topic;
    return options;
}

} // namespace bellwether::ctl
