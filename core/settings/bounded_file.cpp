// SPDX-License-Identifier: Apache-2.0
#include "settings/bounded_file.h"

#include <array>
#include <cstdio>
#include <memory>
#include <system_error>

#include <cerrno>

#include <fmt/format.h>

namespace bellwether::settings {

namespace {

struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

} // namespace

Result<std::string> readBounded(const std::string& path, std::size_t most) {
    const auto failed = [](int code) {
        return fail(ErrorCode::invalidArgument, std::generic_category().message(code));
    };
    errno = 0;
    const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rbe"));
    if (!file) {
        return failed(errno);
    }
    std::string bytes;
    std::array<char, 16'384> piece{};
    while (const auto count = std::fread(piece.data(), 1, piece.size(), file.get())) {
        bytes.append(piece.data(), count);
        if (bytes.size() > most) {
            return fail(ErrorCode::invalidArgument, fmt::format("it is longer than {} KiB", most / 1'024));
        }
    }
    if (std::ferror(file.get()) != 0) { // a folder, say
        return failed(errno);
    }
    return bytes;
}

} // namespace bellwether::settings
