// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "settings/java_client.h"

namespace bellwether::settings {

/// The two forms of a file of client settings.
enum class FileForm { librdkafka, java };

/// How a file is to be read, and the name in it that tells; empty when nothing does and librdkafka's is
/// assumed.
struct DetectedForm {
    FileForm form = FileForm::librdkafka;
    std::string because;
};

/// Java's form when a name in it is one that only Java's clients have (sasl.jaas.config,
/// ssl.truststore.location, key.serializer, ...) and none is only librdkafka's; else librdkafka's.
[[nodiscard]] DetectedForm detectForm(std::string_view bytes);

/// Reads the text of a settings file; `file` is for messages, `form` overrides detectForm(). Names that
/// nobody knows are still in the result. Fails with `invalidArgument`, naming file and line, never a value.
[[nodiscard]] Result<ClientSettings> readClientFile(std::string_view bytes, std::string_view file,
                                                    std::optional<FileForm> form = std::nullopt);

} // namespace bellwether::settings
