// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "settings/client_file.h"

namespace bellwether::app {

/// What was typed about the cluster, by the console's user or the command line's.
struct TypedSettings {
    std::string bootstrap; ///< -b; empty: not given
    std::string file;      ///< -F; empty: not given
    std::string form;      ///< --file-form: "java", "librdkafka", or empty for what the file looks like
    std::vector<std::string> properties; ///< -X NAME=VALUE, later ones win
};

struct ClusterSettings {
    std::string bootstrap; ///< -b, else the file's or -X's bootstrap.servers, else empty
    std::map<std::string, std::string> properties; ///< librdkafka's names, all known to it
    std::vector<Error> notes;                      ///< what was left aside, to be shown; never a secret
};

/// Reads the file, translates Java's form, lets -X go before the file and -b before both. A name that
/// nobody knows is left aside with a note; when it looks like one of security (unknown_property.h) it is an
/// error, since going on without it would go on unprotected. Names that this product sets itself are left
/// aside with a note. What is gathered is reviewed (settings_review.h). A file with a secret that others can
/// read is noted. Fails with `invalidArgument`, naming FILE:LINE or "-X"; no message repeats a secret.
[[nodiscard]] Result<ClusterSettings> readClusterSettings(const TypedSettings& typed);

} // namespace bellwether::app
