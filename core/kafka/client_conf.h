// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "kafka/client_handle.h"

namespace bellwether::kafka {

/// What a handle is for; decides its settings.
enum class ClientPurpose {
    minting,     ///< transactional producer of one role
    registering, ///< plain producer, acks=all
    readingRole, ///< a member's reader: short, to the end and stop
    watching,    ///< a console's reader: tails all partitions
    asking,      ///< metadata and offsets only
};

/// The settings of a handle: this library's choices, then the user's properties, then what safety rests on.
/// invalidArgument names the property that librdkafka does not know or whose value it refuses.
/// `fixed` are further settings that the user cannot override (transactional.id, isolation.level).
[[nodiscard]] Result<Conf> makeConf(const KafkaConfig& config, ClientPurpose purpose,
                                    const std::map<std::string, std::string>& fixed = {});

/// Checks the whole configuration without opening anything: bootstrap, topic name, timeouts, properties.
[[nodiscard]] Result<void> checkConfig(const KafkaConfig& config);

} // namespace bellwether::kafka
