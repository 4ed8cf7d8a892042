// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "report/case_file.h"

namespace bellwether::testing_support {

/// Every case of the data folder, by name. A new file is a new test.
[[nodiscard]] std::vector<std::filesystem::path> caseFiles();
[[nodiscard]] std::string contentOf(const std::filesystem::path& path);

/// The exported answer of a case, parsed again: what a script sees.
[[nodiscard]] nlohmann::json exported(const CaseAnswer& answer);

/// Holds `expect` of a case against the exported answer; one line for each thing that is not so. A member of
/// `expect` that is not known here is such a line too.
[[nodiscard]] std::vector<std::string> unmet(const nlohmann::json& expect, const nlohmann::json& answer,
                                             const CaseFile& file);

} // namespace bellwether::testing_support
