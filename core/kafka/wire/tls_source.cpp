// SPDX-License-Identifier: Apache-2.0
#include "kafka/wire/tls_source.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "coordination/display_text.h"

namespace bellwether::kafka::wire {
namespace {

constexpr std::size_t kLargestFile = std::size_t{64} << 20;

struct CloseFile {
    void operator()(std::FILE* file) const noexcept { (void)std::fclose(file); }
};

std::string reasonOf(int code) {
    return std::generic_category().message(code);
}

} // namespace

Error TlsSource::wrong(std::string_view what, std::string hint) const {
    Error error;
    error.code = ErrorCode::invalidArgument;
    error.what = fmt::format("property \"{}\" {}", property, what);
    error.where = displayText(path);
    error.hint = std::move(hint);
    return error;
}

std::string TlsSource::quoted() const {
    std::string quoted = "'";
    for (const char c : path) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return displayText(quoted + "'");
}

Result<std::string> readTlsFile(const TlsSource& source) {
    if (source.path.find("-----BEGIN ") != std::string::npos) { // it may be a key: not to be shown
        const TlsSource text{source.property, {}};
        const auto suffix = source.property.rfind(".location");
        return fail(text.wrong("holds PEM text instead of a path",
                               fmt::format("put it into {}.pem", source.property.substr(0, suffix))));
    }
    std::error_code noStatus;
    const auto status = std::filesystem::status(source.path, noStatus);
    if (status.type() == std::filesystem::file_type::not_found) {
        return fail(source.wrong("names a file that does not exist", "check the path"));
    }
    if (status.type() == std::filesystem::file_type::directory) {
        return fail(source.wrong("names a folder, not a file", "name the file"));
    }
    errno = 0;
    const std::unique_ptr<std::FILE, CloseFile> file(std::fopen(source.path.c_str(), "rbe"));
    if (!file) {
        return fail(source.wrong(fmt::format("names a file that cannot be read: {}", reasonOf(errno)),
                                 "check the rights of the file and of the folders above it"));
    }
    std::string bytes;
    std::array<char, 16 * 1024> piece{};
    while (const auto count = std::fread(piece.data(), 1, piece.size(), file.get())) {
        bytes.append(piece.data(), count);
        if (bytes.size() > kLargestFile) {
            return fail(
                source.wrong("names a file that is too large for certificates or a key", "check the path"));
        }
    }
    if (std::ferror(file.get()) != 0) {
        return fail(source.wrong(fmt::format("names a file that cannot be read: {}", reasonOf(errno)),
                                 "check the file"));
    }
    if (bytes.empty()) {
        return fail(source.wrong("names an empty file", "check the path"));
    }
    return bytes;
}

ForeignFormat foreignFormatOf(std::string_view bytes) noexcept {
    using namespace std::string_view_literals;
    if (bytes.substr(0, 4) == "\xFE\xED\xFE\xED"sv || bytes.substr(0, 4) == "\xCE\xCE\xCE\xCE"sv) {
        return ForeignFormat::javaKeystore;
    }
    // A SEQUENCE with a length of more than 127 bytes.
    if (bytes.size() > 4 && bytes[0] == '\x30' && (bytes[1] == '\x82' || bytes[1] == '\x81')) {
        return ForeignFormat::der;
    }
    return ForeignFormat::none;
}

} // namespace bellwether::kafka::wire
